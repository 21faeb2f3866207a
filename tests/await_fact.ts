/**
 * Asks a question of the real world again and again until the answer is yes, and throws, naming the fact, when `seconds` have passed.
 * An error while asking counts as "not yet"; the last one is the cause of what is thrown.
 */
import { pause, systemClock } from "../lib/clock/mod.ts";
export async function awaitFact(
  fact: string,
  holds: () => Promise<boolean> | boolean,
  options: { readonly seconds: number },
): Promise<void> {
  const end = Date.now() + options.seconds * 1000;
  let cause: unknown;
  while (Date.now() < end) {
    try {
      if (await holds()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await pause(systemClock, 200);
  }
  throw new Error(`Waited ${options.seconds} s in vain: ${fact}`, { cause });
}
