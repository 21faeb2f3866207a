/** Requests to an Argo server over HTTP: JSON in both directions, and streams of JSON. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import * as z from "zod";
import { KubeError } from "@tiphys/kube";
import { inTime } from "@tiphys/kube/connections";
import { type Bytes, type Net, NetError, type TlsOptions } from "@tiphys/base/net";

/** A response of a server. */
export interface ServerResponse {
  readonly status: number;
  readonly headers?: Headers | undefined;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** One request. The path begins with a slash and includes the query. */
export interface ServerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request.
 * @throws {KubeError} with status 0 when there is no response.
 */
export type SendToServer = (request: ServerRequest) => Promise<ServerResponse>;

/** The server and the credentials for it. */
export interface ServerAddress {
  /** `https://host:port`, optionally with a path before `/api`. */
  readonly url: string;
  /** The value of the `authorization` header. */
  readonly authorization?: string | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Timeout in milliseconds until a response begins. */
  readonly requestMillis?: number | undefined;
}

/** Returns a function that sends requests over a network. */
export function sendOverNet(net: Net, address: ServerAddress): SendToServer {
  const { requestMillis } = address;
  const send = sendWithoutTimeout(net, address);
  if (requestMillis === undefined) return send;
  return async (request) => await inTime(requestMillis, request.signal, (signal) => send({ ...request, signal }));
}

function sendWithoutTimeout(net: Net, { url, authorization, headers, tls }: ServerAddress): SendToServer {
  const base = url.replace(/\/$/, "");
  return async ({ method, path, headers: own, body, signal }) => {
    try {
      return await net.send({
        method,
        url: new URL(base + path),
        headers: { ...headers, ...own, ...(authorization ? { authorization } : {}) },
        ...(body === undefined ? {} : { body: new TextEncoder().encode(body) as Bytes }),
        ...(tls ? { tls } : {}),
        stop: signal ?? new AbortController().signal,
      });
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      throw new KubeError(error.message, { status: 0, reason: "NetworkError", cause: error });
    }
  };
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query, body and signal of a request. */
export interface RequestParts {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum bytes of a JSON response, and of one line. */
const MAX_RESPONSE_BYTES = 512 << 20;
const MAX_LINE_BYTES = 128 << 20;

/** One message of a stream. */
const StreamMessage = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ http_code: z.number().nullish(), message: z.string().nullish() }).nullish(),
});

/** Error for a response that cannot be parsed. Perhaps the server is not an Argo server. */
export class UnreadableResponseError extends KubeError {
  constructor(path: string, reason: string) {
    super(`the server's answer for ${path} cannot be read: ${reason}`, { status: 501, reason: "Unreadable" });
  }
}

/**
 * Sends a request for a JSON value of a shape.
 * @throws {KubeError} with the server's message.
 * @throws {UnreadableResponseError} for a response of another shape.
 */
export async function requestServer<T>(
  send: SendToServer,
  method: string,
  path: string,
  shape: z.ZodType<T>,
  parts: RequestParts = {},
): Promise<T> {
  const { status, body } = await send(requestOf(method, path, parts, "application/json"));
  const text = await textOf(body);
  if (status < 200 || status > 299) throw serverError(status, text);
  return parseAs(shape, parseJson(path, text), path);
}

/** Parses the value of a JSON text. */
function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const begin = text.trim().slice(0, 100);
    throw new UnreadableResponseError(path, begin === "" ? "it is empty" : `it is not JSON: ${JSON.stringify(begin)}`);
  }
}

function parseAs<T>(shape: z.ZodType<T>, answer: unknown, path: string): T {
  const { success, data, error } = shape.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  throw new UnreadableResponseError(path, [issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
}

/**
 * Sends a request for a stream, whose items are the `result` of each message.
 * @throws {KubeError} with the server's message, also after some items.
 */
export async function* streamOfServer<T>(
  send: SendToServer,
  path: string,
  shape: z.ZodType<T>,
  parts: RequestParts,
): AsyncGenerator<T> {
  const { status, body } = await send(requestOf("GET", path, parts, "text/event-stream"));
  if (status < 200 || status > 299) throw serverError(status, (await textOf(body)).replace(/^data: /, ""));
  for await (const line of linesOf(body)) {
    // A line of at most six bytes is a keep-alive.
    if (line.length <= 6) continue;
    const { result, error } = parseAs(StreamMessage, parseJson(path, line.replace(/^data: /, "")), path);
    if (error) throw new KubeError(error.message ?? "", { status: error.http_code ?? 500, reason: "" });
    if (result !== undefined) yield parseAs(shape, result, path);
  }
}

function requestOf(
  method: string,
  path: string,
  { query = {}, body, signal }: RequestParts,
  accept: string,
): ServerRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "" && value !== false);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const json = body === undefined ? undefined : JSON.stringify(body);
  return {
    method,
    path: search ? `${path}?${search}` : path,
    headers: { accept, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    body: json,
    signal,
  };
}

/** Returns the error of a server: `{"code": 5, "message": "…"}` or, in a stream, below `error`. */
function serverError(status: number, text: string): KubeError {
  const message = messageOf(text) ?? `the server answered ${status}: ${text.trim().slice(0, 500)}`;
  const reason = status === 409 && message.includes("already exists") ? "AlreadyExists" : "";
  return new KubeError(message, { status, reason });
}

function messageOf(text: string): string | undefined {
  const body = fieldsOfJson(text);
  return textIn(body, "message") ?? textIn(fieldsOf(body.error), "message");
}

async function textOf(body: ServerResponse["body"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE_BYTES) throw tooLargeError();
  }
  return text + decoder.decode();
}

async function* linesOf(body: ServerResponse["body"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_BYTES) throw tooLargeError();
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function tooLargeError(): KubeError {
  return new KubeError("the server's response exceeds the client's limit", { status: 413, reason: "" });
}
