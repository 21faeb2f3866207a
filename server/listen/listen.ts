/**
 * One port for everything: HTTP/1.1, HTTP/2 with and without TLS, and gRPC, which is HTTP/2 with trailers. `Deno.serve`
 * sends no trailers, so this stands on Node's servers; behind it all is a function from a request to a response.
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
import type { Handler } from "../handler.ts";
import { connectionRoom } from "../../lib/net/mod.ts";
import { bodyOf, CLIENT_LEFT } from "./body.ts";
import { inTurn } from "./in_turn.ts";
import { keepAccepting, type KeptPort } from "./keep_accepting.ts";
import { requestUrl } from "./request_url.ts";
import type { Timers } from "./client_wait.ts";
import { type AnyResponse, send } from "./send.ts";
import { leaveAtRest } from "./session_rest.ts";

/** Certificate and key as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The address, certificate and handler of a server that listens. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Without it the port speaks plain text. */
  readonly tls?: Certificate & { readonly minVersion?: "TLSv1.2" | "TLSv1.3" } | undefined;
  readonly handler: Handler;
  /** Receives errors of connections, which are nobody's fault here. */
  readonly onError?: (error: unknown) => void;
  /** The time that the head of a request may take, and a handshake, for tests. */
  readonly headerMillis?: number;
  /** The time for which a connection may rest, for tests. */
  readonly restMillis?: number;
  /** The time for which a client is waited for that sends nothing of a body, or reads nothing of an answer, for tests. */
  readonly stallMillis?: number;
  /** What waits for clients that read nothing, for tests. */
  readonly timers?: Timers;
  /** What waits for sessions over which nothing goes, for tests. */
  readonly restTimers?: Timers;
  /** The most connections at a time, for tests. */
  readonly mostConnections?: number;
  /** The pause between two tries whether the port still takes connections, and the time that one may take; for tests. */
  readonly tries?: Pick<KeptPort, "tryMillis" | "comeMillis">;
}

/** A port that is listened on. */
export interface Listening {
  readonly port: number;
  /** Shows another certificate to connections that begin from now on. */
  renew(certificate: Certificate): void;
  /** Takes no more connections, lets requests end for a time, then ends them. */
  close(graceMillis?: number): Promise<void>;
}

type AnyRequest = IncomingMessage | Http2ServerRequest;

const HEADER_MILLIS = 10_000;
/** The time for which a connection may rest: longer than clients keep one, so that none is asked as it closes. */
const REST_MILLIS = 120_000;
/** The most connections at a time; one more is ended. (Node's own limit, in Deno, ends no connection: it takes no more, ever.) */
const MOST_CONNECTIONS = 4_096;
/** The most headers of a request, as Node's HTTP/2 has it: to hold so many apart takes the square of their number. */
const MOST_HEADERS = 128;
/** The most bytes of a request's headers, names and values: Node's HTTP/1.1 counts its path among them, and its HTTP/2 takes four times as many. */
const MOST_HEADER_BYTES = 16 << 10;
/** The most requests of one connection at a time: a client that wants more waits, or opens another. */
const SETTINGS = { maxConcurrentStreams: 1_000 };

/** Listens; resolves when it does. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { tls, hostname, port, onError = () => {} } = options;
  const { headerMillis = HEADER_MILLIS, restMillis = REST_MILLIS } = options;
  const mostConnections = options.mostConnections ?? connectionRoom(MOST_CONNECTIONS, 1);
  const begin = (request: AnyRequest, response: AnyResponse) => {
    serve(options, request, response, tls ? "https" : "http").catch(onError);
  };
  const beginInTurn = inTurn(begin);
  const answer = (request: AnyRequest, response: AnyResponse) => {
    if (request.httpVersionMajor >= 2) return begin(request, response);
    beginInTurn(request as IncomingMessage, response as ServerResponse);
  };
  const sockets = new Set<Socket>();
  const { server, http1, http2, renew, end: endHttp1 = () => {} } = tls
    ? tlsServer(tls, answer, headerMillis)
    : plainServer(answer, headerMillis, onError);
  Object.assign(http1, { headersTimeout: headerMillis, connectionsCheckingInterval: headerMillis / 2 });
  // Node leaves out what is more than this, and says nothing of it: one more than may be is enough to refuse it.
  http1.maxHeadersCount = MOST_HEADERS + 1;
  http1.requestTimeout = 0;
  http1.keepAliveTimeout = restMillis;
  const sessions = new Set<Http2Session>();
  http2.on("session", (session: Http2Session) => {
    sessions.add(session);
    // A client begins with its settings.
    const slow = setTimeout(() => session.destroy(), headerMillis);
    session.once("remoteSettings", () => clearTimeout(slow));
    const lookNoMore = leaveAtRest(session, restMillis, options.restTimers);
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
  // What follows the first piece of an answer must not wait until the client has said that it has that.
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
  // One that cannot be listened on again now is tried again later.
  server.on("error", () => {});
  const leaveAlone = keepAccepting({ server, hostname, port: address.port, ...options.tries });
  return {
    port: address.port,
    renew,
    async close(graceMillis = 0) {
      leaveAlone();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endHttp1();
      // Connections over which nothing is asked end now, the others after their answers.
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

/** The server that has the port, and those that speak with who comes to it. */
interface Servers {
  readonly server: TcpServer;
  readonly http1: Server;
  readonly http2: EventEmitter;
  readonly renew: (certificate: Certificate) => void;
  /** Ends what looks after connections of HTTP/1.1, where that is not the server itself. */
  readonly end?: () => void;
}

/** TLS, by which the two sides agree on a protocol. */
function tlsServer(tls: NonNullable<ListenOptions["tls"]>, answer: Answer, headerMillis: number): Servers {
  const options = {
    ...tls,
    settings: SETTINGS,
    allowHTTP1: true,
    handshakeTimeout: headerMillis,
    ALPNProtocols: ["h2", "http/1.1"],
  };
  const server = createSecureServer(options as never, answer as never);
  // A request of plain HTTP begins with a letter, a connection of TLS does not.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    // A connection that is reset before its protocol is known has no other listener.
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

/** Plain text: the first bytes of a connection say which protocol it speaks. */
function plainServer(answer: Answer, headerMillis: number, onError: (error: unknown) => void): Servers {
  const http1 = createHttpServer(
    { maxHeaderSize: MOST_HEADER_BYTES } as never,
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
  // A server that does not listen ends each connection after one answer; this one is handed its connections.
  Object.defineProperty(http1, "listening", { get: () => front.listening });
  // It looks after connections that are slow from when it listens until it closes.
  front.once("listening", () => http1.emit("listening"));
  const renew = () => {
    throw new TypeError("a port of plain text shows no certificate");
  };
  return { server: front, http1, http2, renew, end: () => http1.close() };
}

/** The method of the request with which a connection of HTTP/2 begins. */
const PREFACE = "PRI";

/**
 * Calls `act` with the first bytes of a connection, at least `count`, and leaves them to be read. A connection that ends or
 * sends fewer within `millis` is destroyed.
 */
function afterFirstBytes(socket: Socket, count: number, millis: number, act: (head: Uint8Array) => void): void {
  const slow = setTimeout(() => socket.destroy(), millis);
  socket.once("close", () => clearTimeout(slow));
  const end = () => socket.destroy();
  socket.once("end", end);
  let head = new Uint8Array();
  // Bytes are read, not listened to: none may pass before the server of its protocol has the connection.
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

/** The text of Go's servers for a request of plain HTTP on a port of TLS, and the remedy. */
const NOT_TLS = "Client sent an HTTP request to an HTTPS server.\nThis port speaks TLS: use https://\n";

/** Answers a client that speaks plain HTTP on a port of TLS, and ends the connection. */
function answerPlainHttp(socket: Socket, millis: number): void {
  const slow = setTimeout(() => socket.destroy(), millis);
  socket.once("close", () => clearTimeout(slow));
  // The rest of the request is read, as a connection that is closed before that may lose the answer.
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
    body?.giveUp();
  }
}

interface RequestParts {
  readonly scheme: string;
  readonly signal: AbortSignal;
  readonly body: ReadableStream<Uint8Array> | undefined;
}

/** A request that is handed to nobody, by the status that says why. */
type Refused = 400 | 431;

function refusal(status: Refused): Response {
  const text = status === 431
    ? `more than ${MOST_HEADERS} headers, or ${MOST_HEADER_BYTES} bytes of them`
    : "malformed request";
  return new Response(`${text}\n`, { status });
}

/** The request as the web knows it, or why there is none. */
function requestOf(incoming: AnyRequest, { scheme, signal, body }: RequestParts): Request | Refused {
  const { rawHeaders } = incoming;
  if (rawHeaders.length > 2 * MOST_HEADERS) return 431;
  if (rawHeaders.reduce((bytes, { length }) => bytes + length, 0) > MOST_HEADER_BYTES) return 431;
  // Of two hosts, a proxy and this server may each believe another one.
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length > 1) return 400;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      try {
        headers.append(name, one);
      } catch { /* what is no header is not passed on */ }
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
