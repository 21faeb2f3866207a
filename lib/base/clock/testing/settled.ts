/** A wait that takes no time, for tests whose clock stands still. */

/** Lets what promises have settled be heard, and what follows from that. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
