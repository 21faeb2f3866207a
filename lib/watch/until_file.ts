/** How to wait. */
export interface WatchOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How often to look although nothing was heard, milliseconds: watches can be lost, and silence is never heard. */
  readonly pollMillis?: number;
}

/**
 * Waits until a look at a file has an answer. `look` is called at once, after every change in the file's folder, and now
 * and then in between; it answers undefined for "not yet". The folder must exist. Every event is only a reason to look
 * again: what kind it claims to be is not believed.
 */
export async function untilFile<T>(
  file: string,
  look: () => Promise<T | undefined>,
  options: WatchOptions = {},
): Promise<T> {
  const { signal, pollMillis = 2000 } = options;
  signal?.throwIfAborted();
  const watcher = watchFolder(file.slice(0, file.lastIndexOf("/")) || "/");
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
      const timer = setTimeout(() => wake(), pollMillis);
      await changed;
      clearTimeout(timer);
      signal?.throwIfAborted();
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    watcher?.close();
    await listening;
  }
}

/** Without inotify (its limits are per user, and small) looking now and then must do. */
function watchFolder(folder: string): Deno.FsWatcher | undefined {
  try {
    return Deno.watchFs(folder, { recursive: false });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    return undefined;
  }
}
