/** Moves of artifacts in tests. */
import type { FakeClock } from "../../clock/testing/fake_clock.ts";
import { retryPolicyOf, type Transfer } from "../transfer/mod.ts";

/** The settings of a move by a clock of the test's own: two objects at once, the usual retries, and no environment. */
export function transferBy(clock: FakeClock, stop: AbortSignal): Transfer {
  return { policy: retryPolicyOf(() => undefined), clock, stop, log: () => {}, objects: 2, env: () => undefined };
}
