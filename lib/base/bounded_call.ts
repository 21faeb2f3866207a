/**
 * Calls with a deadline, which stop wherever they are. In Deno, `terminate()` ends a worker only between two turns of its
 * event loop: a worker that computes forever would keep its processor as long as the process lives.
 */
import { Script } from "node:vm";

/** The error of a call that exceeded its deadline. State that the call was changing must not be used. */
export class CallStoppedError extends Error {
  override readonly name = "CallStoppedError";
}

/** The key under which the script finds the function to call. */
const CALL = Symbol.for("tiphys.boundedCall");

const place = globalThis as { [CALL]?: () => void };
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(CALL.description)})]()`);

/**
 * Calls a function and stops it after `millis` milliseconds; its `finally` blocks do not run then.
 * @throws {CallStoppedError} when it exceeds the deadline.
 */
export function callWithin<R>(millis: number, call: () => R): R {
  let result: { readonly value: R } | undefined;
  const before = place[CALL];
  place[CALL] = () => {
    result = { value: call() };
  };
  try {
    script.runInThisContext({ timeout: millis });
    return result!.value;
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new CallStoppedError(`the call took more than ${millis} ms`, { cause: error });
  } finally {
    place[CALL] = before;
  }
}
