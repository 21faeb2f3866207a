/**
 * The eyes on the page: a tab that nobody sees holds no stream: over HTTP/1.1 a browser has six connections for
 * all tabs of a server, and a seventh tab would stay blank.
 */

/** A signal that is aborted as soon as nobody sees the page, until it is disposed. */
export function untilHidden(): { readonly signal: AbortSignal } & Disposable {
  const hidden = new AbortController();
  const tell = () => {
    if (document.hidden) hidden.abort();
  };
  document.addEventListener("visibilitychange", tell);
  tell();
  return { signal: hidden.signal, [Symbol.dispose]: () => document.removeEventListener("visibilitychange", tell) };
}

/** Waits until somebody sees the page, or the signal is aborted. */
export function untilSeen(signal: AbortSignal): Promise<void> {
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
