/** Execution of an http template: the request, and the node result that its response leads to. */
import type { HTTP, NodeResult } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { LIMITS } from "@tiphys/base/limits";
import type { Bytes, HttpResponse, Net, TlsOptions } from "@tiphys/base/net";
import { evaluatePlainCondition } from "@tiphys/language/template";

/** The network for requests, with access to Secrets and certificate authorities. */
export interface HttpEnvironment {
  readonly net: Net;
  readonly clock: Clock;
  /** Reads a key of a Secret in the workflow's namespace. @throws {Error} when it cannot be read. */
  secret(name: string, key: string): Promise<string>;
  /** Certificates of authorities to trust, PEM; undefined means the system's. */
  readonly caCerts?: readonly string[] | undefined;
}

/** A header of a request, and whether its value is a secret. */
type Header = readonly [name: string, value: string, isSecret?: boolean];

/** The maximum number of redirects, the same as Go's. */
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends the request of a template and returns the node result of its response. Transport errors and timeouts throw with
 * the text of Go's client.
 */
export async function doHttp(world: HttpEnvironment, http: HTTP, stop: AbortSignal): Promise<NodeResult> {
  const method = http.method || "GET";
  const body = bodyOf(http);
  const shown = headersOf(http.headers?.filter(({ valueFrom }) => !valueFrom) ?? []);
  const headers: Header[] = [];
  for (const { name, value = "", valueFrom } of http.headers ?? []) {
    const ref = valueFrom?.secretKeyRef;
    headers.push(ref ? [name, await world.secret(ref.name ?? "", ref.key), true] : [name, value]);
  }
  const timeout = new AbortController();
  const seconds = Number(http.timeoutSeconds ?? 0);
  const takeBack = seconds > 0 ? world.clock.after(seconds * 1000, () => timeout.abort(TIMED_OUT)) : () => {};
  const signal = AbortSignal.any([stop, timeout.signal]);
  try {
    const response = await sendFollowingRedirects(world, { method, url: http.url, headers, body, signal, http });
    const text = await readText(response);
    const answer = { status: response.status, headers: groupedHeaders([...response.headers]), body: text };
    const request = { method, url: http.url, body: new TextDecoder().decode(body), headers: shown };
    // The byte array is large, so it is built only for a condition that uses it.
    const bodyBytes = http.successCondition?.includes("bodyBytes") ? [...body].map(BigInt) : [];
    return evaluateSuccess(http.successCondition, { ...request, bodyBytes }, answer);
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof TooLargeError) throw error;
    const reason = timeout.signal.aborted ? TIMED_OUT : error;
    throw new Error(`${titleCase(method)} ${JSON.stringify(http.url)}: ${(reason as Error).message}`, { cause: error });
  } finally {
    takeBack();
  }
}

/** The error of a request that timed out, in Go's words. */
const TIMED_OUT = new Error("context deadline exceeded (Client.Timeout exceeded while awaiting headers)");

interface RequestOptions {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Bytes;
  readonly signal: AbortSignal;
  readonly http: HTTP;
}

async function sendFollowingRedirects(world: HttpEnvironment, order: RequestOptions): Promise<HttpResponse> {
  const { signal, http } = order;
  const tls: TlsOptions | undefined = http.insecureSkipVerify
    ? { insecureSkipVerify: true }
    : world.caCerts && { caCerts: world.caCerts };
  let url = new URL(order.url);
  let { method, body } = order;
  let headers = order.headers;
  let host = headers.find(([name]) => name.toLowerCase() === "host")?.[1];
  for (let followed = 0;; followed++) {
    const hasBody = body.length > 0;
    const response = await world.net.send({
      method,
      url,
      headerList: headers.flatMap(([name, value]) => name.toLowerCase() === "host" ? [] : [[name, value]]),
      host,
      ...(hasBody && { body }),
      tls,
      stop: signal,
    });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (!location) return response;
    await response.discard();
    if (followed === MAX_REDIRECTS - 1) throw new Error(`stopped after ${MAX_REDIRECTS} redirects`);
    const next = new URL(location, url);
    // Credentials are sent only to the server that they were written for: not to another host after a redirect, and not
    // over plain HTTP after HTTPS.
    const isElsewhere = next.hostname !== url.hostname && !next.hostname.endsWith(`.${url.hostname}`);
    if (isElsewhere || url.protocol === "https:" && next.protocol === "http:") {
      headers = headers.filter(([name, , isSecret]) => !isSecret && !PROOFS.has(name.toLowerCase()));
    }
    if (next.host !== url.host) host = undefined;
    if (response.status !== 307 && response.status !== 308) {
      if (method !== "HEAD") method = "GET";
      body = new Uint8Array();
      headers = headers.filter(([name]) => !/^content-/i.test(name));
    }
    url = next;
  }
}

const PROOFS: ReadonlySet<string> = new Set(["authorization", "www-authenticate", "cookie", "cookie2"]);

/** @throws {Error} for a body that is not valid Base64. */
function bodyOf({ body, bodyFrom }: HTTP): Bytes {
  if (bodyFrom) return bodyFrom.bytes ? Uint8Array.fromBase64(bodyFrom.bytes) : new Uint8Array();
  return new TextEncoder().encode(body ?? "");
}

/** @throws {Error} for a body above the size limit. */
async function readText(response: HttpResponse): Promise<string> {
  const parts: Bytes[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > LIMITS.responseBytes) throw new TooLargeError();
    parts.push(part);
  }
  return await new Blob(parts).text();
}

class TooLargeError extends Error {
  constructor() {
    super(`response body is larger than ${LIMITS.responseBytes} bytes`);
  }
}

interface BufferedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

function evaluateSuccess(
  condition: string | undefined,
  request: object,
  { status, headers, body }: BufferedResponse,
): NodeResult {
  const outputs = { result: body };
  if (!condition) {
    if (status >= 200 && status < 300) return { phase: "Succeeded", outputs };
    return { phase: "Failed", message: `received non-2xx response code: ${status}`, outputs };
  }
  try {
    const response = { statusCode: BigInt(status), body, headers };
    if (evaluatePlainCondition(condition, { request, response })) return { phase: "Succeeded", outputs };
    return { phase: "Failed", message: `successCondition '${condition}' evaluated false`, outputs };
  } catch (error) {
    return { phase: "Failed", message: (error as Error).message, outputs };
  }
}

function headersOf(headers: readonly { readonly name: string; readonly value?: string | undefined }[]) {
  return groupedHeaders(headers.map(({ name, value = "" }) => [name, value]));
}

/** Groups header values by name. Names are spelled as Go spells them: `Content-Type`. */
function groupedHeaders(headers: readonly Header[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    (grouped[name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())] ??= []).push(value);
  }
  return grouped;
}

/** The method as Go's errors print it: `Get`. */
function titleCase(method: string): string {
  return method.slice(0, 1).toUpperCase() + method.slice(1).toLowerCase();
}
