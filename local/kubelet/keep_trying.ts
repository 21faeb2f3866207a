/** Requests that somebody waits for and nobody makes anew: tried again while the API server is in trouble that may pass. */

import { pause, systemClock } from "@tiphys/base/clock";
import { sortError } from "@tiphys/kube";

const RETRY_MS = 200;

/**
 * Asks until there is an answer, or until the signal is aborted: whoever comes next finds out what is to be done. `onTrouble`
 * hears of the first failure that may pass.
 * @throws what is no trouble that may pass.
 */
export async function keepTrying(
  ask: () => Promise<unknown>,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await ask();
      return;
    } catch (error) {
      if (sortError(error) !== "transient") throw error;
      if (isFirst) onTrouble(error);
    }
    await pause(systemClock, RETRY_MS, signal).catch(() => {});
  }
}
