/** Runs many requests with limited concurrency. */

/**
 * Calls `act` for each item, at most `atOnce` concurrently. After a failure, no more are started, and it is thrown when
 * those in flight have ended.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failed: { readonly error: unknown } | undefined;
  const work = async () => {
    while (!failed) {
      const { done, value } = iterator.next();
      if (done) return;
      try {
        await act(value);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  if (failed) throw failed.error;
}

/** Same as `forEachConcurrently`, and returns the number of calls that returned true. */
export async function countConcurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  await forEachConcurrently(items, atOnce, async (item) => {
    if (await act(item)) count++;
  });
  return count;
}

/**
 * Same as `forEachConcurrently` for a stream of items that use memory: an item is read only when it can be processed.
 * `begin` is called with the first one, before anything else.
 */
export async function forEachOfStream<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  act: (item: T, index: number) => Promise<void>,
  begin?: (first: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failed: { readonly error: unknown } | undefined;
  let index = 0;
  try {
    for await (const item of items) {
      if (index === 0) await begin?.(item);
      const run = act(item, index++).catch((error) => void (failed ??= { error })).finally(() => running.delete(run));
      running.add(run);
      if (running.size >= Math.max(1, atOnce)) await Promise.race(running);
      if (failed) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failed) throw (failed as { readonly error: unknown }).error;
}
