/**
 * The supervisor of an init-less pod: stages what main needs, lets it go, waits for its end, and reports (spec/pods 2).
 * While it stages it says RUNNING again and again: its silence would be its death.
 */
import { PATH } from "../lib/constants.ts";
import { writeMarker } from "../lib/watch/mod.ts";
import { finish } from "./after_main.ts";
import { describe } from "./failure.ts";
import { openInbox } from "./inbox.ts";
import { stageTemplate } from "./stage.ts";
import { at, containerFolder, makeSharedFolder, ownName, type World } from "./world.ts";

const HEARTBEAT_MILLIS = 5000;

/** Runs the supervisor; resolves to its exit code. */
export async function supervisor(world: World): Promise<number> {
  Deno.umask(0);
  const name = ownName(world);
  await makeSharedFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  const failure = await prepareMain(world, inbox.ended);
  return await finish(world, inbox.ended, failure);
}

/** Stages everything and says READY, or FAILED; resolves to the reason in that case. */
async function prepareMain(world: World, stop: AbortSignal): Promise<string | undefined> {
  const marker = at(world, PATH.status);
  let failure: string | undefined;
  const stopHeartbeat = await heartbeat(world, marker);
  try {
    await stageTemplate(world, stop);
  } catch (error) {
    failure = describe(error);
    world.log(`failed to stage input artifacts before main container started: ${failure}`);
  }
  // The last heartbeat must be over before READY is written, or it would take it back.
  await stopHeartbeat();
  if (failure === undefined) {
    try {
      await writeMarker(marker, { kind: "READY" });
      return undefined;
    } catch (error) {
      failure = `failed to write ${PATH.status}: ${describe(error)}`;
    }
  }
  await writeMarker(marker, { kind: "FAILED", message: failure }).catch((error) => world.log(describe(error)));
  return failure;
}

async function heartbeat(world: World, marker: string): Promise<() => Promise<void>> {
  let beat: Promise<void> = Promise.resolve();
  const write = async () => {
    try {
      await writeMarker(marker, { kind: "RUNNING" });
    } catch (error) {
      world.log(`failed to write ${PATH.status}: ${describe(error)}`);
    }
  };
  await write();
  const timer = setInterval(() => {
    beat = beat.then(write);
  }, HEARTBEAT_MILLIS);
  return async () => {
    clearInterval(timer);
    await beat;
  };
}
