/**
 * The supervisor of an init-less pod: stages what main needs, lets it go, waits for its end, and reports (spec/pods 2).
 * While it stages it says RUNNING again and again: its silence would be its death.
 */
import { PATH } from "../lib/constants.ts";
import { writeMarker } from "../lib/watch/mod.ts";
import { finish } from "./after_main.ts";
import { type Deadline, openDeadline } from "./deadline.ts";
import { describe, ExecutorError, failureAt } from "./failure.ts";
import { openInbox } from "./inbox.ts";
import { stageTemplate } from "./stage.ts";
import { at, containerFolder, makeSharedFolder, ownName, type World } from "./world.ts";

const HEARTBEAT_MILLIS = 5000;

/** Runs the supervisor; resolves to its exit code. */
export async function supervisor(world: World): Promise<number> {
  Deno.umask(0);
  using deadline = await openDeadline(world);
  const name = ownName(world);
  await makeSharedFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  const failure = await prepareMain(world, inbox.ended, deadline);
  return await finish(world, { stop: inbox.ended, deadline, failure });
}

/** Stages everything and says READY, or FAILED; resolves to the reason in that case. */
async function prepareMain(
  world: World,
  stop: AbortSignal,
  { reached }: Deadline,
): Promise<ExecutorError | undefined> {
  const marker = at(world, PATH.status);
  const unstaged = await stageWhileBeating(world, marker, AbortSignal.any([stop, reached]));
  const failure = unstaged ? causeOf(unstaged, reached) : await say(() => writeMarker(marker, { kind: "READY" }));
  if (!failure) return undefined;
  world.log(`failed before main was let go: ${failure.message}`);
  await writeMarker(marker, { kind: "FAILED", message: failure.message }).catch((error) => world.log(describe(error)));
  return failure;
}

/** What was given up because the time is over did not fail by itself. */
function causeOf(failure: ExecutorError, reached: AbortSignal): ExecutorError {
  return reached.aborted ? reached.reason : failure;
}

async function say(write: () => Promise<void>): Promise<ExecutorError | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    return new ExecutorError(`failed to write ${PATH.status}: ${describe(error)}`, { stage: "inputs", cause: error });
  }
}

/** Main would not hear of a supervisor that cannot write its marker: then nothing is staged either. */
async function stageWhileBeating(world: World, marker: string, stop: AbortSignal): Promise<ExecutorError | undefined> {
  const beat = () => writeMarker(marker, { kind: "RUNNING" });
  const mute = await say(beat);
  if (mute) return mute;
  const stopHeartbeat = heartbeat(world, beat);
  try {
    await stageTemplate(world, stop);
    return undefined;
  } catch (error) {
    return failureAt("inputs", error);
  } finally {
    // The last heartbeat must be over before READY is written, or it would take it back.
    await stopHeartbeat();
  }
}

/** Says that we live every few seconds, until the answer is called, which waits for the last time. */
function heartbeat(world: World, beat: () => Promise<void>): () => Promise<void> {
  let beating: Promise<void> = Promise.resolve();
  let takeBack = () => {};
  let over = false;
  const next = () => {
    takeBack = world.clock.after(HEARTBEAT_MILLIS, () => {
      beating = beat().catch((error) => world.log(`failed to write ${PATH.status}: ${describe(error)}`)).then(() => {
        if (!over) next();
      });
    });
  };
  next();
  return async () => {
    over = true;
    takeBack();
    await beating;
  };
}
