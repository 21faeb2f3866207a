/** Waiting until a file is there. */
import { type Clock, systemClock } from "../clock/mod.ts";

/** Options of waiting. */
export interface WatchOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * The pause between looks while nothing is heard, milliseconds: for callers that must notice a silence. Without it
   * there are no such looks.
   */
  readonly pollMillis?: number;
  /** Told once when no changes can be heard. */
  readonly warn?: (message: string) => void;
  readonly clock?: Clock;
}

/** The longest pause between looks where no changes can be heard. */
const DEAF_POLL_MILLIS = 2000;

/**
 * Waits until a look at a file has an answer. `look` is called at once, after every change in the file's folder, and now
 * and then in between where that is asked for; it answers undefined for "not yet". The folder must exist. Every event is
 * only a reason to look again: what kind it claims to be is not believed.
 */
export async function untilFile<T>(
  file: string,
  look: () => Promise<T | undefined>,
  options: WatchOptions = {},
): Promise<T> {
  const { signal, clock = systemClock } = options;
  signal?.throwIfAborted();
  const watcher = watchFolder(file.slice(0, file.lastIndexOf("/")) || "/", options.warn);
  const pollMillis = watcher ? options.pollMillis : Math.min(options.pollMillis ?? DEAF_POLL_MILLIS, DEAF_POLL_MILLIS);
  let wake = () => {};
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  const listening = (async () => {
    for await (const _ of watcher ?? []) wake();
  })();
  try {
    while (true) {
      // Listen before looking: a change between the two must not be missed.
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

/** Without inotify (its limits are per user, and small) looking now and then must do. */
function watchFolder(folder: string, warn?: (message: string) => void): Deno.FsWatcher | undefined {
  try {
    return Deno.watchFs(folder, { recursive: false });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    warn?.(`changes in ${folder} cannot be heard (${(error as Error).message}); looking every 2 s`);
    return undefined;
  }
}
