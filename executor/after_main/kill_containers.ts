/** Ending other containers of the pod: asked first, killed after the grace period. */
import { untilAllExited } from "../command/exit_code.ts";
import { ExecutorError } from "../failure.ts";
import { sendSignal } from "../command/signals.ts";
import { graceSeconds, type World } from "../world.ts";

const TERMINATE = 15;
const KILL = 9;

/** The time that a container may take to end after it was killed, milliseconds. */
const KILLED_MILLIS = 10_000;

/**
 * Ends containers, and waits until they have.
 * @throws {ExecutorError} when one does not end though it was killed; the signal's reason when that comes first.
 */
export async function killContainers(world: World, containers: readonly string[], stop?: AbortSignal): Promise<void> {
  if (containers.length === 0) return;
  const send = (signal: number) => containers.forEach((container) => sendSignal(world, container, signal));
  send(TERMINATE);
  if (await endWithin(world, containers, graceSeconds(world) * 1000, stop)) return;
  send(KILL);
  if (await endWithin(world, containers, KILLED_MILLIS, stop)) return;
  throw new ExecutorError(`the containers ${containers.join(", ")} did not end though they were killed`, {
    stage: "deadline",
  });
}

/** Whether all of them end in time. */
export async function endWithin(
  world: World,
  containers: readonly string[],
  millis: number,
  stop?: AbortSignal,
): Promise<boolean> {
  const late = new AbortController();
  const takeBack = world.clock.after(millis, () => late.abort());
  try {
    await untilAllExited(world, containers, stop ? AbortSignal.any([late.signal, stop]) : late.signal);
    return true;
  } catch (error) {
    if (!late.signal.aborted || stop?.aborted) throw error;
    return false;
  } finally {
    takeBack();
  }
}
