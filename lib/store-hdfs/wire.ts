/** A connection to a node of HDFS, read in pieces of requested sizes. */
import { type AddressPolicy, type Bytes, NetError } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import type { Node } from "./node.ts";
import { MessageError } from "./rpc_messages.ts";

/** Timeout for a response or the next bytes of a node, in milliseconds. */
const STALL_MILLIS = 60_000;

/** Number of bytes per read of the connection. */
const READ_BYTES = 65_536;

/** A byte connection: a socket, or one that seals data over another {@link Wire}. */
export interface Conn {
  /** Resolves to the number of bytes read; null at the end. */
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** A connection. A failure is a transient {@link StoreError} that begins with `what`, and closes it. */
export class Wire implements Disposable {
  readonly #conn: Conn;
  readonly what: string;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #start = 0;
  #end = 0;
  #isOpen = true;
  #stop: AbortSignal | undefined;

  /** @param stallMillis the timeout for any progress. If undefined, the underlying connection has one. */
  private constructor(conn: Conn, operation: string, private readonly stallMillis?: number) {
    this.#conn = conn;
    this.what = operation;
  }

  /** @param reach decides which addresses of the node may be connected to. All if undefined. */
  static async open(node: Node, operation: string, stop: AbortSignal, reach?: AddressPolicy): Promise<Wire> {
    stop.throwIfAborted();
    const signal = AbortSignal.any([stop, AbortSignal.timeout(STALL_MILLIS)]);
    try {
      const [hostname = node.hostname] = await reach?.addresses(node) ?? [];
      const conn = await Deno.connect({ hostname, port: node.port, transport: "tcp", signal });
      conn.setNoDelay();
      return new Wire(conn, `${operation} at ${node.hostname}:${node.port}`, STALL_MILLIS);
    } catch (error) {
      stop.throwIfAborted();
      throw brokenError(`${operation} at ${node.hostname}:${node.port} cannot be reached`, error);
    }
  }

  /** Returns a connection over another one, which has its own timeout, because a sealed piece needs many reads. */
  static wrap(conn: Conn, { what }: Pick<Wire, "what">): Wire {
    return new Wire(conn, what);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Closes the connection when `stop` is aborted, until the result is disposed of. */
  closeOnAbort(stop: AbortSignal): Disposable {
    stop.throwIfAborted();
    const cut = () => this[Symbol.dispose]();
    this.#stop = stop;
    stop.addEventListener("abort", cut, { once: true });
    return { [Symbol.dispose]: () => stop.removeEventListener("abort", cut) };
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length;) {
      offset += await this.#withTimeout(() => this.#conn.write(bytes.subarray(offset)));
    }
  }

  /** Returns exactly `size` bytes in a new buffer. */
  async read(size: number): Promise<Bytes> {
    const bytes = new Uint8Array(size);
    for (let filled = 0; filled < size;) {
      if (this.#start === this.#end && size - filled >= READ_BYTES) {
        filled += await this.#readMore(bytes.subarray(filled));
        continue;
      }
      if (this.#start === this.#end) {
        this.#end = await this.#readMore(this.#buffer);
        this.#start = 0;
      }
      const taken = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + size - filled));
      bytes.set(taken, filled);
      filled += taken.length;
      this.#start += taken.length;
    }
    return bytes;
  }

  /** Returns the available bytes, at least one, in a new buffer. */
  async readAvailable(): Promise<Bytes> {
    if (this.#start === this.#end) {
      this.#end = await this.#readMore(this.#buffer);
      this.#start = 0;
    }
    const bytes = this.#buffer.slice(this.#start, this.#end);
    this.#start = this.#end;
    return bytes;
  }

  /** Returns a message with a varint length prefix. */
  async readDelimited(mostBytes: number): Promise<Bytes> {
    let size = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const [byte = 0] = await this.read(1);
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) return await this.read(this.checkSize(size, mostBytes));
    }
    throw this.protocolError("the length of a message has no end");
  }

  /** Returns bytes with a four-byte length prefix. */
  async readCounted(mostBytes: number): Promise<Bytes> {
    const size = new DataView((await this.read(4)).buffer).getUint32(0);
    return await this.read(this.checkSize(size, mostBytes));
  }

  /** Returns a size sent by the node if it is not too large. */
  checkSize(size: number, max: number): number {
    if (size >= 0 && size <= max) return size;
    throw this.protocolError(`it announces ${size} bytes, more than the maximum of ${max}`);
  }

  /** Returns the error of a protocol violation and closes the connection. */
  protocolError(reason: string): StoreError {
    this[Symbol.dispose]();
    return new StoreError(`${this.what} violates the protocol: ${reason}`, "final");
  }

  /** Parses data of a node. Invalid data is an error of the node. */
  parseOrFail<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof MessageError) throw this.protocolError(error.message);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#conn.close();
  }

  async #readMore(into: Uint8Array): Promise<number> {
    const read = await this.#withTimeout(() => this.#conn.read(into));
    if (read !== null) return read;
    this[Symbol.dispose]();
    throw brokenError(`${this.what} was interrupted`, new Error("the connection was closed"));
  }

  async #withTimeout<T>(act: () => Promise<T>): Promise<T> {
    let isLate = false;
    const timer = this.stallMillis === undefined ? undefined : setTimeout(() => {
      isLate = true;
      this[Symbol.dispose]();
    }, this.stallMillis);
    try {
      return await act();
    } catch (error) {
      this[Symbol.dispose]();
      this.#stop?.throwIfAborted();
      if (error instanceof StoreError) throw error;
      const late = new Error(`no data was transferred for ${STALL_MILLIS / 1000} s`);
      throw brokenError(`${this.what} was interrupted`, isLate ? late : error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function brokenError(operation: string, cause: unknown): StoreError {
  const { message } = cause as Error;
  return new StoreError(`${operation}: ${message}`, "transient", undefined, { cause: new NetError(message, true) });
}
