/** Retries of transient errors, with backoff from the environment. */
import { pause } from "@tiphys/base/clock";
import { classifyError } from "@tiphys/kube/errors";
import { matchesPattern } from "@tiphys/artifacts/transfer/operators_pattern";
import { describeError } from "../failure.ts";
import { durationMillis } from "./duration_millis.ts";
import type { World } from "../world.ts";

/**
 * Calls `act`, and retries it after transient errors. The operator can declare further errors as transient with
 * `TRANSIENT_ERROR_PATTERN`.
 */
export async function retryTransient<T>(world: World, act: () => Promise<T>, stop?: AbortSignal): Promise<T> {
  const steps = numberOf(world, "EXECUTOR_RETRY_BACKOFF_STEPS", 5);
  const factor = numberOf(world, "EXECUTOR_RETRY_BACKOFF_FACTOR", 1.6);
  const jitter = numberOf(world, "EXECUTOR_RETRY_BACKOFF_JITTER", 0.5);
  let wait = durationMillis(world.env("EXECUTOR_RETRY_BACKOFF_DURATION"), 1000);
  for (let step = 1;; step++) {
    try {
      return await act();
    } catch (error) {
      stop?.throwIfAborted();
      if (step >= steps) throw error;
      if (
        classifyError(error) !== "transient" &&
        !await matchesPattern(describeError(error), world.env("TRANSIENT_ERROR_PATTERN"))
      ) throw error;
      world.log(`retrying: ${describeError(error)}`);
      await pause(world.clock, wait * (1 + Math.random() * jitter), stop);
      wait *= factor;
    }
  }
}

function numberOf(world: World, name: string, otherwise: number): number {
  const value = Number(world.env(name) || NaN);
  return value >= 0 ? value : otherwise;
}
