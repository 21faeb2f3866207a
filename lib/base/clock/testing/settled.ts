/** Waits without using time, for tests with a fake clock. */

/** Runs the reactions to settled promises, and the reactions that follow from those. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/**
 * As `flushPromises`, and also fires real timers without a delay: a queue sets one after a pass that took long on this
 * machine.
 */
export async function flushPromisesAndTimers(): Promise<void> {
  await flushPromises();
  await new Promise((resolve) => setTimeout(resolve));
  await flushPromises();
}
