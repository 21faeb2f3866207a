/** Reads of objects, counted: how much a function does, in place of how long it takes. */

/** The number of reads so far. */
export interface Reads {
  count: number;
}

/** A copy of an object of which each read of a field is counted. */
export function countedReads<T extends object>(object: T, reads: Reads): T {
  const fields = Object.entries(object).map(([name, value]) => {
    const get = () => {
      reads.count++;
      return value;
    };
    return [name, { get, enumerable: true, configurable: true }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(fields)) as T;
}
