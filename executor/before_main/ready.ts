/** The gate in front of main: the supervisor's word that everything is in its place. */
import { ENV, EXIT, PATH } from "../../lib/constants.ts";
import { readMarker, untilFile } from "../../lib/watch/mod.ts";
import { describe, ExecutorError } from "../failure.ts";
import { at, type World } from "../world.ts";

/** The longest silence of the supervisor, and the longest wait for its first word; both in milliseconds. */
export interface Patience {
  readonly silence: number;
  readonly appearance: number;
}

const PATIENCE: Patience = { silence: 30_000, appearance: 120_000 };

/** The time between two looks for the supervisor's silence, which no event tells. */
const POLL_MILLIS = 2000;

/**
 * Waits for the supervisor's READY.
 * @throws {ExecutorError} of code 65 on its FAILED, of code 67 on its silence: then nothing must run.
 */
export async function untilReady(
  world: World,
  stop: AbortSignal,
  patience: Patience = patienceOf(world),
): Promise<void> {
  const file = at(world, PATH.status);
  const began = world.clock.now();
  world.detail("waiting for supervisor status marker");
  await untilFile(file, async () => {
    const found = await readMarker(file).catch((error) => {
      throw new ExecutorError(`failed to read ${PATH.status}: ${describe(error)}`, { stage: "wait" });
    });
    if (!found) {
      if (world.clock.now() - began < patience.appearance) return undefined;
      throw lost(`status marker never appeared within ${patience.appearance / 1000}s`);
    }
    const { marker, writtenAt } = found;
    if (marker.kind === "READY") return true;
    if (marker.kind === "FAILED") {
      throw new ExecutorError(`supervisor reported pre-main failure: ${marker.message}`, { stage: "wait" });
    }
    if (world.clock.now() - writtenAt < patience.silence) return undefined;
    throw lost(`no status update within ${patience.silence / 1000}s`);
  }, { signal: stop, pollMillis: POLL_MILLIS, clock: world.clock, warn: world.detail });
  world.detail("supervisor is ready");
}

/** `argoexec ready`: 0 when main has been let go. The probe behind which a pod's own probes wait. */
export async function ready(world: World): Promise<number> {
  const found = await readMarker(at(world, PATH.status));
  if (found?.marker.kind === "READY") return 0;
  world.log(`main is not let go yet: ${found?.marker.kind ?? "the supervisor has not said anything"}`);
  return 1;
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
  return new ExecutorError(`supervisor presumed dead: ${why}`, { stage: "wait", code: EXIT.supervisorLost });
}
