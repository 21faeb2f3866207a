/** Error prefixes in Argo's words, which tools match on. */

/** Calls `act` and adds a prefix to the message of its error. */
export function withPrefix<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw prefixError(what, error);
  }
}

/** Awaits `act` and adds a prefix to the message of its error. */
export async function withPrefixAsync<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw prefixError(what, error);
  }
}

function prefixError(what: string, error: unknown): Error {
  return new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
