/** Connects to a server: name resolution, TCP, proxy, TLS. */
import { basicAuthorization } from "../basic_authorization.ts";
import type { Clock } from "../clock/clock.ts";
import { type ByteSource, readResponseHead } from "../http1/mod.ts";
import { connectFailure, tlsFailure } from "./failures.ts";
import { CONNECT_MILLIS } from "./limits.ts";
import { type Bytes, NetError, type TlsOptions } from "./net.ts";
import { connectNodeTls } from "./node_tls.ts";
import type { AddressPolicy } from "./reach.ts";
import type { Carrier } from "./wire.ts";

/** A server and how to connect to it. */
export interface Dial {
  readonly url: URL;
  readonly tls: TlsOptions | undefined;
  readonly proxy: URL | undefined;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Decides which addresses may be connected to; all when absent. */
  readonly reach?: AddressPolicy | undefined;
}

const encoder = new TextEncoder();

/** @throws {NetError} when there is no connection after {@link CONNECT_MILLIS}, or the server is not trusted. */
export async function dial({ url, tls, proxy, clock, stop, reach }: Dial): Promise<Carrier> {
  const late = new AbortController();
  const server = url.origin;
  const takeBack = clock.after(CONNECT_MILLIS, () => {
    late.abort(new NetError(`${server}: no connection within ${CONNECT_MILLIS / 1000} s`, true));
  });
  const cut = AbortSignal.any([stop, late.signal]);
  try {
    return await connect({ url, tls, proxy, reach }, cut);
  } catch (error) {
    throw cut.aborted ? cut.reason : error;
  } finally {
    takeBack();
  }
}

async function connect({ url, tls, proxy, reach }: Omit<Dial, "clock" | "stop">, stop: AbortSignal) {
  const secure = url.protocol === "https:";
  const host = hostOf(url);
  const special = tls?.caCerts !== undefined || tls?.insecureSkipVerify === true || tls?.cert !== undefined;
  if (!proxy) {
    if (reach) {
      const conn = await connectChecked(url, reach, stop);
      if (!secure) return conn;
      if (!special) return await startTls(conn, url, stop);
      const agree = () => connectNodeTls({ host, port: 0, tls: tls!, through: conn, stop });
      return await withTlsErrors(url, () => closingOnFailure(conn, stop, agree));
    }
    if (secure && special) {
      return await withTlsErrors(url, () => connectNodeTls({ host, port: portOf(url), tls: tls!, stop }));
    }
    const conn = await connectTcp(url, url.origin, stop);
    return secure ? await startTls(conn, url, stop) : conn;
  }
  // The proxy resolves the name itself; which servers it may reach is up to its operator.
  await reach?.addresses({ hostname: host, port: portOf(url) }).catch((error) => {
    // The name may be known only to the proxy.
    if (!(error instanceof NetError && error.passes)) throw error;
  });
  const tunnel = await connectTcp(proxy, `the proxy ${proxy.origin}`, stop);
  // TLS to an HTTPS proxy is below the TLS to the server; only `node:tls` supports that.
  const outer: Carrier = proxy.protocol === "https:" ? await startTls(tunnel, proxy, stop) : tunnel;
  if (!secure) return outer;
  await closingOnFailure(outer, stop, () => openTunnel(outer, url, proxy));
  if (!special && outer === tunnel) return await startTls(tunnel, url, stop);
  return await withTlsErrors(
    url,
    () => closingOnFailure(outer, stop, () => connectNodeTls({ host, port: 0, tls: tls ?? {}, through: outer, stop })),
  );
}

async function connectTcp(to: URL, server: string, stop: AbortSignal): Promise<Deno.TcpConn> {
  stop.throwIfAborted();
  try {
    const conn = await Deno.connect({ hostname: hostOf(to), port: portOf(to), signal: stop });
    conn.setNoDelay(true);
    return conn;
  } catch (error) {
    throw connectFailure(server, hostOf(to), error);
  }
}

/** Connects to the first permitted address of a server that answers. */
async function connectChecked(url: URL, reach: AddressPolicy, stop: AbortSignal): Promise<Deno.TcpConn> {
  const addresses = await reach.addresses({ hostname: hostOf(url), port: portOf(url) });
  for (const [index, hostname] of addresses.entries()) {
    stop.throwIfAborted();
    try {
      const conn = await Deno.connect({ hostname, port: portOf(url), signal: stop });
      conn.setNoDelay(true);
      return conn;
    } catch (error) {
      if (stop.aborted || index === addresses.length - 1) throw connectFailure(url.origin, hostOf(url), error);
    }
  }
  throw new NetError(`${url.origin}: no address to connect to`, false);
}

async function startTls(conn: Deno.TcpConn, url: URL, stop: AbortSignal): Promise<Deno.TlsConn> {
  const secure = await Deno.startTls(conn, { hostname: hostOf(url), alpnProtocols: ["http/1.1"] });
  await withTlsErrors(url, () => closingOnFailure(secure, stop, () => secure.handshake()));
  return secure;
}

async function withTlsErrors<T>(url: URL, agree: () => Promise<T>): Promise<T> {
  try {
    return await agree();
  } catch (error) {
    const { code } = error as { code?: unknown };
    const connecting = typeof code === "string" &&
      /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT)$/.test(code);
    throw connecting ? connectFailure(url.origin, hostOf(url), error) : tlsFailure(url.origin, error, hostOf(url));
  }
}

/** Closes a connection when `act` fails, or as soon as it is no longer needed. */
async function closingOnFailure<T>(conn: Carrier, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  let closed = false;
  const close = () => {
    if (!closed) conn.close();
    closed = true;
  };
  stop.addEventListener("abort", close, { once: true });
  try {
    stop.throwIfAborted();
    return await act();
  } catch (error) {
    close();
    throw error;
  } finally {
    stop.removeEventListener("abort", close);
  }
}

/** Requests a connection to the server of a URL from a proxy. */
async function openTunnel(conn: Carrier, url: URL, proxy: URL): Promise<void> {
  const target = `${url.hostname}:${portOf(url)}`;
  const credentials = proxyAuthorization(proxy);
  const line = credentials === undefined ? "" : `Proxy-Authorization: ${credentials}\r\n`;
  const request = encoder.encode(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${line}\r\n`);
  try {
    for (let sent = 0; sent < request.length;) sent += await conn.write(request.subarray(sent));
    const { status, statusText } = await readResponseHead(byteByByte(conn));
    if (status >= 200 && status < 300) return;
    const passes = status === 429 || status >= 500;
    throw new NetError(`The proxy ${proxy.origin} does not connect to ${target}: ${status} ${statusText}`, passes);
  } catch (error) {
    throw connectFailure(`the proxy ${proxy.origin}`, hostOf(proxy), error);
  }
}

/** Reads a proxy's response byte by byte: the bytes after its head belong to TLS. */
function byteByByte(conn: Carrier): ByteSource {
  const buffer = new Uint8Array(1);
  let left = 0;
  const readMore = async () => (left = await conn.read(buffer) ?? 0) > 0;
  return {
    get bytes(): Bytes {
      return buffer.subarray(1 - left);
    },
    consume: (count) => void (left -= count),
    readMore,
    some: () => Promise.reject(new Error("The answer of a proxy that connects has no body")),
  };
}

/**
 * Returns the `Proxy-Authorization` header for a proxy; undefined without a user in its URL. @throws {NetError} as
 * {@link basicCredentials}.
 */
export function proxyAuthorization(proxy: URL): string | undefined {
  return proxy.username === "" ? undefined : basicCredentials(proxy, `the proxy ${proxy.origin}`);
}

/**
 * Returns the user and password of a URL as the value of `Authorization`. `server` is the server's name in errors.
 * @throws {NetError} when they are not percent-encoded correctly.
 */
export function basicCredentials({ username, password }: URL, server: string): string {
  try {
    return basicAuthorization(decodeURIComponent(username), decodeURIComponent(password));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new NetError(`${server}: the user or the password of its URL is not percent-encoded correctly`, false);
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
