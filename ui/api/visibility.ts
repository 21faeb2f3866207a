/**
 * Visibility of the page. Hidden tabs hold no stream: over HTTP/1.1 a browser has six connections per server for all
 * tabs, so the seventh tab would stay blank.
 */

/** Returns a signal that is aborted when the page is hidden, until it is disposed. */
export function abortWhenHidden(): { readonly signal: AbortSignal } & Disposable {
  const hidden = new AbortController();
  const tell = () => {
    if (document.hidden) hidden.abort();
  };
  document.addEventListener("visibilitychange", tell);
  tell();
  return { signal: hidden.signal, [Symbol.dispose]: () => document.removeEventListener("visibilitychange", tell) };
}

/** Waits until the page is visible, or the signal is aborted. */
export function waitUntilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const end = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    document.addEventListener("visibilitychange", end);
    signal.addEventListener("abort", end);
  });
}
