/** The gate in front of main: the supervisor's word that everything is in its place (spec/pods 2.3). */
import { ENV, EXIT, PATH } from "../lib/constants.ts";
import { readMarker, untilFile } from "../lib/watch/mod.ts";
import { ExecutorError } from "./failure.ts";
import { at, type World } from "./world.ts";

/** How long the supervisor may be silent, and how late it may start; milliseconds. */
export interface Patience {
  readonly silence: number;
  readonly appearance: number;
}

const PATIENCE: Patience = { silence: 30_000, appearance: 120_000 };

/**
 * Waits for the supervisor's READY.
 * @throws {ExecutorError} of code 65 on its FAILED and on its silence: then nothing must run.
 */
export async function untilReady(
  world: World,
  stop: AbortSignal,
  patience: Patience = patienceOf(world),
): Promise<void> {
  const file = at(world, PATH.status);
  const began = Date.now();
  await untilFile(file, async () => {
    const found = await readMarker(file);
    if (!found) {
      if (Date.now() - began < patience.appearance) return undefined;
      throw lost(`status marker never appeared within ${patience.appearance / 1000}s`);
    }
    const { marker, writtenAt } = found;
    if (marker.kind === "READY") return true;
    if (marker.kind === "FAILED") {
      throw new ExecutorError(`supervisor reported pre-main failure: ${marker.message}`, EXIT.preMainFailed);
    }
    if (Date.now() - writtenAt < patience.silence) return undefined;
    throw lost(`no status update within ${patience.silence / 1000}s`);
  }, { signal: stop });
}

function patienceOf(world: World): Patience {
  const seconds = (name: string, otherwise: number) => {
    const value = Number(world.env(name));
    return value > 0 ? value * 1000 : otherwise;
  };
  return {
    silence: seconds(ENV.supervisorSilence, PATIENCE.silence),
    appearance: seconds(ENV.supervisorAppearance, PATIENCE.appearance),
  };
}

function lost(why: string): ExecutorError {
  return new ExecutorError(`supervisor presumed dead: ${why}`, EXIT.preMainFailed);
}
