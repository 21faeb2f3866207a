/** Starts programs that were written just before. */
import { pause, systemClock } from "@tiphys/base/clock";

const AGAIN_AFTER_MS = 1;
const TRIES = 2000;

/**
 * Starts a program without an environment. A process that another thread of ours is about to start may still hold what we
 * wrote open for writing, for as long as that takes; until it does not, the kernel refuses the file as busy.
 */
export async function startProgram(path: string, options: Deno.CommandOptions): Promise<Deno.ChildProcess> {
  for (let tries = 1;; tries++) {
    try {
      return new Deno.Command(path, { ...options, clearEnv: true }).spawn();
    } catch (error) {
      if (!isBusy(error) || tries === TRIES) throw error;
    }
    await pause(systemClock, AGAIN_AFTER_MS);
  }
}

/** ETXTBSY, which has no class of its own. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("(os error 26)");
}
