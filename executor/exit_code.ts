/** The files by which containers tell each other how they ended. */
import { untilFile, writeWhole } from "../lib/watch/mod.ts";
import { containerFolder, makeSharedFolder, readIfThere, type World } from "./world.ts";

/** Writes the exit code of a container; the last thing its emissary does. */
export async function writeExitCode(world: World, container: string, code: number): Promise<void> {
  await writeWhole(`${containerFolder(world, container)}/exitcode`, String(code));
}

/** The exit code of a container that has ended; undefined before, and while somebody writes half of it. */
export async function readExitCode(world: World, container: string): Promise<number | undefined> {
  const text = await readIfThere(`${containerFolder(world, container)}/exitcode`);
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Waits until a container has ended. */
export async function untilExited(world: World, container: string, signal?: AbortSignal): Promise<number> {
  const folder = containerFolder(world, container);
  await makeSharedFolder(folder);
  return await untilFile(`${folder}/exitcode`, () => readExitCode(world, container), { signal });
}

/** Waits until all of several containers have ended. */
export async function untilAllExited(world: World, containers: readonly string[], signal?: AbortSignal): Promise<void> {
  await Promise.all(containers.map((container) => untilExited(world, container, signal)));
}
