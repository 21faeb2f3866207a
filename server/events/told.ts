/** Errors of an event that begin with what was being done, in Argo's words: tools match on them. */

/** Does something; the message of its error gets this beginning. */
export function told<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toldOf(what, error);
  }
}

/** Does something that takes time; the message of its error gets this beginning. */
export async function toldLater<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toldOf(what, error);
  }
}

function toldOf(what: string, error: unknown): Error {
  return new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
