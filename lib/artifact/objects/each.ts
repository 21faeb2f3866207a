/** Many requests, a few of them at once. */

/** Calls something for each, at most `atOnce` at a time; the first failure ends it, when those under way have ended. */
export async function each<T>(items: Iterable<T>, atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  const iterator = Iterator.from(items);
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

/** The same for what may be there or not: how many of them were. */
export async function countEach<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  await each(items, atOnce, async (item) => {
    if (await act(item)) count++;
  });
  return count;
}

/**
 * The same for what comes one after the other and takes memory: no more is taken than is being worked on. `begin` is
 * called with the first one, before anything else.
 */
export async function eachOf<T>(
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
