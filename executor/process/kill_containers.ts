/** Termination of other containers of the pod: SIGTERM first, SIGKILL after the grace period. */
import { waitForAllExits } from "./exit_code.ts";
import { ExecutorError } from "../failure.ts";
import { sendSignal } from "./signals.ts";
import { graceSeconds, type World } from "../world.ts";

const TERMINATE = 15;
const KILL = 9;

/** The maximum time to wait for a container to exit after SIGKILL, in milliseconds. */
const KILLED_MILLIS = 10_000;

/**
 * Terminates containers and waits until they have exited.
 * @throws {ExecutorError} when a container does not exit after SIGKILL; the reason of `stop` when it is aborted first.
 */
export async function killContainers(world: World, containers: readonly string[], stop?: AbortSignal): Promise<void> {
  if (containers.length === 0) return;
  const send = (signal: number) => containers.forEach((container) => sendSignal(world, container, signal));
  send(TERMINATE);
  if (await exitWithin(world, containers, graceSeconds(world) * 1000, stop)) return;
  send(KILL);
  if (await exitWithin(world, containers, KILLED_MILLIS, stop)) return;
  throw new ExecutorError(`containers ${containers.join(", ")} did not exit after SIGKILL`, {
    stage: "deadline",
  });
}

/** Reports whether all containers exit within `millis`. */
export async function exitWithin(
  world: World,
  containers: readonly string[],
  millis: number,
  stop?: AbortSignal,
): Promise<boolean> {
  const late = new AbortController();
  const takeBack = world.clock.after(millis, () => late.abort());
  try {
    await waitForAllExits(world, containers, stop ? AbortSignal.any([late.signal, stop]) : late.signal);
    return true;
  } catch (error) {
    if (!late.signal.aborted || stop?.aborted) throw error;
    return false;
  } finally {
    takeBack();
  }
}
