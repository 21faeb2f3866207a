import { assertEquals } from "@std/assert";
import { type RateLimit, RateLimiter } from "./rate_limiter.ts";

/** A clock that the test controls. */
function manualClock() {
  let now = 0;
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    after(millis: number, act: () => void) {
      timers.set(act, now + millis);
      return () => void timers.delete(act);
    },
    async pass(millis: number) {
      now += millis;
      for (const [act, time] of [...timers]) {
        if (time > now) continue;
        timers.delete(act);
        act();
      }
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

/** Requests tokens, and counts those that were granted. */
function requestTokens(limiter: RateLimiter, times: number): { through: number; turnedAway: number } {
  const count = { through: 0, turnedAway: 0 };
  for (let i = 0; i < times; i++) {
    void limiter.take().then((mayGo) => void (mayGo ? count.through++ : count.turnedAway++));
  }
  return count;
}

Deno.test("RateLimiter: admits a burst immediately, and then as many callers as tokens flow in", async () => {
  const clock = manualClock();
  const count = requestTokens(new RateLimiter({ limit: () => ({ limit: 2, burst: 3 }), clock }), 8);
  const seen: number[] = [];
  for (const millis of [0, 400, 100, 500, 500]) {
    await clock.pass(millis);
    seen.push(count.through);
  }
  assertEquals(seen, [3, 3, 4, 5, 6]);
});

Deno.test("RateLimiter: delays no caller without a limit, and applies a new limit at once", async () => {
  const clock = manualClock();
  let limit: RateLimit | undefined;
  const limiter = new RateLimiter({ limit: () => limit, clock });
  const free = requestTokens(limiter, 100);
  await clock.pass(0);
  limit = { limit: 0, burst: 2 };
  const limited = requestTokens(limiter, 5);
  await clock.pass(3_600_000);
  assertEquals([free.through, limited.through], [100, 2]);
  limit = undefined;
  limiter.reconsider();
  await clock.pass(0);
  assertEquals(limited.through, 5);
});

Deno.test("RateLimiter: rejects waiting and later callers when it is closed", async () => {
  const clock = manualClock();
  const limiter = new RateLimiter({ limit: () => ({ limit: 1, burst: 1 }), clock });
  const before = requestTokens(limiter, 3);
  await clock.pass(0);
  limiter.close();
  const after = requestTokens(limiter, 1);
  await clock.pass(0);
  assertEquals([before, after], [{ through: 1, turnedAway: 2 }, { through: 0, turnedAway: 1 }]);
});
