/** Waiting for facts of the real world, in place of sleeping. */
import { pause, systemClock } from "@tiphys/base/clock";

/** The pauses between two checks, in milliseconds: short at first, as most facts hold soon. */
const FIRST_PAUSE = 10;
const MAX_PAUSE_MILLIS = 200;

/**
 * Waits until a fact holds. An error of `holds` counts as "not yet".
 * @throws {Error} that names the fact when `seconds` have passed; its cause is the last error.
 */
export async function awaitFact(
  fact: string,
  holds: () => Promise<boolean> | boolean,
  options: { readonly seconds: number },
): Promise<void> {
  const end = Date.now() + options.seconds * 1000;
  let cause: unknown;
  let millis = FIRST_PAUSE;
  while (Date.now() < end) {
    try {
      if (await holds()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(systemClock, millis);
    millis = Math.min(1.5 * millis, MAX_PAUSE_MILLIS);
  }
  throw new Error(`Timed out after ${options.seconds} s: ${fact}`, { cause });
}
