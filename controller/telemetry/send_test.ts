/**
 * What is sent, held against bytes that OpenTelemetry's own library for Go made of the same requests (`testdata/made_by_go.json`),
 * and taken by a server of gRPC that shares no line with the sender.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { requestBytes } from "./otlp_messages.ts";
import { type Sending, sendTo } from "./send.ts";
import { telemetryTargets } from "./targets.ts";

interface Made extends Sending {
  readonly hex: string;
}

const MADE: readonly Made[] = JSON.parse(await Deno.readTextFile(new URL("testdata/made_by_go.json", import.meta.url)));

for (const { signal, json, hex } of MADE) {
  Deno.test(`a request of ${signal} has the bytes that OpenTelemetry's own library gives it`, () => {
    assertEquals(requestBytes(signal, json).toHex(), hex);
  });
}

function targetOf(signal: Sending["signal"], variables: Record<string, string>) {
  const target = telemetryTargets((name) => variables[name])[signal];
  if (!target) throw new Error("no target");
  return target;
}

/** A call that a collector got. */
interface Call {
  readonly method: string;
  readonly hex: string;
  readonly key: unknown;
}

/** A collector of gRPC: it takes what comes, or refuses it. */
async function collector(calls: Call[], refusal?: { readonly code: status; readonly details: string }) {
  const server = new Server();
  const path = (signal: string) => {
    const service = signal === "metrics" ? "metrics.v1.MetricsService" : "trace.v1.TraceService";
    return `/opentelemetry.proto.collector.${service}/Export`;
  };
  for (const signal of ["metrics", "traces"]) {
    const bytes = (value: unknown) => value as Buffer;
    const method = {
      path: path(signal),
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: (value: Buffer) => value,
      responseSerialize: bytes,
      responseDeserialize: (value: Buffer) => value,
    };
    server.addService({ export: method }, {
      export(call: { request: Buffer; metadata: { get(name: string): unknown[] } }, done: Answer) {
        const [key] = call.metadata.get("api-key");
        calls.push({ method: method.path, hex: new Uint8Array(call.request).toHex(), key });
        done(refusal ?? null, Buffer.alloc(0));
      },
    });
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      "127.0.0.1:0",
      ServerCredentials.createInsecure(),
      (error, bound) => error ? reject(error) : resolve(bound),
    )
  );
  return { url: `http://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

type Answer = (error: { readonly code: status; readonly details: string } | null, value: Buffer) => void;

Deno.test("a collector of gRPC gets metrics and traces at its methods, with the headers, compressed or not", async () => {
  const calls: Call[] = [];
  const { url, close } = await collector(calls);
  for (const [at, made] of MADE.entries()) {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: "Api-Key=k",
      ...(at % 2 === 0 && { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" }),
    };
    await sendTo(targetOf(made.signal, variables), made);
  }
  close();
  assertEquals(calls.map(({ hex, key }) => [hex, key]), MADE.map(({ hex }) => [hex, "k"]));
  assertEquals(
    calls.map(({ method }) => method.split("/")[1]?.split(".")[3]),
    MADE.map(({ signal }) => signal === "metrics" ? "metrics" : "trace"),
  );
});

Deno.test("a refusal of gRPC is told by its status, and none by words that may repeat what was sent", async () => {
  const { url, close } = await collector([], { code: status.UNAUTHENTICATED, details: "no such key: k" });
  const target = targetOf("metrics", { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" });
  const { message } = await assertRejects(() => sendTo(target, MADE[0]!), Error);
  assertEquals(message, "it answered the status 16 of gRPC");
  close();
  await assertRejects(() => sendTo(target, MADE[0]!), Error);
});

Deno.test("over HTTP the same bytes are sent, compressed where the environment asks for that", async () => {
  const got: [string, string | null, string][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const isZipped = request.headers.get("content-encoding") === "gzip";
    const body = isZipped ? request.body!.pipeThrough(new DecompressionStream("gzip")) : request.body!;
    const { pathname } = new URL(request.url);
    got.push([pathname, request.headers.get("content-type"), (await new Response(body).bytes()).toHex()]);
    return new Response(null);
  });
  const [made] = MADE;
  for (const compression of ["none", "gzip"]) {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    };
    await sendTo(targetOf(made!.signal, variables), made!);
  }
  await server.shutdown();
  const expected: [string, string, string] = [`/v1/${made!.signal}`, "application/x-protobuf", made!.hex];
  assertEquals(got, [expected, expected]);
});

Deno.test("a key in the query of an address is in no error: neither of a refused connection nor of a redirection", async () => {
  const nobody = freePort();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.redirect(`http://127.0.0.1:${nobody}/other?api-key=key-of-another`, 307),
  );
  for (const port of [nobody, server.addr.port]) {
    const target = targetOf("traces", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces?api-key=key-(of)-ours`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    const { message } = await assertRejects(() => sendTo(target, { signal: "traces", json: {} }), Error, "127.0.0.1");
    assertEquals(/api-key|key-|ours|another/.exec(message), null, message);
  }
  await server.shutdown();
});

Deno.test("a header that cannot be sent is refused without its value", async () => {
  const target = targetOf("traces", {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:1/v1/traces",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=of%0Aours",
  });
  const { message } = await assertRejects(() => sendTo(target, { signal: "traces", json: {} }), Error, "OTLP_HEADERS");
  assertEquals(message.includes("ours"), false, message);
});

/** A port that nobody listens at. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
