/** Error prefixes in Argo's words, which tools match on. */

/** Calls `act` and adds a prefix to the message of its error. */
export function withPrefix<T>(subject: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw prefixError(subject, error);
  }
}

/** Awaits `act` and adds a prefix to the message of its error. */
export async function withPrefixAsync<T>(subject: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw prefixError(subject, error);
  }
}

function prefixError(subject: string, error: unknown): Error {
  return new Error(`${subject}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
