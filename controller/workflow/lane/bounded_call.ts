/**
 * Calls that are stopped where they stand. `terminate()` of a worker, in Deno, ends a thread between two turns of its loop
 * only: one that computes for ever would keep its processor for as long as the controller lives.
 */
import { Script } from "node:vm";

/** The error of a call that was stopped: what it worked on is in no state to be used. */
export class CallStoppedError extends Error {
  override readonly name = "CallStoppedError";
}

/** Where the script finds what it calls. */
const CALL = Symbol.for("tiphys.boundedCall");

const place = globalThis as { [CALL]?: () => void };
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(CALL.description)})]()`);

/**
 * Calls a function, and stops it after so many milliseconds, wherever it is; not even its `finally` runs then.
 * @throws {CallStoppedError} where it was stopped.
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
