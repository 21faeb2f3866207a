/** A connection to a server: bytes to and fro, with an end for those that stall or are no longer wanted. */
import type { Clock } from "../clock/clock.ts";
import { readableFailure } from "./failures.ts";
import { NetError } from "./net.ts";

/** The connection that carries the bytes: one of Deno, or one of `node:tls`. */
export interface Carrier {
  /** Reads at most as many bytes as fit; null at the end. */
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** One connection. Reads and writes of one that failed, or was given up, fail with the reason for that. */
export class Wire {
  #reason: unknown;
  #failed = false;
  #reading = false;
  #writing = false;
  /** While a body is sent, nothing has to come back. */
  sending = false;
  /** Whether what is read belongs to what came before it: the server has one time for both. */
  #isRest = false;
  #last: number;
  /** The moment when it was put aside for the next request, on the clock of this connection. */
  idleSince = 0;
  /** The number of answers that it brought. */
  answers = 0;

  constructor(readonly carrier: Carrier, readonly clock: Clock, readonly server: string) {
    this.#last = clock.now();
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** The moment since which the server has neither sent nor taken what is waited for; undefined while nothing is. */
  get waitsSince(): number | undefined {
    return this.#writing || (this.#reading && !this.sending) ? this.#last : undefined;
  }

  /** The time of waiting begins anew: what was sent is sent. */
  sent(): void {
    this.sending = false;
    this.#last = this.clock.now();
  }

  /** What the server does not do in time. */
  get waitsFor(): string {
    return this.#reading && this.#isRest && !this.#writing
      ? "the head of its answer was not whole after"
      : "not a byte for";
  }

  /** `isRest`: the time of waiting is that of the read before, however much comes meanwhile. */
  async read(into: Uint8Array, isRest = false): Promise<number | null> {
    if (this.#failed) throw this.#reason;
    this.#reading = true;
    this.#isRest = isRest;
    if (!this.#writing && !isRest) this.#last = this.clock.now();
    try {
      return await this.carrier.read(into);
    } catch (error) {
      throw this.#failed ? this.#reason : readableFailure(this.server, error);
    } finally {
      this.#reading = false;
      if (!isRest) this.#last = this.clock.now();
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#failed) throw this.#reason;
    this.#writing = true;
    this.#last = this.clock.now();
    try {
      for (let done = 0; done < bytes.length;) {
        done += await this.carrier.write(done === 0 ? bytes : bytes.subarray(done));
        this.#last = this.clock.now();
      }
    } catch (error) {
      throw this.#failed ? this.#reason : readableFailure(this.server, error);
    } finally {
      this.#writing = false;
    }
  }

  /** Ends it: whoever waits for it gets the reason. */
  fail(reason: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#reason = reason;
    this.carrier.close();
  }

  close(): void {
    this.fail(new NetError(`${this.server}: the connection was closed`, true));
  }
}
