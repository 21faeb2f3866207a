/** Progress that main writes to a file as it goes: `done/total`, one line each time. */
import { pause } from "../../lib/clock/mod.ts";
import { ENV } from "../../lib/constants.ts";
import { untilFile } from "../../lib/watch/mod.ts";
import { describe } from "../failure.ts";
import { durationMillis } from "../pod/duration_millis.ts";
import { at, type World } from "../world.ts";

/** The bytes of the file's end that are read: the last line is what counts. */
const PROGRESS_BYTES = 1024;

/** Progress being watched until it is disposed of. */
export interface Progress extends AsyncDisposable {
  /** The last valid line, read now. */
  latest(): Promise<string | undefined>;
}

/**
 * Reports new progress when the file changes, but after each report waits for the time that the environment asks for, as
 * progress may change often and each report costs. Without such a time nothing is watched.
 */
export function watchProgress(world: World, report: (progress: string) => Promise<void>): Progress {
  const path = world.env(ENV.progressFile);
  const tick = durationMillis(world.env(ENV.progressPatchTick));
  const file = path && at(world, path);
  const latest = () => {
    const text = file ? lastOf(world, file) : undefined;
    const progress = lastProgress(text);
    if (text && progress === undefined) world.log(`progress is ignored that is not DONE/TOTAL: ${text.slice(-100)}`);
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
      const progress = await untilFile(file, changed, { signal: over.signal, clock: world.clock, warn: world.log });
      await report(progress);
      reported = progress;
      await pause(world.clock, tick, over.signal);
    }
  };
  const watching = file && tick > 0
    ? watch(file).catch((error) => {
      if (!over.signal.aborted) world.log(`progress is not reported any more: ${describe(error)}`);
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

/** The end of the file; nothing where it cannot be had, as no report waits for it. */
function lastOf(world: World, file: string): string | undefined {
  try {
    return world.files.tail(file, PROGRESS_BYTES)?.text;
  } catch (error) {
    world.log(`progress cannot be read: ${describe(error)}`);
    return undefined;
  }
}

/** The last line, if it says `N/M` with `0 <= N <= M` and `M > 0`. */
export function lastProgress(text: string | undefined): string | undefined {
  const line = text?.trimEnd().split("\n").at(-1)?.trim() ?? "";
  const match = /^(\d+)\/(\d+)$/.exec(line);
  if (!match) return undefined;
  const [done, total] = [Number(match[1]), Number(match[2])];
  return total > 0 && done <= total ? line : undefined;
}
