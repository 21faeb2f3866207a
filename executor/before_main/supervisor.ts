/**
 * The supervisor of an init-less pod: stages the inputs of main, lets main start, waits for its end, and reports. While
 * staging, it rewrites the RUNNING marker as a heartbeat: main treats a silent supervisor as dead.
 */
import { PATH } from "@tiphys/base/constants";
import { formatMarker, type Marker } from "@tiphys/base/watch";
import { collectAndReport } from "../after_main/after_main.ts";
import { runAuxContainer } from "../pod/aux_container.ts";
import type { Deadline } from "../process/deadline.ts";
import { describeError, ExecutorError, toExecutorError } from "../failure.ts";
import { type StageClock, stageClock } from "../pod/stage_clock.ts";
import { stageTemplate } from "./stage.ts";
import { at, type World } from "../world.ts";

const HEARTBEAT_MILLIS = 5000;

/** Runs the supervisor. Resolves to its exit code. */
export async function supervisor(world: World): Promise<number> {
  return await runAuxContainer(world, async ({ inbox, deadline }) => {
    const stages = stageClock(world);
    const failure = await prepareMain(world, inbox.ended, deadline, stages);
    return await collectAndReport(world, { stop: inbox.ended, deadline, failure, stages });
  });
}

/** Stages everything, then writes the marker READY, or FAILED. Resolves to the failure, if any. */
async function prepareMain(
  world: World,
  stop: AbortSignal,
  { reached }: Deadline,
  stages: StageClock,
): Promise<ExecutorError | undefined> {
  const unstaged = await stageWithHeartbeat(world, AbortSignal.any([stop, reached]), stages);
  const failure = unstaged ? deadlineErrorOr(unstaged, reached) : writeMarker(world, { kind: "READY" });
  if (!failure) return undefined;
  world.log(`failed before main started: ${failure.message}`);
  const unwritten = writeMarker(world, { kind: "FAILED", message: failure.message });
  if (unwritten) world.log(unwritten.message);
  return failure;
}

/**
 * Returns the deadline's error if the deadline has passed, because staging was canceled by it; otherwise the failure
 * itself.
 */
function deadlineErrorOr(failure: ExecutorError, reached: AbortSignal): ExecutorError {
  return reached.aborted ? reached.reason : failure;
}

/** Writes the status marker. Returns the error if the write fails. */
function writeMarker(world: World, marker: Marker): ExecutorError | undefined {
  try {
    world.files.write(at(world, PATH.status), formatMarker(marker));
    return undefined;
  } catch (error) {
    return new ExecutorError(`failed to write ${PATH.status}: ${describeError(error)}`, {
      stage: "inputs",
      cause: error,
    });
  }
}

/**
 * Stages the template while writing heartbeats. If the marker cannot be written, nothing is staged, because main could
 * never learn about it.
 */
async function stageWithHeartbeat(
  world: World,
  stop: AbortSignal,
  stages: StageClock,
): Promise<ExecutorError | undefined> {
  const unwritten = writeMarker(world, { kind: "RUNNING" });
  if (unwritten) return unwritten;
  const stopHeartbeat = startHeartbeat(world);
  try {
    await stageTemplate(world, stop, stages);
    return undefined;
  } catch (error) {
    return toExecutorError("inputs", error);
  } finally {
    stopHeartbeat();
  }
}

/** Rewrites the RUNNING marker every {@link HEARTBEAT_MILLIS} until the returned function is called. */
function startHeartbeat(world: World): () => void {
  let takeBack = () => {};
  const next = () => {
    takeBack = world.clock.after(HEARTBEAT_MILLIS, () => {
      const unwritten = writeMarker(world, { kind: "RUNNING" });
      if (unwritten) world.log(unwritten.message);
      next();
    });
  };
  next();
  return () => takeBack();
}
