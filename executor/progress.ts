/** Progress that main writes to a file as it goes: `done/total`, one line each time. */
import { ENV } from "../lib/constants.ts";
import { parseDuration } from "../lib/go/duration.ts";
import { describe } from "./failure.ts";
import { at, readIfThere, type World } from "./world.ts";

/** Progress being watched until it is disposed of. */
export interface Progress extends AsyncDisposable {
  /** The last valid line, read now. */
  latest(): Promise<string | undefined>;
}

/**
 * Reports new progress at every tick that the environment asks for, as it may change often and each report costs.
 * Without a tick nothing is watched.
 */
export function watchProgress(world: World, report: (progress: string) => Promise<void>): Progress {
  const file = world.env(ENV.progressFile);
  const tick = millisOf(world.env(ENV.progressPatchTick));
  let reported: string | undefined;
  let sending: Promise<void> = Promise.resolve();
  const latest = async () => file ? lastProgress(await readIfThere(at(world, file))) : undefined;
  const send = async () => {
    const progress = await latest();
    if (progress === undefined || progress === reported) return;
    await report(progress);
    reported = progress;
  };
  const timer = file && tick > 0
    ? setInterval(() => {
      sending = sending.then(send).catch((error) => world.log(`progress was not reported: ${describe(error)}`));
    }, tick)
    : undefined;
  return {
    latest,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sending;
    },
  };
}

/** The last line, if it says `N/M` with `0 <= N <= M` and `M > 0`. */
export function lastProgress(text: string | undefined): string | undefined {
  const line = text?.trimEnd().split("\n").at(-1)?.trim() ?? "";
  const match = /^(\d+)\/(\d+)$/.exec(line);
  if (!match) return undefined;
  const [done, total] = [Number(match[1]), Number(match[2])];
  return total > 0 && done <= total ? line : undefined;
}

function millisOf(duration: string | undefined): number {
  if (!duration) return 0;
  try {
    return Number(parseDuration(duration)) / 1e6;
  } catch {
    return 0;
  }
}
