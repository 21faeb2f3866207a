/**
 * The life of a container's executor: whether it still lives, and which it is. A process that the kernel kills writes
 * no exit code, and nobody in another container sees it go; but a lock that it held is let go by the kernel, whatever
 * its end.
 */
import { pause } from "../../lib/clock/mod.ts";
import { EXIT } from "../../lib/constants.ts";
import { VERSION } from "../../lib/version.ts";
import { untilFile } from "../../lib/watch/mod.ts";
import { readExitCode, writeExitCode } from "../command/exit_code.ts";
import { describe } from "../failure.ts";
import { containerFolder, type World } from "../world.ts";

const TRY_AGAIN_MILLIS = 1000;

/** The longest version, bytes. */
const LONGEST_VERSION = 256;

function lifeFile(world: World, container: string): string {
  return `${containerFolder(world, container)}/alive`;
}

/** Says that a container's executor lives until this is disposed of or the process ends. */
export function holdLife(world: World, container: string): Disposable {
  const file = lifeFile(world, container);
  const begun = `${file}.tmp`;
  const held = Deno.openSync(begun, { write: true, create: true, truncate: true, mode: 0o666 });
  held.lockSync(true);
  held.writeSync(new TextEncoder().encode(VERSION));
  // Only now may others find it: before, they could have taken the lock themselves.
  Deno.renameSync(begun, file);
  return { [Symbol.dispose]: () => held.close() };
}

/** Whether a container's executor was ever started. */
export async function hasLived(world: World, container: string): Promise<boolean> {
  return await Deno.stat(lifeFile(world, container)).then(() => true, () => false);
}

/** The version of a container's executor, where it is not ours: then its image is of another release, and may not understand us. */
export function otherVersion(world: World, container: string): string | undefined {
  const version = world.files.read(lifeFile(world, container), LONGEST_VERSION);
  return version === VERSION ? undefined : version;
}

/** Waits for the end of a container's executor; if that left no exit code, writes one for it, as all others wait for it. */
export async function tellDeath(world: World, container: string, stop: AbortSignal): Promise<void> {
  world.files.makeFolder(containerFolder(world, container));
  const file = lifeFile(world, container);
  const held = await untilFile(file, () => Promise.resolve(world.files.open(file)), {
    signal: stop,
    clock: world.clock,
    warn: world.log,
  });
  using _ = held;
  await held.lock(true);
  if (readExitCode(world, container) !== undefined) return;
  world.log(`the container ${container} ended without a word`);
  await writeWhenThereIsRoom(world, container, stop);
}

/**
 * Writes the exit code of a container, as often as it takes: a full disk may have been filled by that container itself,
 * and be free when it is removed.
 */
async function writeWhenThereIsRoom(world: World, container: string, stop: AbortSignal): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return writeExitCode(world, container, EXIT.undetermined);
    } catch (error) {
      if (tries === 0) world.log(`its end cannot be written down yet: ${describe(error)}`);
    }
    await pause(world.clock, TRY_AGAIN_MILLIS, stop);
  }
}
