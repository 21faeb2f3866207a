/** A connection to a server that can be failed when it stalls or is no longer needed. */
import type { Clock } from "../clock/clock.ts";
import { readFailure } from "./failures.ts";
import { NetError } from "./net.ts";

/** The underlying connection, of Deno or `node:tls`. */
export interface Carrier {
  /** Reads at most as many bytes as fit; null at the end. */
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** A connection. After a failure, reads and writes reject with its reason. */
export class Wire {
  #reason: unknown;
  #failed = false;
  #reading = false;
  #writing = false;
  /** While a body is being sent, the server need not send anything. */
  sending = false;
  /** Whether the current read continues the previous one, so that both share one deadline. */
  #isRest = false;
  #last: number;
  /** The time at which it became idle, on the clock of this connection. */
  idleSince = 0;
  /** The number of responses that it delivered. */
  answers = 0;

  constructor(readonly carrier: Carrier, readonly clock: Clock, readonly server: string) {
    this.#last = clock.now();
  }

  get isFailed(): boolean {
    return this.#failed;
  }

  /** The time since which the server has made no progress on a pending read or write; undefined without one. */
  get waitingSince(): number | undefined {
    return this.#writing || (this.#reading && !this.sending) ? this.#last : undefined;
  }

  /** Restarts the wait after a request was sent. */
  restartWait(): void {
    this.sending = false;
    this.#last = this.clock.now();
  }

  /** Describes the missing progress for an error message. */
  get missingProgress(): string {
    return this.#reading && this.#isRest && !this.#writing ? "the response head was incomplete after" : "no data for";
  }

  /** `isRest`: the deadline is that of the previous read, regardless of how much arrives. */
  async read(into: Uint8Array, isRest = false): Promise<number | null> {
    if (this.#failed) throw this.#reason;
    this.#reading = true;
    this.#isRest = isRest;
    if (!this.#writing && !isRest) this.#last = this.clock.now();
    try {
      return await this.carrier.read(into);
    } catch (error) {
      throw this.#failed ? this.#reason : readFailure(this.server, error);
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
      throw this.#failed ? this.#reason : readFailure(this.server, error);
    } finally {
      this.#writing = false;
    }
  }

  /** Closes the connection; pending reads and writes reject with the reason. */
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
