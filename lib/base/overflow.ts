/** Errors of JavaScript itself about what is too deep or too long, told from other errors of the same class. */

/** Whether an error says that the stack is used up: by what is nested too deeply, not by a mistake of ours. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Whether an error says that the stack is used up, or that a text or a number is longer than one can be. */
export function isOverflow(error: unknown): boolean {
  return isStackOverflow(error) || error instanceof RangeError && TOO_LONG.has(error.message);
}

const TOO_LONG: ReadonlySet<string> = new Set(["Invalid string length", "Maximum BigInt size exceeded"]);
