/** Sending of telemetry to a collector: OTLP over HTTP, as JSON or protobuf, or over gRPC. */
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { requestBytes } from "./otlp_messages.ts";
import type { Target } from "./targets.ts";

/** A payload of metrics or spans, as OTLP JSON. */
export interface Payload {
  readonly signal: "metrics" | "traces";
  readonly json: object;
}

/** @throws {Error} if the collector does not accept it. The message does not contain the payload. */
export async function sendTo(target: Target, sending: Payload): Promise<void> {
  const caCert = target.certificateFile && await Deno.readTextFile(target.certificateFile);
  if (target.protocol === "grpc") return await overGrpc(target, sending, caCert);
  const isJson = target.protocol === "http/json";
  const plain = isJson
    ? new TextEncoder().encode(JSON.stringify(sending.json))
    : requestBytes(sending.signal, sending.json);
  using client = caCert ? Deno.createHttpClient({ caCerts: [caCert] }) : undefined;
  const answer = await fetch(target.url, {
    method: "POST",
    headers: headersOf({
      ...target.headers,
      "content-type": isJson ? "application/json" : "application/x-protobuf",
      ...(target.gzip && { "content-encoding": "gzip" }),
    }),
    body: target.gzip ? await gzipBytes(plain) : plain,
    signal: AbortSignal.timeout(target.timeoutMillis),
    ...(client && { client }),
  }).catch((error) => {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(withoutQueries(reason instanceof Error ? reason.message : String(reason), target.url));
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the response was ${answer.status}`);
}

/** Builds the headers. The error of the platform would contain an invalid value, so it is replaced. */
function headersOf(fields: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(fields);
  } catch {
    throw new Error("OTEL_EXPORTER_OTLP_HEADERS: expected valid names and values of headers");
  }
}

/** Removes the queries of addresses from a text, because some collectors expect their key there. */
function withoutQueries(words: string, url: string): string {
  const { search } = new URL(url);
  const shown = search === "" ? words : words.replaceAll(search, "");
  return shown.replaceAll(/\?[^\s)?]*/g, "");
}

/** One gRPC call: sends a framed message, and reads the status from the trailers. */
async function overGrpc(
  { url, headers, gzip, timeoutMillis }: Target,
  { signal, json }: Payload,
  caCert: string | undefined,
): Promise<void> {
  const { connect } = await import("node:http2");
  const { origin, pathname } = new URL(url);
  const message = requestBytes(signal, json);
  const data = gzip ? await gzipBytes(message) : message;
  const frame = new Uint8Array(FRAME_HEAD + data.length);
  frame[0] = gzip ? 1 : 0;
  new DataView(frame.buffer).setUint32(1, data.length);
  frame.set(data, FRAME_HEAD);
  const session = deferSessionEnd(connect(origin, caCert ? { ca: caCert } : {}));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("the response timed out")), timeoutMillis);
  try {
    session.on("error", reject);
    session.on("close", () => reject(new Error("the connection was closed")));
    const stream = session.request({
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ":method": "POST",
      ":path": pathname,
      "content-type": "application/grpc",
      te: "trailers",
      ...(gzip && { "grpc-encoding": "gzip" }),
    });
    // An immediate refusal has its status in the headers, otherwise it is in the trailers.
    const judge = (seen: Record<string, unknown>) => {
      const status = seen["grpc-status"];
      if (status === "0") resolve();
      else if (status !== undefined) reject(new Error(`the response had gRPC status ${status}`));
      else if (seen[":status"] !== undefined && seen[":status"] !== 200) {
        reject(new Error(`the response was ${seen[":status"]}`));
      }
    };
    stream.on("response", judge);
    stream.on("trailers", judge);
    stream.on("error", reject);
    stream.on("close", () => reject(new Error("the response had no gRPC status")));
    stream.resume();
    stream.end(frame);
    await promise;
  } finally {
    clearTimeout(timer);
    session.destroy();
  }
}

const FRAME_HEAD = 5;

async function gzipBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
}
