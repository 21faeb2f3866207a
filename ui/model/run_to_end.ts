/** Runs a generator that yields to other work to its end, without yielding. */
export function runToEnd<T>(work: Generator<undefined, T>): T {
  while (true) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
