/** Many things done a few at a time. */

const LANES = 16;

/** Does something to each, a few at a time. */
export async function inLanes<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items].reverse();
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
