/**
 * `argoexec ended CONTAINER=CODE…`: writes the exit codes of containers that could not write their own. The controller
 * runs it in the container next to main.
 */
import { ExecutorError } from "../failure.ts";
import { confineSharedFiles } from "../pod/confined_files.ts";
import { containerFolder, type World } from "../world.ts";
import { readExitCode, writeExitCode } from "../process/exit_code.ts";

/** A container name, which is a DNS label, and its exit code. */
const END = /^([a-z0-9-]{1,63})=([0-9]{1,10})$/;

/**
 * Writes the exit codes of containers without one: the runtime could not start them, or the kernel killed their
 * executor.
 */
// deno-lint-ignore require-await -- a command that refuses its words rejects
export async function reportEnded(world: World, args: readonly string[]): Promise<number> {
  Deno.umask(0);
  confineSharedFiles(world);
  for (const word of args) {
    const [, container, code] = END.exec(word) ?? [];
    if (container === undefined) throw new ExecutorError(`Expected CONTAINER=CODE, got "${word}"`);
    if (readExitCode(world, container) !== undefined) continue;
    world.files.makeFolder(containerFolder(world, container));
    writeExitCode(world, container, Number(code));
  }
  return 0;
}
