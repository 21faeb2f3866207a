/**
 * The transport: how requests reach an API server. Code above this file is the same in a cluster, on a laptop and in a
 * test.
 */

import { trimCharacters } from "@tiphys/base/go/text";
import type { Credentials, CredentialSource, TlsMaterial } from "./credentials.ts";
import { KubeError } from "./errors.ts";
import { Connections, type TransportResponse } from "./http/mod.ts";
import { abortableFetch } from "@tiphys/base/net/abortable_fetch";
import { proxyFor } from "@tiphys/base/net/proxy";

/** The part of a WebSocket that exec uses. */
export interface WebSocketLike {
  binaryType: string;
  readonly protocol: string;
  /** Number of bytes that are queued for sending. Undefined for sockets within this process. */
  readonly bufferedAmount?: number;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onerror: ((event: Event) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

/** One API server, authenticated. `path` begins with a slash and includes the query. */
export interface Transport {
  /**
   * Returns the server's response.
   * @throws {KubeError} with status 0 when there is no response.
   */
  fetch(path: string, init?: RequestInit): Promise<TransportResponse>;
  /** Opens a socket; the caller waits for its `open` or `error`. */
  webSocket(path: string, protocols: string[]): Promise<WebSocketLike>;
  /** Closes pooled connections. */
  close(): void;
}

/** The user to impersonate. The credentials need the right to do so. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string | undefined;
}

/** Returns the impersonation headers, one for each group, because a group name may contain a comma. */
function impersonationHeaders({ user, groups = [], uid }: Impersonation): [name: string, value: string][] {
  return [
    ["impersonate-user", user],
    ...groups.map((group): [string, string] => ["impersonate-group", group]),
    ...(uid === undefined ? [] : [["impersonate-uid", uid] as [string, string]]),
  ];
}

/** The connection to one server. */
export interface HttpTransportOptions {
  /** `https://host:port`, optionally with a path before `/api`. */
  readonly server: string;
  /** Called before every request, and once more after a 401. */
  readonly credentials?: CredentialSource;
  readonly proxy?: string;
  /** The user to impersonate. That user's rights apply, not those of the credentials. */
  readonly actAs?: Impersonation | undefined;
  /** Whether a request that was rejected with 401 is retried with new credentials. Defaults to true. */
  readonly retriesUnauthorized?: boolean;
}

/**
 * Returns the transport over the network. Direct connections use our own HTTP client, which takes a third of the CPU
 * time of `fetch`. `fetch` is used for proxies, for URLs with a password, and for redirects.
 *
 * Deno's `fetch` silently repeats a request when a reused connection dies before the response, including POST and
 * PATCH, and a repeated replace conflicts with itself. It can repeat only bodies that it can copy, so every body is
 * sent as a stream.
 *
 * Uses HTTP/1.1, because Deno leaves Nagle's algorithm on. On the single connection of HTTP/2, some small frame is
 * nearly always unacknowledged (a watch's window update), and a body then waits for the server's delayed
 * acknowledgement: every other write took 45 ms instead of 4. A connection with one request at a time has no
 * unacknowledged data.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const server = trimCharacters(options.server, "/", "right");
  const credentials = options.credentials ?? (() => Promise.resolve<Credentials>({}));
  const direct = ownConnections(server, options.proxy);
  let client: Deno.HttpClient | undefined;
  let clientTls: TlsMaterial | undefined;

  /** Returns the connection pool of `fetch`, which is replaced when the certificates change. */
  function clientFor(tls: TlsMaterial | undefined): Deno.HttpClient {
    if (tls?.serverName !== undefined) {
      throw new Error(
        "tls-server-name is not supported with a proxy, a redirect or a WebSocket: use that name as the server's host",
      );
    }
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

  async function send(path: string, init: RequestInit, rejected: boolean): Promise<TransportResponse> {
    const { headers, tls } = await credentials(rejected);
    const lines = requestHeaders(init.headers, headers, options.actAs);
    try {
      const method = init.method ?? "GET";
      if (direct && isText(init.body)) {
        const target = direct.path + path;
        const { signal, body } = init;
        const answer = await direct.connections.send({
          method,
          target: PLAIN_PATH.test(target) ? target : normalizePath(server, path),
          headers: method === "GET" && !isWatch(path) ? [...lines, ["accept-encoding", "gzip"]] : lines,
          body,
          tls,
          signal,
        });
        const goesOn = answer.status >= 300 && answer.status < 400 && answer.headers.get("location") !== null;
        if (!goesOn || method !== "GET") return answer;
        await answer.body?.cancel();
      }
      const body = typeof init.body === "string" ? streamOf(init.body) : init.body;
      const asked = { ...init, body, headers: lines, client: clientFor(tls) } as RequestInit;
      return await abortableFetch(server + path, asked);
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw unreachableError(init.method ?? "GET", server + path, error);
    }
  }

  return {
    async fetch(path, init = {}) {
      const response = await send(path, init, false);
      if (response.status !== 401 || options.retriesUnauthorized === false) return response;
      await response.body?.cancel();
      return await send(path, init, true);
    },
    async webSocket(path, protocols) {
      const { headers, tls } = await credentials(false);
      const url = (server + path).replace(/^http/, "ws");
      const lines = [...Object.entries(headers ?? {}), ...(options.actAs ? impersonationHeaders(options.actAs) : [])];
      return new WebSocket(url, { protocols, headers: lines, client: clientFor(tls) });
    },
    close() {
      direct?.connections.close();
      client?.close();
      client = undefined;
    },
  };
}

/** Matches a path and query that need no normalization: no characters to escape and no dot segments. */
const PLAIN_PATH = /^(?!.*\/\.{1,2}(?:[/?]|$))\/[!-"$-~]*$/;

/** Returns the path and query in normalized form. */
function normalizePath(server: string, path: string): string {
  const { pathname, search } = new URL(server + path);
  return pathname + search;
}

/** Whether the response is a stream of events, which must not be compressed, because compression delays events. */
function isWatch(path: string): boolean {
  return /[?&](watch|follow)=/.test(path);
}

function isText(body: unknown): body is string | undefined {
  return body === undefined || typeof body === "string";
}

/** Returns our own connections to a server, and the path before `/api`; undefined if `fetch` must be used. */
function ownConnections(server: string, proxy: string | undefined) {
  if (proxy !== undefined || !URL.canParse(server)) return undefined;
  const url = new URL(server);
  if (url.username !== "" || (url.protocol !== "http:" && url.protocol !== "https:") || url.search !== "") {
    return undefined;
  }
  if (isBehindProxy(url)) return undefined;
  return { connections: new Connections(url), path: url.pathname === "/" ? "" : url.pathname };
}

/** Whether the environment configures a proxy for the URL. */
function isBehindProxy(url: URL): boolean {
  const env = (name: string) => Deno.env.get(name);
  if (env("ALL_PROXY") || env("all_proxy")) return true;
  try {
    return proxyFor(url, env) !== undefined;
  } catch {
    return true;
  }
}

/** Returns the headers of a request. Headers of the credentials take precedence. */
function requestHeaders(
  own: HeadersInit | undefined,
  credentials: Readonly<Record<string, string>> | undefined,
  actAs: Impersonation | undefined,
): [name: string, value: string][] {
  const given = credentials ?? {};
  const lines: [string, string][] = own === undefined
    ? []
    : own instanceof Headers || Array.isArray(own)
    ? [...new Headers(own)]
    : Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]);
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const all = lines.filter(([name]) => !names.has(name));
  for (const [name, value] of Object.entries(given)) all.push([name.toLowerCase(), value]);
  if (actAs) all.push(...impersonationHeaders(actAs));
  return all;
}

/**
 * Returns the same server for another user, whose `authorization` header is added to every request. The underlying
 * transport must have no credentials.
 */
export function withAuthorization(transport: Transport, authorization: string): Transport {
  return {
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("authorization", authorization);
      return transport.fetch(path, { ...init, headers });
    },
    webSocket() {
      return Promise.reject(new TypeError("WebSockets do not support impersonation"));
    },
    // The underlying transport is shared by all callers.
    close() {},
  };
}

/** Returns a stream of one text. An iterator-based stream would take a tenth of the request's time. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(stream) {
      stream.enqueue(encoder.encode(text));
      stream.close();
    },
  });
}

const encoder = new TextEncoder();

/**
 * Returns the error for a request without a response. Shows only the URL's origin and path, because it may contain
 * secrets.
 */
function unreachableError(method: string, url: string, cause: unknown): KubeError {
  const { origin, pathname } = new URL(url);
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const what = `Could not ${method} ${origin}${pathname}`;
  return new KubeError(`${what}: ${networkProblem(innermost, url)}`, { status: 0, reason: "NetworkError" });
}

function networkProblem(error: unknown, url: string): string {
  if (error instanceof Deno.errors.UnexpectedEof) return "the server closed the connection";
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(` for url (${new URL(url)})`, "").split(" for url (", 1)[0]!;
}
