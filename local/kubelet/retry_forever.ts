/** Retries requests that nobody else repeats, while the API server has a temporary failure. */

import { pause, systemClock } from "@tiphys/base/clock";
import { classifyError } from "@tiphys/kube";

const RETRY_MS = 200;

/**
 * Retries a request until it succeeds or the signal is aborted. `onTrouble` is called with the first temporary error.
 * @throws the error of the request if it is not temporary.
 */
export async function retryForever(
  ask: () => Promise<unknown>,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await ask();
      return;
    } catch (error) {
      if (classifyError(error) !== "transient") throw error;
      if (isFirst) onTrouble(error);
    }
    await pause(systemClock, RETRY_MS, signal).catch(() => {});
  }
}
