import { ExecutorError } from "../failure.ts";

/**
 * Returns a signal that is aborted when this process receives SIGTERM or SIGINT. The listeners stay for the life of the
 * process.
 */
export function terminationSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(
      signal,
      () => ending.abort(new ExecutorError(`received ${signal} before the work was done`)),
    );
  }
  return ending.signal;
}
