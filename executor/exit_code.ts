/** The files by which containers tell each other how they ended. */
import { untilFile, writeWhole } from "../lib/watch/mod.ts";
import { containerFolder, makeSharedFolder, readIfThere, type World } from "./world.ts";

function exitCodeFile(world: World, container: string): string {
  return `${containerFolder(world, container)}/exitcode`;
}

/** Writes the exit code of a container; the last thing its emissary does. */
export async function writeExitCode(world: World, container: string, code: number): Promise<void> {
  await writeWhole(exitCodeFile(world, container), String(code));
}

/** Takes away the exit code that an earlier life of this container left. */
export async function forgetExitCode(world: World, container: string): Promise<void> {
  try {
    await Deno.remove(exitCodeFile(world, container));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The exit code of a container that has ended; undefined before, and while somebody writes half of it. */
export async function readExitCode(world: World, container: string): Promise<number | undefined> {
  const text = await readIfThere(exitCodeFile(world, container));
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Waits until a container has ended. */
export async function untilExited(world: World, container: string, signal?: AbortSignal): Promise<number> {
  await makeSharedFolder(containerFolder(world, container));
  const look = () => readExitCode(world, container);
  return await untilFile(exitCodeFile(world, container), look, { signal, clock: world.clock, warn: world.log });
}

/** Waits until all of several containers have ended. */
export async function untilAllExited(world: World, containers: readonly string[], signal?: AbortSignal): Promise<void> {
  await Promise.all(containers.map((container) => untilExited(world, container, signal)));
}
