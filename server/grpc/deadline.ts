/** Cancellation of a call: by its deadline, or because its client disconnected. */
import { createDeadlineSignal } from "@connectrpc/connect/protocol";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import { CODE, WireError } from "../wire/errors.ts";

/** The deadline of a call, combined with the connection of its client. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #request: Request;
  readonly #call: AbortController;
  #end = () => {};
  #isExpired = false;

  constructor(request: Request, call: AbortController) {
    this.#request = request;
    this.#call = call;
    this.signal = AbortSignal.any([request.signal, call.signal]);
  }

  /** @throws {ConnectError} for an invalid timeout. */
  start(): void {
    const { timeoutMs, error } = parseTimeout(this.#request.headers.get("grpc-timeout"), MAX_MILLIS);
    if (error) throw error;
    if (timeoutMs === undefined) return;
    const { signal, cleanup } = createDeadlineSignal(timeoutMs);
    this.#end = cleanup;
    signal.addEventListener("abort", () => {
      this.#isExpired = true;
      this.#call.abort(this.reason);
    });
  }

  /** The reason why the call was canceled; undefined if it was not. */
  get reason(): WireError | undefined {
    if (this.#isExpired) return new WireError(CODE.deadlineExceeded, "context deadline exceeded");
    return this.signal.aborted ? new WireError(CODE.canceled, "context canceled") : undefined;
  }

  /** @throws {WireError} when the call is canceled before the promise is fulfilled. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const over = Promise.withResolvers<never>();
    const end = () => over.reject(this.reason);
    if (this.signal.aborted) end();
    this.signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([promise, over.promise]);
    } finally {
      this.signal.removeEventListener("abort", end);
      // After a cancellation, a late rejection must not be reported as unhandled.
      promise.catch(() => {});
    }
  }

  end(): void {
    this.#end();
  }
}

const MAX_MILLIS = 2 ** 31 - 1;
