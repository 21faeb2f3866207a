/**
 * The transport: how requests reach an API server. Everything above this file is the same in a cluster, on a laptop and
 * in a test.
 */

import { trimCharacters } from "../go/text.ts";
import type { Credentials, CredentialSource, TlsMaterial } from "./credentials.ts";
import { KubeError } from "./errors.ts";

/** The part of a WebSocket that exec needs; a real one fits. */
export interface WebSocketLike {
  binaryType: string;
  readonly protocol: string;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onerror: ((event: Event) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

/** One API server, authenticated. `path` begins with a slash and carries its query. */
export interface Transport {
  /** Answers whatever the server answers; throws KubeError with status 0 when no answer came. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Opens a socket; the caller waits for its `open` or `error`. */
  webSocket(path: string, protocols: string[]): Promise<WebSocketLike>;
  /** Lets go of pooled connections. */
  close(): void;
}

/** Somebody in whose name is asked; the credentials must have the right to. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string | undefined;
}

/** The lines of the header that say so: one for each group, as a comma may stand in a name. */
function linesOf({ user, groups = [], uid }: Impersonation): [name: string, value: string][] {
  return [
    ["impersonate-user", user],
    ...groups.map((group): [string, string] => ["impersonate-group", group]),
    ...(uid === undefined ? [] : [["impersonate-uid", uid] as [string, string]]),
  ];
}

/** The way to one server. */
export interface HttpTransportOptions {
  /** `https://host:port`, perhaps with a path before `/api`. */
  readonly server: string;
  /** Asked before every request, and once more after a 401. */
  readonly credentials?: CredentialSource;
  readonly proxy?: string;
  /** The user in whose name requests are made; the rights of that user count, not those of the credentials. */
  readonly actAs?: Impersonation | undefined;
  /** Whether a request that was answered with 401 is made again with newer credentials: true when absent. */
  readonly asksAgain?: boolean;
}

/**
 * The transport over the network.
 *
 * Deno's `fetch` silently repeats a request once when a reused connection dies before the answer, POST and PATCH too,
 * and a repeated replace reports a conflict with itself. It can only repeat a body it can copy: so every body goes out
 * as a stream. That keeps one pool for everything, where a second pool without idle connections would pay a handshake
 * per write (measured against a real API server, 16 at a time: 0.36 ms a create with streams, 1.06 ms without a pool).
 *
 * HTTP/1.1, because Deno leaves Nagle's algorithm on. On the one connection of HTTP/2 some small frame is nearly always
 * unanswered (a watch's window update), and then a body waits for the server's delayed acknowledgement: every other
 * write took 45 ms instead of 4. A connection that carries one request at a time has nothing unanswered.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const server = trimCharacters(options.server, "/", "right");
  const credentials = options.credentials ?? (() => Promise.resolve<Credentials>({}));
  let client: Deno.HttpClient | undefined;
  let clientTls: TlsMaterial | undefined;

  /** One pool of connections, made anew when the certificates change. */
  function clientFor(tls: TlsMaterial | undefined): Deno.HttpClient {
    if (client && (tls === clientTls || JSON.stringify(tls) === JSON.stringify(clientTls))) return client;
    client?.close();
    clientTls = tls;
    client = Deno.createHttpClient({
      http2: false,
      ...(tls?.caCerts && { caCerts: tls.caCerts }),
      ...(tls?.cert && tls.key && { cert: tls.cert, key: tls.key }),
      ...(options.proxy && { proxy: { url: options.proxy } }),
    });
    return client;
  }

  async function send(path: string, init: RequestInit, rejected: boolean): Promise<Response> {
    const { headers, tls } = await credentials(rejected);
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value);
    const body = typeof init.body === "string" ? streamOf(init.body) : init.body;
    const lines = options.actAs ? [...all, ...linesOf(options.actAs)] : all;
    try {
      return await fetch(server + path, { ...init, body, headers: lines, client: clientFor(tls) } as RequestInit);
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw unreachable(init.method ?? "GET", server + path, error);
    }
  }

  return {
    async fetch(path, init = {}) {
      const response = await send(path, init, false);
      if (response.status !== 401 || options.asksAgain === false) return response;
      await response.body?.cancel();
      return await send(path, init, true);
    },
    async webSocket(path, protocols) {
      const { headers, tls } = await credentials(false);
      const url = (server + path).replace(/^http/, "ws");
      const lines = [...Object.entries(headers ?? {}), ...(options.actAs ? linesOf(options.actAs) : [])];
      return new WebSocket(url, { protocols, headers: lines, client: clientFor(tls) });
    },
    close() {
      client?.close();
      client = undefined;
    },
  };
}

/**
 * The same server for somebody else, whose `authorization` header every request carries: nothing of the credentials of the
 * transport below may go along, so that has none.
 */
export function withAuthorization(transport: Transport, authorization: string): Transport {
  return {
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("authorization", authorization);
      return transport.fetch(path, { ...init, headers });
    },
    webSocket() {
      return Promise.reject(new TypeError("No WebSocket is opened for somebody else"));
    },
    // The transport below is that of all callers.
    close() {},
  };
}

/** A stream that holds all there is from the beginning: an iterator behind it would cost a tenth of the request. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(stream) {
      stream.enqueue(encoder.encode(text));
      stream.close();
    },
  });
}

const encoder = new TextEncoder();

/** The error for a request without an answer. A URL may carry secrets: only its origin and path are shown. */
function unreachable(method: string, url: string, cause: unknown): KubeError {
  const { origin, pathname } = new URL(url);
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const text = innermost instanceof Error ? innermost.message : String(innermost);
  const why = text.replace(` for url (${new URL(url)})`, "").split(" for url (", 1)[0];
  return new KubeError(`Could not ${method} ${origin}${pathname}: ${why}`, { status: 0, reason: "NetworkError" });
}
