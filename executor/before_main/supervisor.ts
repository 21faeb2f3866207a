/**
 * The supervisor of an init-less pod: stages what main needs, lets it go, waits for its end, and reports.
 * While it stages it says RUNNING again and again: its silence would be its death.
 */
import { PATH } from "../../lib/constants.ts";
import { type Marker, textOfMarker } from "../../lib/watch/mod.ts";
import { finish } from "../after_main/after_main.ts";
import { asAuxContainer } from "../pod/aux_container.ts";
import type { Deadline } from "../after_main/deadline.ts";
import { describe, ExecutorError, failureAt } from "../failure.ts";
import { type StageClock, stageClock } from "../pod/stage_clock.ts";
import { stageTemplate } from "./stage.ts";
import { at, type World } from "../world.ts";

const HEARTBEAT_MILLIS = 5000;

/** Runs the supervisor; resolves to its exit code. */
export async function supervisor(world: World): Promise<number> {
  return await asAuxContainer(world, async ({ inbox, deadline }) => {
    const stages = stageClock(world);
    const failure = await prepareMain(world, inbox.ended, deadline, stages);
    return await finish(world, { stop: inbox.ended, deadline, failure, stages });
  });
}

/** Stages everything and says READY, or FAILED; resolves to the reason in that case. */
async function prepareMain(
  world: World,
  stop: AbortSignal,
  { reached }: Deadline,
  stages: StageClock,
): Promise<ExecutorError | undefined> {
  const unstaged = await stageWhileBeating(world, AbortSignal.any([stop, reached]), stages);
  const failure = unstaged ? causeOf(unstaged, reached) : say(world, { kind: "READY" });
  if (!failure) return undefined;
  world.log(`failed before main was let go: ${failure.message}`);
  const mute = say(world, { kind: "FAILED", message: failure.message });
  if (mute) world.log(mute.message);
  return failure;
}

/** The cause of a failure: the deadline, where that has come, for what was given up then did not fail by itself. */
function causeOf(failure: ExecutorError, reached: AbortSignal): ExecutorError {
  return reached.aborted ? reached.reason : failure;
}

/** Writes the marker; the answer is why it could not be written. */
function say(world: World, marker: Marker): ExecutorError | undefined {
  try {
    world.files.write(at(world, PATH.status), textOfMarker(marker));
    return undefined;
  } catch (error) {
    return new ExecutorError(`failed to write ${PATH.status}: ${describe(error)}`, { stage: "inputs", cause: error });
  }
}

/** Stages the template with a heartbeat; not at all where the marker cannot be written: main would not hear of it. */
async function stageWhileBeating(
  world: World,
  stop: AbortSignal,
  stages: StageClock,
): Promise<ExecutorError | undefined> {
  const mute = say(world, { kind: "RUNNING" });
  if (mute) return mute;
  const stopHeartbeat = heartbeat(world);
  try {
    await stageTemplate(world, stop, stages);
    return undefined;
  } catch (error) {
    return failureAt("inputs", error);
  } finally {
    stopHeartbeat();
  }
}

/** Says that we live every few seconds, until the answer is called. */
function heartbeat(world: World): () => void {
  let takeBack = () => {};
  const next = () => {
    takeBack = world.clock.after(HEARTBEAT_MILLIS, () => {
      const mute = say(world, { kind: "RUNNING" });
      if (mute) world.log(mute.message);
      next();
    });
  };
  next();
  return () => takeBack();
}
