/** Sorting as Go sorts. */

/** A sorted copy. Elements neither of which is less keep an order; see below which. */
export function sortLikeGo<T>(items: readonly T[], less: (a: T, b: T) => boolean): T[] {
  return items.toSorted((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0));
}
