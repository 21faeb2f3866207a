/** The gate in front of main: the wait for the supervisor to report that everything is staged. */
import { ENV, EXIT, PATH } from "@tiphys/base/constants";
import { readMarker, waitForFile } from "@tiphys/base/watch";
import { describeError, ExecutorError } from "../failure.ts";
import { at, type World } from "../world.ts";

/** Timeouts for the supervisor, in milliseconds: `silence` since its last heartbeat, `appearance` for its first one. */
export interface SupervisorTimeouts {
  readonly silence: number;
  readonly appearance: number;
}

const DEFAULT_TIMEOUTS: SupervisorTimeouts = { silence: 30_000, appearance: 120_000 };

/** Milliseconds between two checks of the heartbeat. No file event reports a missing heartbeat. */
const POLL_MILLIS = 2000;

/**
 * Waits for the supervisor's READY marker.
 * @throws {ExecutorError} with exit code 65 when the marker is FAILED, and 67 when the supervisor is silent. The
 * command must not run then.
 */
export async function waitUntilReady(
  world: World,
  stop: AbortSignal,
  timeouts: SupervisorTimeouts = readTimeouts(world),
): Promise<void> {
  const file = at(world, PATH.status);
  const began = world.clock.now();
  world.detail("waiting for supervisor status marker");
  await waitForFile(file, async () => {
    const found = await readMarker(file).catch((error) => {
      throw new ExecutorError(`failed to read ${PATH.status}: ${describeError(error)}`, { stage: "wait" });
    });
    if (!found) {
      if (world.clock.now() - began < timeouts.appearance) return undefined;
      throw supervisorLostError(`status marker never appeared within ${timeouts.appearance / 1000}s`);
    }
    const { marker, writtenAt } = found;
    if (marker.kind === "READY") return true;
    if (marker.kind === "FAILED") {
      throw new ExecutorError(`supervisor reported pre-main failure: ${marker.message}`, { stage: "wait" });
    }
    if (world.clock.now() - writtenAt < timeouts.silence) return undefined;
    throw supervisorLostError(`no status update within ${timeouts.silence / 1000}s`);
  }, { signal: stop, pollMillis: POLL_MILLIS, clock: world.clock, warn: world.detail });
  world.detail("supervisor is ready");
}

/** `argoexec ready`: exits with 0 when main may run. The startup probe that delays a pod's own probes. */
export async function runReadyProbe(world: World): Promise<number> {
  const found = await readMarker(at(world, PATH.status));
  if (found?.marker.kind === "READY") return 0;
  world.log(`main is still waiting: ${found?.marker.kind ?? "no status marker from the supervisor"}`);
  return 1;
}

function readTimeouts(world: World): SupervisorTimeouts {
  const seconds = (name: string, otherwise: number) => {
    const value = Number(world.env(name));
    return value > 0 ? value * 1000 : otherwise;
  };
  return {
    silence: seconds(ENV.supervisorSilence, DEFAULT_TIMEOUTS.silence),
    appearance: seconds(ENV.supervisorAppearance, DEFAULT_TIMEOUTS.appearance),
  };
}

function supervisorLostError(reason: string): ExecutorError {
  return new ExecutorError(`supervisor presumed dead: ${reason}`, { stage: "wait", code: EXIT.supervisorLost });
}
