/** `argoexec kill SIGNAL PID`, run inside a container by the controller: signals what the container runs. */
import { ExecutorError } from "../failure.ts";
import { sendSignal, signalName } from "./signals.ts";
import { containerFolder, ownName, type World } from "../world.ts";

/**
 * Sends the signal by file to whoever watches it (the emissary, the supervisor): the kernel lets no process of a
 * container kill its first one. Only where nobody does is the process itself signalled.
 */
export async function kill(world: World, args: readonly string[]): Promise<number> {
  const [signal = NaN, pid = NaN] = args.map(Number);
  if (!Number.isInteger(signal) || !Number.isInteger(pid)) {
    throw new ExecutorError(`Expected the number of a signal and of a process, got "${args.join(" ")}"`);
  }
  const name = ownName(world);
  const watched = await Deno.stat(containerFolder(world, name)).then(() => true, () => false);
  if (watched) sendSignal(world, name, signal);
  else Deno.kill(pid, signalName(signal));
  return 0;
}
