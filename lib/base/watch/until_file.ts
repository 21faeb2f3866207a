/** Waits for a file. */
import { type Clock, systemClock } from "../clock/mod.ts";

/** Options of waiting. */
export interface WatchOptions {
  /** Aborts the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Polling interval in milliseconds, for callers that must notice the absence of changes. Default: no polling. */
  readonly pollMillis?: number;
  /** Called once when the folder cannot be watched. */
  readonly warn?: (message: string) => void;
  readonly clock?: Clock;
}

/** Maximum polling interval in milliseconds when the folder cannot be watched. */
const FALLBACK_POLL_MILLIS = 2000;

/**
 * Waits until `look` returns a value. It is called immediately, after every change in the file's folder, and at the
 * polling interval, if any; it returns undefined to continue waiting. The folder must exist. The kind of an event is
 * ignored: each one only causes a call.
 */
export async function waitForFile<T>(
  file: string,
  look: () => Promise<T | undefined>,
  options: WatchOptions = {},
): Promise<T> {
  const { signal, clock = systemClock } = options;
  signal?.throwIfAborted();
  const watcher = watchFolder(file.slice(0, file.lastIndexOf("/")) || "/", options.warn);
  const pollMillis = watcher
    ? options.pollMillis
    : Math.min(options.pollMillis ?? FALLBACK_POLL_MILLIS, FALLBACK_POLL_MILLIS);
  let wake = () => {};
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  const listening = (async () => {
    for await (const _ of watcher ?? []) wake();
  })();
  try {
    while (true) {
      // Registers for changes before checking, so that no change in between is missed.
      const changed = new Promise<void>((resolve) => wake = resolve);
      const answer = await look();
      if (answer !== undefined) return answer;
      signal?.throwIfAborted();
      const takeBack = pollMillis === undefined ? undefined : clock.after(pollMillis, () => wake());
      await changed;
      takeBack?.();
      signal?.throwIfAborted();
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    watcher?.close();
    await listening;
  }
}

/** Without inotify, whose limits are low and per user, the caller falls back to polling. */
function watchFolder(folder: string, warn?: (message: string) => void): Deno.FsWatcher | undefined {
  try {
    return Deno.watchFs(folder, { recursive: false });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    warn?.(`cannot watch ${folder} for changes (${(error as Error).message}); polling every 2 s`);
    return undefined;
  }
}
