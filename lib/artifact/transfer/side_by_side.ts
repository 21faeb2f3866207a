/** Work on many things, a few of them at once. */

/**
 * Does something with each, at most `limit` at once. The first failure keeps what has not begun from beginning; all that
 * has begun has ended before it is told.
 */
export async function sideBySide<T>(all: Iterable<T>, limit: number, act: (one: T) => Promise<void>): Promise<void> {
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
