/** Errors of refused, broken or silent connections, which may succeed on a retry. */

const KINDS = [
  Deno.errors.ConnectionRefused,
  Deno.errors.ConnectionReset,
  Deno.errors.ConnectionAborted,
  Deno.errors.BrokenPipe,
  Deno.errors.TimedOut,
  Deno.errors.UnexpectedEof,
];

/** Whether an error is one of a connection. */
export function isConnectionError(error: unknown): boolean {
  return KINDS.some((kind) => error instanceof kind);
}
