import { assertEquals, assertRejects } from "@std/assert";
import { NetError } from "@tiphys/base/net";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { StoreError } from "@tiphys/model/artifact";
import { isRetryable, retryPolicyOf, retryTransient } from "./retry.ts";

const { signal } = new AbortController();
const DEFAULTS = retryPolicyOf(() => undefined);

/** Fails with these errors in order. Returns the times of all attempts in milliseconds. */
async function attemptTimes(errors: readonly Error[], random = 0): Promise<{ times: number[]; problem?: string }> {
  const clock = fakeClock();
  const times: number[] = [];
  const left = [...errors];
  const how = { policy: DEFAULTS, clock, stop: signal, log: () => {}, random: () => random };
  const work = retryTransient(how, () => {
    times.push(clock.elapsed);
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve();
  });
  const problem = await clock.runUntil(work).then(() => undefined, (error: Error) => error.message);
  return { times, problem };
}

const busy = (retryAfter?: number) => new StoreError("503 Slow Down", "transient", retryAfter);

Deno.test("retrying() waits one second, then 1.6 times as long each time, and gives up after five attempts", async () => {
  const { times, problem } = await attemptTimes(Array.from({ length: 9 }, () => busy()));
  assertEquals(times.map(Math.round), [0, 1000, 2600, 5160, 9256]);
  assertEquals(problem, "503 Slow Down (gave up after 5 tries in 9 s)");
});

Deno.test("retrying() adds up to half of the delay at random", async () => {
  assertEquals((await attemptTimes([busy(), busy()], 1)).times, [0, 1500, 3900]);
});

Deno.test("retrying() honors the delay that a store requests, up to a minute", async () => {
  assertEquals((await attemptTimes([busy(2000), busy(3_600_000)])).times, [0, 2000, 62_000]);
});

Deno.test("retrying() does not retry final errors", async () => {
  for (const kind of ["missing", "bucket", "forbidden", "final"] as const) {
    assertEquals(await attemptTimes([new StoreError(kind, kind)]), { times: [0], problem: kind });
  }
  assertEquals(await attemptTimes([new NetError("unknown CA", false)]), { times: [0], problem: "unknown CA" });
  assertEquals(await attemptTimes([new Error("a mistake of ours")]), { times: [0], problem: "a mistake of ours" });
});

Deno.test("isRetryable() is true for network errors, changed content, and messages of the operator's pattern", async () => {
  const pass = [new NetError("reset", true), new Deno.errors.ConnectionReset(), new StoreError("other", "changed")];
  for (const error of pass) assertEquals(await isRetryable(error), true);
  assertEquals(await isRetryable(new Error("quota of today"), { pattern: "quota (of|for) \\w+" }), true);
  assertEquals(await isRetryable(new StoreError("quota of today", "forbidden"), { pattern: "quota" }), true);
  assertEquals(await isRetryable(new Error("quota of today"), { pattern: "(quota" }), false);
});

Deno.test("retryPolicyOf() reads Argo's variables, and uses defaults for invalid values", () => {
  const env: Record<string, string> = {
    EXECUTOR_RETRY_BACKOFF_STEPS: "2",
    EXECUTOR_RETRY_BACKOFF_DURATION: "10ms",
    EXECUTOR_RETRY_BACKOFF_FACTOR: "-1",
    EXECUTOR_RETRY_BACKOFF_JITTER: "x",
    TRANSIENT_ERROR_PATTERN: "quota",
  };
  const policy = { steps: 2, firstMillis: 10, factor: 1.6, jitter: 0.5, pattern: "quota" };
  assertEquals(retryPolicyOf((name) => env[name]), policy);
});

Deno.test("retrying() ends with the reason of the abort, also while it waits", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const how = { policy: DEFAULTS, clock, stop: stop.signal, log: () => {} };
  const work = retryTransient(how, () => Promise.reject(busy()));
  await clock.nextTimer();
  stop.abort(new Error("the pod ends"));
  await assertRejects(() => work, Error, "the pod ends");
});
