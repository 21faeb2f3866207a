/** Work that offers rests, done without them. */
export function drained<T>(work: Generator<undefined, T>): T {
  while (true) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
