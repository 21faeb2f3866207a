/** Starts programs that were just written. */
import { pause, systemClock } from "@tiphys/base/clock";

const AGAIN_AFTER_MS = 1;
const TRIES = 2000;

/**
 * Starts a program without an environment. Retries while the kernel refuses the file as busy: a process that another
 * thread is starting may briefly have inherited the file open for writing.
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

/** ETXTBSY, for which Deno has no error class. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("(os error 26)");
}
