/** Exit codes, and the error that ends a command with one of them. */
export const EXIT_CODE = {
  failed: 1,
  badInput: 2,
  /** Stopped by a signal: 128 plus its number, as in shells. */
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/**
 * An error that ends the program with an exit code. The message is for the user, and empty if everything is printed
 * already.
 */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_CODE.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns an error for invalid input: exit code 2, and nothing was changed. */
export function badInput(message: string): CommandError {
  return new CommandError(message, EXIT_CODE.badInput);
}

/** Returns an error that only sets the exit code: everything is printed already. */
export function endWith(exitCode: number): CommandError {
  return new CommandError("", exitCode);
}
