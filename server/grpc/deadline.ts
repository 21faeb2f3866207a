/** The end of a call before its time: a deadline that its client set, or a client that has left. */
import { createDeadlineSignal } from "@connectrpc/connect/protocol";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import { CODE, WireError } from "../wire/errors.ts";

/** The time that a client gives its call, and the client itself: whichever ends first ends the call. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #request: Request;
  readonly #call: AbortController;
  #end = () => {};
  #isOver = false;

  constructor(request: Request, call: AbortController) {
    this.#request = request;
    this.#call = call;
    this.signal = AbortSignal.any([request.signal, call.signal]);
  }

  /** @throws {ConnectError} for a time that is none. */
  start(): void {
    const { timeoutMs, error } = parseTimeout(this.#request.headers.get("grpc-timeout"), LONGEST_MILLIS);
    if (error) throw error;
    if (timeoutMs === undefined) return;
    const { signal, cleanup } = createDeadlineSignal(timeoutMs);
    this.#end = cleanup;
    signal.addEventListener("abort", () => {
      this.#isOver = true;
      this.#call.abort(this.reason);
    });
  }

  /** Why the call is over before its end; undefined while it is not. */
  get reason(): WireError | undefined {
    if (this.#isOver) return new WireError(CODE.deadlineExceeded, "context deadline exceeded");
    return this.signal.aborted ? new WireError(CODE.canceled, "context canceled") : undefined;
  }

  /** @throws {WireError} when the call is over before the promise is fulfilled. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const over = Promise.withResolvers<never>();
    const end = () => over.reject(this.reason);
    if (this.signal.aborted) end();
    this.signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([promise, over.promise]);
    } finally {
      this.signal.removeEventListener("abort", end);
      // A failure of the promise after the call is over concerns nobody any more.
      promise.catch(() => {});
    }
  }

  end(): void {
    this.#end();
  }
}

const LONGEST_MILLIS = 2 ** 31 - 1;
