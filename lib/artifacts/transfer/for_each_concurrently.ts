/** Runs work on many items with limited concurrency. */

/**
 * Calls `act` for each item, at most `limit` concurrently. After the first failure no more calls start, and it is
 * thrown when all started ones have ended.
 */
export async function forEachConcurrently<T>(
  all: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = all[Symbol.iterator]();
  let failed: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (let next = rest.next(); !next.done && !failed; next = rest.next()) {
      try {
        await act(next.value);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
  if (failed) throw failed.error;
}
