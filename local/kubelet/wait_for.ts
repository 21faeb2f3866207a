/** Waits; false when the signal was aborted before the time was over. */
export function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (over: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      resolve(over);
    };
    const abort = () => settle(false);
    const timer = setTimeout(() => settle(true), ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/**
 * The value of a promise; undefined when the signal was aborted first, and then even an error of the promise is
 * ignored.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const abort = () => resolve(undefined);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  promise.catch(() => {});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
