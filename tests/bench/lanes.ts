/** Processes many items with bounded concurrency. */

const LANES = 16;

/** Calls a function for each item, at most `LANES` at a time. */
export async function forEachConcurrently<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items].reverse();
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
