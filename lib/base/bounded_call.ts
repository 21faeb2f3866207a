/**
 * Synchronous calls with a deadline, which are stopped at any point of their code. `Worker.terminate()` in Deno takes
 * effect only between two turns of the worker's event loop, so a worker in an endless loop would occupy a core until
 * the process ends.
 */
import { Script } from "node:vm";

/** The error of a call that exceeded its deadline. Discard any state that the call was changing. */
export class CallStoppedError extends Error {
  override readonly name = "CallStoppedError";
}

/** The key under which the script finds the function to call. */
const CALL = Symbol.for("tiphys.boundedCall");

const place = globalThis as { [CALL]?: () => void };
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(CALL.description)})]()`);

/**
 * Calls a function and stops it after `millis` milliseconds. The `finally` blocks of a stopped call do not run.
 * @throws {CallStoppedError} when the call exceeds the deadline.
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
