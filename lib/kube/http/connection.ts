/** One connection to a server: reads and writes bytes, and detects when the server closes it while idle. */
import type { Bytes, ByteSource } from "@tiphys/base/http1";
import type { TlsMaterial } from "../credentials.ts";

/** Maximum bytes per read: the size of a TLS record. */
const BUFFER_BYTES = 16_384;

/**
 * Connects, with a TLS handshake if needed.
 * @throws the error of the system or of TLS.
 */
export async function connect(
  url: URL,
  tls: TlsMaterial | undefined,
  signal?: AbortSignal | null,
): Promise<Connection> {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "https:";
  const port = Number(url.port || (secure ? 443 : 80));
  const tcp = { hostname, port, autoSelectFamily: true, ...(signal && { signal }) };
  const { caCerts, cert, key, serverName } = tls ?? {};
  const options = { alpnProtocols: ["http/1.1"], ...(caCerts && { caCerts }) };
  if (secure && cert !== undefined && key !== undefined) {
    // Only this function supports a client certificate, and it checks the name of the host.
    if (serverName !== undefined) {
      throw new Error(
        "tls-server-name is not supported together with a client certificate: use that name as the server's host",
      );
    }
    return await completeHandshake(
      await Deno.connectTls({ hostname, port, autoSelectFamily: true, ...options, cert, key }),
      signal,
    );
  }
  const plain = await Deno.connect(tcp);
  plain.setNoDelay(true);
  return secure
    ? await completeHandshake(await Deno.startTls(plain, { hostname: serverName ?? hostname, ...options }), signal)
    : new Connection(plain);
}

/** Completes the handshake, so that errors of TLS are not reported by the first write. */
async function completeHandshake(conn: Deno.TlsConn, signal: AbortSignal | null | undefined): Promise<Connection> {
  const connection = new Connection(conn);
  const cut = () => connection.close();
  signal?.addEventListener("abort", cut, { once: true });
  try {
    if (signal?.aborted) cut();
    await conn.handshake();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", cut);
  }
}

/** An open connection with a buffer of received bytes that have not been consumed. */
export class Connection implements ByteSource {
  readonly #conn: Deno.Conn & { ref?(): void; unref?(): void };
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #start = 0;
  #end = 0;
  #reading: Promise<boolean> | undefined;
  #closed = false;
  #ended = false;
  #resting = false;
  /** The number of responses received on it. */
  answers = 0;
  /** The time since which it is idle. */
  idleSince = 0;

  constructor(conn: Deno.Conn) {
    this.#conn = conn;
  }

  /** Whether a request can be sent on it: it is open, and there are no unexpected bytes. */
  get isUsable(): boolean {
    return !this.#closed && !this.#ended && this.#start === this.#end;
  }

  /** The received bytes that have not been consumed: a view that the next {@link readMore} overwrites. */
  get bytes(): Bytes {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  consume(count: number): void {
    this.#start += count;
  }

  /** Consumes up to `max` bytes, which the next {@link readMore} overwrites. Undefined at the end of the connection. */
  async some(max: number): Promise<Bytes | undefined> {
    if (this.#start === this.#end && !await this.readMore()) return undefined;
    const start = this.#start;
    this.#start = Math.min(this.#end, start + max);
    return this.#buffer.subarray(start, this.#start);
  }

  /** Consumes all bytes and waits for more. False at the end of the connection. */
  readMore(): Promise<boolean> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    this.#start = this.#end = 0;
    try {
      const size = this.#closed ? null : await this.#conn.read(this.#buffer);
      this.#end = size ?? 0;
      this.#ended ||= size === null;
    } catch (error) {
      this.#ended = true;
      throw error;
    } finally {
      this.#reading = undefined;
    }
    return !this.#ended;
  }

  /** Marks the connection as idle and watches whether the server closes it. Does not keep the process alive. */
  markIdle(now: number): void {
    this.idleSince = now;
    this.#resting = true;
    const look = () => {
      if (this.#resting && !this.isUsable) this.close();
    };
    this.readMore().then(look, look);
    this.#conn.unref?.();
  }

  /** Begins a request: bytes from now on belong to its response. */
  markBusy(): void {
    this.#resting = false;
    this.#conn.ref?.();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += await this.#conn.write(done === 0 ? bytes : bytes.subarray(done));
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#conn.close();
    } catch { /* It is closed. */ }
  }
}
