/** The answers that come in on a connection: `lib/base/http1` reads them, here is where their bytes go. */
import { type Arrivals, Body, type Framing, framingOf, MessageError, NoAnswer, readAnswerHead } from "../http1/mod.ts";
import type { ReadNext } from "./byte_stream.ts";
import { free } from "./chunks.ts";
import { type Bytes, NetError } from "./net.ts";
import type { Wire } from "./wire.ts";

/** The first lines of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** The way in which its body ends. */
  readonly framing: Framing;
  /** Whether the connection can be used again when the body was read. */
  readonly keep: boolean;
}

/** The sizes of what is read at once, bytes: it grows while much comes, and shrinks again. */
const LEAST_READ = 8_192;
const MOST_READ = 65_536;

/** Reads the answer to one request. What is wrong with it is a {@link NetError}: one that passes where it broke off. */
export class Incoming implements Arrivals {
  #buffer: Bytes = new Uint8Array(LEAST_READ);
  #start = 0;
  #end = 0;
  #readSize = LEAST_READ * 2;
  /** Whether a byte of an answer came. */
  begun = false;
  /** Whether a head is read, and whether a part of it came: its rest is waited for together. */
  #inHead = false;
  #headBegun = false;

  constructor(readonly wire: Wire) {}

  /** Reads the head of the final answer; what servers say before it (status 1xx) is passed over. */
  async head(method: string): Promise<Head> {
    this.#inHead = true;
    try {
      const head = await readAnswerHead(this, () => this.#headBegun = false);
      this.#inHead = this.#headBegun = false;
      const headers = new Headers([...head.headers]);
      return { status: head.status, headers, framing: framingOf(method, head), keep: head.keep };
    } catch (error) {
      throw this.#readable(error);
    }
  }

  /** The bytes of a body, `undefined` at its end; each part is the caller's: the beginning of `into` where that is given. */
  body(framing: Framing): ReadNext {
    const body = new Body(this, framing);
    return (into) =>
      body.next(into).catch((error: unknown) => {
        throw this.#readable(error);
      });
  }

  #readable(error: unknown): unknown {
    // Why nothing came is known already: the connection broke, the request was not wanted, or its own content failed.
    if (error instanceof NoAnswer && error.cause !== undefined) return error.cause;
    return error instanceof MessageError ? new NetError(`${this.wire.server}: ${error.message}`, error.isCut) : error;
  }

  /** Gives back its memory: nothing more is read. */
  release(): void {
    free(this.#buffer.buffer);
  }

  get bytes(): Bytes {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Whether anything came that nobody asked for yet. */
  get hasMore(): boolean {
    return this.#end > this.#start;
  }

  take(count: number): void {
    this.#start += count;
  }

  async more(): Promise<boolean> {
    this.#start = this.#end = 0;
    this.#end = await this.wire.read(this.#buffer, this.#headBegun) ?? 0;
    if (this.#end === 0) return false;
    this.begun = true;
    this.#headBegun = this.#inHead;
    return true;
  }

  /**
   * Reads at most `most` bytes: those that came already, else those that come next; into the beginning of `into`, or
   * without it into a buffer of their own.
   */
  async some(most: number, into?: Bytes): Promise<Bytes | undefined> {
    if (this.hasMore) {
      const part = this.#buffer.subarray(
        this.#start,
        Math.min(this.#end, this.#start + Math.min(most, into?.length ?? most)),
      );
      this.#start += part.length;
      if (!into) return part.slice();
      into.set(part);
      return into.subarray(0, part.length);
    }
    if (into) {
      const size = await this.wire.read(into.subarray(0, most));
      return size === null ? undefined : into.subarray(0, size);
    }
    const own = new Uint8Array(Math.min(most, this.#readSize));
    const size = await this.wire.read(own);
    if (size === null) return undefined;
    if (size === this.#readSize) this.#readSize = Math.min(MOST_READ, size * 2);
    else if (size < this.#readSize / 4 && most > this.#readSize) {
      this.#readSize = Math.max(LEAST_READ, this.#readSize / 2);
    }
    return own.subarray(0, size);
  }
}
