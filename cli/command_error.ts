/** Exit codes, and the error that ends a command with one of them. */
export const EXIT_CODE = {
  failed: 1,
  badInput: 2,
  /** Stopped by a signal, as shells say it: 128 and its number. */
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/** The error that ends the program: with a message for the person, or without one when everything has been said. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_CODE.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An error for input that cannot be understood: exit code 2, nothing was done. */
export function badInput(message: string): CommandError {
  return new CommandError(message, EXIT_CODE.badInput);
}

/** The error that ends the program when everything was said: only the exit code is left. */
export function endWith(exitCode: number): CommandError {
  return new CommandError("", exitCode);
}
