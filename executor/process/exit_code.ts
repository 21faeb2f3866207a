/** The files in which containers of a pod publish their exit codes. */
import { waitForFile } from "@tiphys/base/watch";
import { containerFolder, type World } from "../world.ts";

/** The maximum length of an exit code file, in bytes. */
const MAX_CODE_BYTES = 64;

function exitCodeFile(world: World, container: string): string {
  return `${containerFolder(world, container)}/exitcode`;
}

/** Writes the exit code of a container. This is the last action of its emissary. */
export function writeExitCode(world: World, container: string, code: number): void {
  world.files.write(exitCodeFile(world, container), String(code));
}

/** Removes the exit code that a previous run of this container left. */
export function forgetExitCode(world: World, container: string): void {
  world.files.remove(exitCodeFile(world, container));
}

/** Returns the exit code of a container; undefined if it has not exited, or the file is only partially written. */
export function readExitCode(world: World, container: string): number | undefined {
  const text = world.files.read(exitCodeFile(world, container), MAX_CODE_BYTES);
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** Waits until a container has exited. Resolves to its exit code. */
export async function waitForExit(world: World, container: string, signal?: AbortSignal): Promise<number> {
  world.files.makeFolder(containerFolder(world, container));
  const look = () => Promise.resolve(readExitCode(world, container));
  return await waitForFile(exitCodeFile(world, container), look, { signal, clock: world.clock, warn: world.log });
}

/** Waits until all given containers have exited. */
export async function waitForAllExits(
  world: World,
  containers: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await Promise.all(containers.map((container) => waitForExit(world, container, signal)));
}
