/** `argoexec kill SIGNAL PID`: signals the work of a container. The controller runs it inside that container. */
import { ExecutorError } from "../failure.ts";
import { sendSignal, signalName } from "../process/signals.ts";
import { containerFolder, ownContainerName, type World } from "../world.ts";

/**
 * Sends the signal by file if the emissary or supervisor of this container receives signals that way: the kernel does
 * not let a process of a container kill its first process. Otherwise signals the process itself.
 */
export async function kill(world: World, args: readonly string[]): Promise<number> {
  const [signal = NaN, pid = NaN] = args.map(Number);
  if (!Number.isInteger(signal) || !Number.isInteger(pid)) {
    throw new ExecutorError(`Expected a signal number and a process ID, got "${args.join(" ")}"`);
  }
  const name = ownContainerName(world);
  const watched = await Deno.stat(containerFolder(world, name)).then(() => true, () => false);
  if (watched) sendSignal(world, name, signal);
  else Deno.kill(pid, signalName(signal));
  return 0;
}
