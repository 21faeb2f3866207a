/** Reads the responses of a connection into buffers; `lib/base/http1` parses them. */
import {
  Body,
  type ByteSource,
  type Framing,
  framingOf,
  MessageError,
  NoResponseError,
  readResponseHead,
} from "../http1/mod.ts";
import type { ReadNext } from "./byte_stream.ts";
import { freeBuffer } from "./chunks.ts";
import { type Bytes, NetError } from "./net.ts";
import type { Wire } from "./wire.ts";

/** The head of a response. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** The way the end of the body is detected. */
  readonly framing: Framing;
  /** Whether the connection can be reused after the body was read. */
  readonly keep: boolean;
}

/** Bytes per read: grows while much data arrives, and shrinks again. */
const MIN_READ_BYTES = 8_192;
const MAX_READ_BYTES = 65_536;

/**
 * Reads the response to one request. Its errors are of type {@link NetError}, retryable if the response is incomplete.
 */
export class Incoming implements ByteSource {
  #buffer: Bytes = new Uint8Array(MIN_READ_BYTES);
  #start = 0;
  #end = 0;
  #readSize = MIN_READ_BYTES * 2;
  /** Whether a byte of a response has arrived. */
  begun = false;
  /** Whether a head is being read, and whether a part of it has arrived: the rest has one common deadline. */
  #inHead = false;
  #headBegun = false;

  constructor(readonly wire: Wire) {}

  /** Reads the head of the final response and skips informational ones (status 1xx). */
  async head(method: string): Promise<Head> {
    this.#inHead = true;
    try {
      const head = await readResponseHead(this, () => this.#headBegun = false);
      this.#inHead = this.#headBegun = false;
      const headers = new Headers([...head.headers]);
      return { status: head.status, headers, framing: framingOf(method, head), keep: head.keep };
    } catch (error) {
      throw this.#readable(error);
    }
  }

  /** Reads the bytes of a body, `undefined` at its end. The caller owns each part: the beginning of `into` if given. */
  body(framing: Framing): ReadNext {
    const body = new Body(this, framing);
    return (into) =>
      body.next(into).catch((error: unknown) => {
        throw this.#readable(error);
      });
  }

  #readable(error: unknown): unknown {
    // The cause is known: the connection failed, the request was aborted, or its content failed.
    if (error instanceof NoResponseError && error.cause !== undefined) return error.cause;
    return error instanceof MessageError
      ? new NetError(`${this.wire.server}: ${error.message}`, error.isTruncated)
      : error;
  }

  /** Releases the buffer. Do not read afterwards. */
  release(): void {
    freeBuffer(this.#buffer.buffer);
  }

  get bytes(): Bytes {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Whether unread bytes have arrived. */
  get hasMore(): boolean {
    return this.#end > this.#start;
  }

  consume(count: number): void {
    this.#start += count;
  }

  async readMore(): Promise<boolean> {
    this.#start = this.#end = 0;
    this.#end = await this.wire.read(this.#buffer, this.#headBegun) ?? 0;
    if (this.#end === 0) return false;
    this.begun = true;
    this.#headBegun = this.#inHead;
    return true;
  }

  /**
   * Reads at most `max` bytes, received ones or else the next to arrive: into the beginning of `into`, or else into a
   * new buffer.
   */
  async some(max: number, into?: Bytes): Promise<Bytes | undefined> {
    if (this.hasMore) {
      const part = this.#buffer.subarray(
        this.#start,
        Math.min(this.#end, this.#start + Math.min(max, into?.length ?? max)),
      );
      this.#start += part.length;
      if (!into) return part.slice();
      into.set(part);
      return into.subarray(0, part.length);
    }
    if (into) {
      const size = await this.wire.read(into.subarray(0, max));
      return size === null ? undefined : into.subarray(0, size);
    }
    const own = new Uint8Array(Math.min(max, this.#readSize));
    const size = await this.wire.read(own);
    if (size === null) return undefined;
    if (size === this.#readSize) this.#readSize = Math.min(MAX_READ_BYTES, size * 2);
    else if (size < this.#readSize / 4 && max > this.#readSize) {
      this.#readSize = Math.max(MIN_READ_BYTES, this.#readSize / 2);
    }
    return own.subarray(0, size);
  }
}
