/** Counts the reads of an object's fields: a measure of a function's work that does not depend on time. */

/** The number of reads so far. */
export interface Reads {
  count: number;
}

/** Returns a copy of an object that counts each read of a field. */
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
