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
