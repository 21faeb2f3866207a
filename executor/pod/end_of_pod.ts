import { ExecutorError } from "../failure.ts";

/** A signal that is aborted when this process is asked to end; it listens for the rest of the process's life. */
export function endOfPod(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(
      signal,
      () => ending.abort(new ExecutorError(`received ${signal} before the work was done`)),
    );
  }
  return ending.signal;
}
