/** Progress that main writes to a file: one line `done/total` for each update. */
import { pause } from "@tiphys/base/clock";
import { ENV } from "@tiphys/base/constants";
import { waitForFile } from "@tiphys/base/watch";
import { describeError } from "../failure.ts";
import { durationMillis } from "../pod/duration_millis.ts";
import { at, type World } from "../world.ts";

/** The number of bytes that are read from the end of the file. Only the last line counts. */
const PROGRESS_BYTES = 1024;

/** A progress file that is watched until it is disposed of. */
export interface Progress extends AsyncDisposable {
  /** Reads the file and returns its last line if it is valid. */
  latest(): Promise<string | undefined>;
}

/**
 * Reports progress whenever the file changes. After each report it pauses for the interval in the environment, because
 * progress may change often and each report is a request. Without that interval the file is not watched.
 */
export function watchProgress(world: World, report: (progress: string) => Promise<void>): Progress {
  const path = world.env(ENV.progressFile);
  const tick = durationMillis(world.env(ENV.progressPatchTick));
  const file = path && at(world, path);
  const latest = () => {
    const text = file ? readTail(world, file) : undefined;
    const progress = parseLastProgress(text);
    if (text && progress === undefined) world.log(`progress ignored, expected DONE/TOTAL: ${text.slice(-100)}`);
    return Promise.resolve(progress);
  };
  const over = new AbortController();
  const watch = async (file: string) => {
    let reported: string | undefined;
    const changed = async () => {
      const progress = await latest();
      return progress === reported ? undefined : progress;
    };
    while (true) {
      const progress = await waitForFile(file, changed, { signal: over.signal, clock: world.clock, warn: world.log });
      await report(progress);
      reported = progress;
      await pause(world.clock, tick, over.signal);
    }
  };
  const watching = file && tick > 0
    ? watch(file).catch((error) => {
      if (!over.signal.aborted) world.log(`progress is no longer reported: ${describeError(error)}`);
    })
    : undefined;
  return {
    latest,
    async [Symbol.asyncDispose]() {
      over.abort();
      await watching;
    },
  };
}

/** Returns the end of the file. Returns undefined if it cannot be read: a missing progress must not delay a report. */
function readTail(world: World, file: string): string | undefined {
  try {
    return world.files.tail(file, PROGRESS_BYTES)?.text;
  } catch (error) {
    world.log(`failed to read progress: ${describeError(error)}`);
    return undefined;
  }
}

/** Returns the last line if it has the form `N/M` with `0 <= N <= M` and `M > 0`. */
export function parseLastProgress(text: string | undefined): string | undefined {
  const line = text?.trimEnd().split("\n").at(-1)?.trim() ?? "";
  const match = /^(\d+)\/(\d+)$/.exec(line);
  if (!match) return undefined;
  const [done, total] = [Number(match[1]), Number(match[2])];
  return total > 0 && done <= total ? line : undefined;
}
