/** The files by which containers tell each other how they ended. */
import { untilFile } from "../../lib/watch/mod.ts";
import { containerFolder, type World } from "../world.ts";

/** The longest exit code, bytes. */
const LONGEST_CODE = 64;

function exitCodeFile(world: World, container: string): string {
  return `${containerFolder(world, container)}/exitcode`;
}

/** Writes the exit code of a container; the last thing its emissary does. */
export function writeExitCode(world: World, container: string, code: number): void {
  world.files.write(exitCodeFile(world, container), String(code));
}

/** Takes away the exit code that an earlier life of this container left. */
export function forgetExitCode(world: World, container: string): void {
  world.files.remove(exitCodeFile(world, container));
}

/** The exit code of a container that has ended; undefined before, and while somebody writes half of it. */
export function readExitCode(world: World, container: string): number | undefined {
  const text = world.files.read(exitCodeFile(world, container), LONGEST_CODE);
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Waits until a container has ended. */
export async function untilExited(world: World, container: string, signal?: AbortSignal): Promise<number> {
  world.files.makeFolder(containerFolder(world, container));
  const look = () => Promise.resolve(readExitCode(world, container));
  return await untilFile(exitCodeFile(world, container), look, { signal, clock: world.clock, warn: world.log });
}

/** Waits until all of several containers have ended. */
export async function untilAllExited(world: World, containers: readonly string[], signal?: AbortSignal): Promise<void> {
  await Promise.all(containers.map((container) => untilExited(world, container, signal)));
}
