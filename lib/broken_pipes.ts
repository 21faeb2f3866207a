/** Writes to a pipe or connection whose other end is gone: an error of that write, never the end of the process. */

/** From here on such a write fails with its own error (`EPIPE`); the signal that goes with it ends nothing. */
export function survivePipeSignals(): void {
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGPIPE", () => {});
}
