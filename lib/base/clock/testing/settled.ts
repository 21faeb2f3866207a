/** Waits without using time, for tests with a fake clock. */

/** Runs the reactions to settled promises, and the reactions that follow from those. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
