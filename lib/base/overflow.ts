/** Distinguishes overflows, which untrusted input can cause, from other errors of the same class. */

/** Whether an error is a stack overflow: caused by too deep nesting, not by a bug. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Whether an error is a stack overflow, or reports that a string or BigInt exceeds the maximum size. */
export function isOverflow(error: unknown): boolean {
  return isStackOverflow(error) || error instanceof RangeError && TOO_LONG.has(error.message);
}

const TOO_LONG: ReadonlySet<string> = new Set(["Invalid string length", "Maximum BigInt size exceeded"]);
