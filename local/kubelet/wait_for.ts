/** Waits for a time. Resolves to false if the signal is aborted first. */
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
 * Returns the value of a promise; undefined if the signal is aborted first, in which case an error of the promise is
 * also ignored.
 */
export async function undefinedIfAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
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
