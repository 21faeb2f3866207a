/** Transfers of artifacts in tests. */
import type { FakeClock } from "../../base/clock/testing/fake_clock.ts";
import { retryPolicyOf, type Transfer } from "../transfer/mod.ts";

/**
 * The settings of a transfer with a fake clock: two concurrent objects, the default retries, and an empty environment.
 */
export function testTransfer(clock: FakeClock, stop: AbortSignal): Transfer {
  return { policy: retryPolicyOf(() => undefined), clock, stop, log: () => {}, objects: 2, env: () => undefined };
}
