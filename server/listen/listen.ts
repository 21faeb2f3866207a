/**
 * One port for HTTP/1.1, HTTP/2 with and without TLS, and gRPC, which is HTTP/2 with trailers. `Deno.serve` cannot send
 * trailers, so this uses Node's servers. The handler is a function from a request to a response.
 */
import type { EventEmitter } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2Session,
} from "node:http2";
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Handler } from "../wire/peer.ts";
import { allowedConnections } from "@tiphys/base/net";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { bodyOf, CLIENT_LEFT } from "./body.ts";
import { oneAtATime } from "./one_at_a_time.ts";
import { keepAccepting, type ProbedPort } from "./keep_accepting.ts";
import { requestUrl } from "./request_url.ts";
import type { Timers } from "./client_wait.ts";
import { type AnyResponse, send } from "./send.ts";
import { closeWhenIdle } from "./close_when_idle.ts";

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The address, certificate and handler of a server. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Without it, the port uses plain text. */
  readonly tls?: Certificate & { readonly minVersion?: "TLSv1.2" | "TLSv1.3" } | undefined;
  readonly handler: Handler;
  /** Receives connection errors, which are not errors of the server. */
  readonly onError?: (error: unknown) => void;
  /** The time limit for the head of a request and for a handshake, for tests. */
  readonly headerMillis?: number;
  /** The idle timeout of a connection, for tests. */
  readonly restMillis?: number;
  /** The timeout for a client that sends nothing of a body or reads nothing of a response, for tests. */
  readonly stallMillis?: number;
  /** The timers for clients that do not read, for tests. */
  readonly timers?: Timers;
  /** The timers for idle sessions, for tests. */
  readonly restTimers?: Timers;
  /** The maximum number of connections, for tests. */
  readonly mostConnections?: number;
  /** The interval and timeout of probes of the port, for tests. */
  readonly tries?: Pick<ProbedPort, "tryMillis" | "arrivalMillis">;
}

/** An open port. */
export interface Listening {
  readonly port: number;
  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void;
  /** Accepts no more connections, waits for open requests up to `graceMillis`, then closes them. */
  close(graceMillis?: number): Promise<void>;
}

type AnyRequest = IncomingMessage | Http2ServerRequest;

const HEADER_MILLIS = 10_000;
/**
 * The idle timeout of a connection. It is longer than clients keep connections, so that no request arrives while it
 * closes.
 */
const REST_MILLIS = 120_000;
/** The maximum number of connections; further ones are closed. (Node's own limit, in Deno, stops accepting forever.) */
const MAX_CONNECTIONS = 4_096;
/** The maximum number of headers, as in Node's HTTP/2. Parsing takes time quadratic in their number. */
const MAX_HEADERS = 128;
/**
 * The maximum size of a request's header names and values. Node's HTTP/1.1 also counts the path; its HTTP/2 allows four
 * times as many.
 */
const MAX_HEADER_BYTES = 16 << 10;
/** The maximum number of concurrent requests of a connection. */
const SETTINGS = { maxConcurrentStreams: 1_000 };

/** Opens a port. Resolves when it accepts connections. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { tls, hostname, port, onError = () => {} } = options;
  const { headerMillis = HEADER_MILLIS, restMillis = REST_MILLIS } = options;
  const mostConnections = options.mostConnections ?? allowedConnections(MAX_CONNECTIONS, 1);
  const begin = (request: AnyRequest, response: AnyResponse) => {
    serve(options, request, response, tls ? "https" : "http").catch(onError);
  };
  const beginInTurn = oneAtATime(begin);
  const answer = (request: AnyRequest, response: AnyResponse) => {
    if (request.httpVersionMajor >= 2) return begin(request, response);
    beginInTurn(request as IncomingMessage, response as ServerResponse);
  };
  const sockets = new Set<Socket>();
  const { server, http1, http2, renew, end: endHttp1 = () => {} } = tls
    ? tlsServer(tls, answer, headerMillis)
    : plainServer(answer, headerMillis, onError);
  Object.assign(http1, { headersTimeout: headerMillis, connectionsCheckingInterval: headerMillis / 2 });
  // Node silently drops headers above this limit, so one more than allowed suffices to detect too many.
  http1.maxHeadersCount = MAX_HEADERS + 1;
  http1.requestTimeout = 0;
  http1.keepAliveTimeout = restMillis;
  const sessions = new Set<Http2Session>();
  http2.on("session", (session: Http2Session) => {
    deferSessionEnd(session);
    sessions.add(session);
    // A client starts with a SETTINGS frame.
    const slow = setTimeout(() => session.destroy(), headerMillis);
    session.once("remoteSettings", () => clearTimeout(slow));
    const lookNoMore = closeWhenIdle(session, restMillis, options.restTimers);
    session.once("close", () => {
      clearTimeout(slow);
      lookNoMore();
      sessions.delete(session);
    });
  });
  http2.on("sessionError", () => {});
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (sockets.size > mostConnections) socket.destroy();
  });
  // Without it, the second piece of a response would wait for the acknowledgment of the first (Nagle's algorithm).
  server.on("secureConnection", (socket: Socket) => socket.setNoDelay(true));
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: Error & { readonly code?: string }) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(new Deno.errors.AddrInUse(`Another program listens on port ${port}`, { cause: error }));
    });
    server.listen(port, hostname, () => resolve());
  });
  const address = server.address() as { port: number };
  // If the port cannot be reopened now, the next probe retries.
  server.on("error", () => {});
  const leaveAlone = keepAccepting({ server, hostname, port: address.port, ...options.tries });
  return {
    port: address.port,
    renew,
    async close(graceMillis = 0) {
      leaveAlone();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endHttp1();
      // Idle connections close now, the others after their responses.
      http1.closeIdleConnections();
      sessions.forEach((session) => session.close());
      const end = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMillis);
      if (graceMillis === 0) sockets.forEach((socket) => socket.destroy());
      await closed;
      clearTimeout(end);
    },
  };
}

type Answer = (request: AnyRequest, response: AnyResponse) => void;

/** The server that owns the port, and the servers for each protocol. */
interface Servers {
  readonly server: TcpServer;
  readonly http1: Server;
  readonly http2: EventEmitter;
  readonly renew: (certificate: Certificate) => void;
  /** Stops the check for slow HTTP/1.1 connections, if that is separate from the server. */
  readonly end?: () => void;
}

/** A TLS server, which negotiates the protocol with ALPN. */
function tlsServer(tls: NonNullable<ListenOptions["tls"]>, answer: Answer, headerMillis: number): Servers {
  const options = {
    ...tls,
    settings: SETTINGS,
    allowHTTP1: true,
    handshakeTimeout: headerMillis,
    ALPNProtocols: ["h2", "http/1.1"],
  };
  const server = createSecureServer(options as never, answer as never);
  // Plain HTTP begins with a letter, TLS does not.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    // Handles a reset before the protocol is known.
    socket.on("error", () => socket.destroy());
    afterFirstBytes(socket, 1, headerMillis, ([first = 0]) => {
      if (isLetter(first)) return answerPlainHttp(socket, headerMillis);
      for (const listener of listeners) listener.call(server, socket);
    });
  });
  const minVersion = tls.minVersion === undefined ? {} : { minVersion: tls.minVersion };
  const renew = ({ cert, key }: Certificate) => server.setSecureContext({ cert, key, ...minVersion });
  // deno-lint-ignore tiphys/no-double-cast -- it has the settings of HTTP/1.1, too, which its type does not know
  return { server, http1: server as unknown as Server, http2: server, renew };
}

/** A plain text server, which detects the protocol from the first bytes of a connection. */
function plainServer(answer: Answer, headerMillis: number, onError: (error: unknown) => void): Servers {
  const http1 = createHttpServer(
    { maxHeaderSize: MAX_HEADER_BYTES } as never,
    answer,
  );
  const http2 = createHttp2Server({ settings: SETTINGS } as never, answer as never);
  const front = createTcpServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", onError);
    afterFirstBytes(socket, PREFACE.length, headerMillis, (head) => {
      const speaksHttp2 = new TextDecoder().decode(head.subarray(0, PREFACE.length)) === PREFACE;
      // deno-lint-ignore tiphys/no-double-cast -- both take a connection that somebody else accepted
      (speaksHttp2 ? http2 as unknown as Server : http1).emit("connection", socket);
    });
  });
  // A server that is not listening closes each connection after one response, so this one pretends to listen.
  Object.defineProperty(http1, "listening", { get: () => front.listening });
  // The check for slow connections starts with this event and ends with `close`.
  front.once("listening", () => http1.emit("listening"));
  const renew = () => {
    throw new TypeError("a plain text port has no certificate");
  };
  return { server: front, http1, http2, renew, end: () => http1.close() };
}

/** The first bytes of an HTTP/2 connection. */
const PREFACE = "PRI";

/**
 * Calls `act` with the first bytes of a connection, at least `count`, without consuming them. Destroys a connection
 * that ends or sends fewer within `millis`.
 */
function afterFirstBytes(socket: Socket, count: number, millis: number, act: (head: Uint8Array) => void): void {
  const slow = setTimeout(() => socket.destroy(), millis);
  socket.once("close", () => clearTimeout(slow));
  const end = () => socket.destroy();
  socket.once("end", end);
  let head = new Uint8Array();
  // Reads explicitly instead of listening for data: no byte may be lost before the protocol's server has the
  // connection.
  const look = () => {
    const bytes: Uint8Array | null = socket.read();
    if (bytes) head = Uint8Array.from([...head, ...bytes]);
    // The socket may be readable without data, and the first bytes may arrive one by one.
    if (head.length < count) return void socket.once("readable", look);
    clearTimeout(slow);
    socket.off("end", end);
    socket.unshift(head);
    act(head);
  };
  socket.once("readable", look);
}

function isLetter(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a || byte >= 0x61 && byte <= 0x7a;
}

/** The response of Go's servers to plain HTTP on a TLS port, followed by the remedy. */
const NOT_TLS = "Client sent an HTTP request to an HTTPS server.\nThis port speaks TLS: use https://\n";

/** Answers a client that uses plain HTTP on a TLS port, and closes the connection. */
function answerPlainHttp(socket: Socket, millis: number): void {
  const slow = setTimeout(() => socket.destroy(), millis);
  socket.once("close", () => clearTimeout(slow));
  // The rest of the request is read, because closing a connection with unread data may discard the response.
  socket.resume();
  socket.end(
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n" +
      `Content-Length: ${NOT_TLS.length}\r\n\r\n${NOT_TLS}`,
  );
}

async function serve(
  { handler, stallMillis, timers }: ListenOptions,
  incoming: AnyRequest,
  outgoing: AnyResponse,
  scheme: string,
): Promise<void> {
  const left = new AbortController();
  outgoing.once("close", () => left.abort(CLIENT_LEFT));
  outgoing.on("error", () => {});
  const body = ["GET", "HEAD"].includes(incoming.method ?? "GET")
    ? undefined
    : bodyOf(incoming as Readable, { stallMillis, timers });
  const request = requestOf(incoming, { scheme, signal: left.signal, body: body?.stream });
  const peer = { address: incoming.socket?.remoteAddress ?? "", isHttp2: incoming.httpVersionMajor >= 2 };
  try {
    const response = request instanceof Request ? await handler(request, peer) : refusal(request);
    await send(response, outgoing, { signal: left.signal, stallMillis, timers });
  } finally {
    body?.discardRest();
  }
}

interface RequestParts {
  readonly scheme: string;
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array> | undefined;
}

/** A rejected request, by the status of its response. */
type RejectionStatus = 400 | 431;

function refusal(status: RejectionStatus): Response {
  const text = status === 431
    ? `more than ${MAX_HEADERS} headers, or ${MAX_HEADER_BYTES} bytes of them`
    : "malformed request";
  return new Response(`${text}\n`, { status });
}

/** Converts a Node request into a web request, or returns the status of its rejection. */
function requestOf(incoming: AnyRequest, { scheme, signal, body }: RequestParts): Request | RejectionStatus {
  const { rawHeaders } = incoming;
  if (rawHeaders.length > 2 * MAX_HEADERS) return 431;
  if (rawHeaders.reduce((bytes, { length }) => bytes + length, 0) > MAX_HEADER_BYTES) return 431;
  // With two Host headers, a proxy and this server could use different ones.
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1) return 400;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const line of Array.isArray(value) ? value : [value]) {
      try {
        headers.append(name, line);
      } catch { /* an invalid header is dropped */ }
    }
  }
  const host = headers.get("host") ?? String(incoming.headers[":authority"] ?? "localhost");
  const url = requestUrl(incoming.url ?? "/", { scheme, host });
  if (!url) return 400;
  try {
    return new Request(url, {
      method: incoming.method ?? "GET",
      headers,
      signal,
      ...(body ? { body, duplex: "half" } : {}),
    } as RequestInit);
  } catch {
    return 400;
  }
}
