/**
 * Whether a container's executor still lives, and which it is. A process that the kernel kills writes no exit code, and nobody in another
 * container sees it go; but a lock that it held is let go by the kernel, whatever its end.
 */
import { EXIT } from "../lib/constants.ts";
import { VERSION } from "../lib/version.ts";
import { untilFile } from "../lib/watch/mod.ts";
import { readExitCode, writeExitCode } from "./exit_code.ts";
import { containerFolder, makeSharedFolder, readIfThere, type World } from "./world.ts";

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
export async function otherVersion(world: World, container: string): Promise<string | undefined> {
  const version = await readIfThere(lifeFile(world, container));
  return version === VERSION ? undefined : version;
}

/** Waits for the end of a container's executor; if that left no exit code, writes one for it, as all others wait for it. */
export async function tellDeath(world: World, container: string, stop: AbortSignal): Promise<void> {
  await makeSharedFolder(containerFolder(world, container));
  const file = lifeFile(world, container);
  const held = await untilFile(file, () => openIfThere(file), { signal: stop, clock: world.clock, warn: world.log });
  using _ = held;
  await held.lock(true);
  if (await readExitCode(world, container) !== undefined) return;
  world.log(`the container ${container} ended without a word`);
  await writeExitCode(world, container, EXIT.undetermined);
}

async function openIfThere(file: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(file, { write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
