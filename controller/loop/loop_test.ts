import { assertEquals } from "@std/assert";
import { KubeError, type KubeObject } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import type { FailedPass, Kind, Requeue } from "./kind.ts";
import { Loop } from "./loop.ts";
import { flushPromisesAndTimers } from "../../lib/base/clock/testing/settled.ts";

const KEY = "ns/one";

/** A kind with one object, whose passes end as `ends` specifies; the last entry repeats. */
class OneObject implements Kind {
  readonly name = "thing";
  readonly passes: number[] = [];
  readonly failures: FailedPass[] = [];
  version = 1;
  readonly clock = fakeClock();
  readonly #began = this.clock.now();
  readonly #ends: (Requeue | Error)[];

  constructor(...ends: (Requeue | Error)[]) {
    this.#ends = ends;
  }

  cachedObject(): KubeObject {
    return { metadata: { name: "one", namespace: "ns", uid: "u", resourceVersion: String(this.version) } };
  }

  pass(): Promise<{ requeue: Requeue }> {
    this.passes.push((this.clock.now() - this.#began) / 1000);
    const end = this.#ends.length > 1 ? this.#ends.shift()! : this.#ends[0]!;
    if (end instanceof Error) return Promise.reject(end);
    return Promise.resolve({ requeue: typeof end === "number" ? this.clock.now() + end : end });
  }

  isOfObject = (error: unknown) => error instanceof UserError;
  retryAfterConflict = () => this.clock.now() + 200;

  reportFailure(_key: string, failed: FailedPass): Promise<KubeObject> {
    this.failures.push(failed);
    this.version++;
    return Promise.resolve(this.cachedObject());
  }
}

/** Enqueues a pass, advances the clock second by second, and returns when passes ran. */
async function passesOf(kind: OneObject, seconds: number): Promise<number[]> {
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1 });
  loop.add(KEY);
  await flushPromisesAndTimers();
  for (let second = 0; second < seconds; second++) {
    kind.clock.advance(1000);
    await flushPromisesAndTimers();
  }
  await loop.close();
  return kind.passes;
}

Deno.test("loop: runs the next pass at the time that a pass returns, according to the given clock", async () => {
  assertEquals(await passesOf(new OneObject(5000, 86_400_000 * 40, "onChange"), 10), [0, 5]);
  assertEquals(await passesOf(new OneObject("now", "onChange"), 10), [0, 0]);
});

Deno.test("loop: transient errors are retried with growing delays, which a successful pass resets", async () => {
  const down = new KubeError("down", { status: 503 });
  assertEquals(await passesOf(new OneObject(down, down, 2000, down, "onChange"), 20), [0, 1, 3, 5, 6]);
});

Deno.test("loop: an object that cannot be processed is reported, and its delay doubles each time", async () => {
  const kind = new OneObject(new UserError("the server says 503 Service Unavailable"));
  assertEquals(await passesOf(kind, 20), [0, 1, 3, 7, 15]);
  assertEquals(kind.failures.map(({ failures }) => failures), [1, 2, 3, 4, 5]);
});

Deno.test("loop: a conflict is not a failure, and the next pass runs soon", async () => {
  const kind = new OneObject(new KubeError("changed", { status: 409, reason: "Conflict" }), "onChange");
  assertEquals(await passesOf(kind, 3), [0, 0.2]);
  assertEquals(kind.failures, []);
});

for (
  const [title, resumedBefore] of [
    ["loop: processes no object while it is paused, and resumes with those that were enqueued", false],
    [
      "loop: objects that were enqueued while paused are not lost when settings change and the pause continues",
      true,
    ],
  ] as const
) {
  Deno.test(title, async () => {
    let isPaused = true;
    const kind = new OneObject("onChange");
    const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1, isPaused: () => isPaused });
    loop.add(KEY);
    await flushPromisesAndTimers();
    if (resumedBefore) loop.resume();
    await flushPromisesAndTimers();
    assertEquals(kind.passes, []);
    isPaused = false;
    loop.resume();
    await flushPromisesAndTimers();
    assertEquals(kind.passes, [0]);
    await loop.close();
  });
}

Deno.test("loop: reports the end of an object's quarantine, and undefined without one", async () => {
  const kind = new OneObject(new UserError("no"));
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1 });
  assertEquals(loop.stateOf(KEY).quarantine, undefined);
  loop.add(KEY);
  await flushPromisesAndTimers();
  assertEquals(loop.stateOf(KEY).quarantine, { until: kind.clock.now() + 1000 });
  await loop.close();
});

Deno.test("loop: a pass that its guard refuses does not run, and the failure is reported", async () => {
  const kind = new OneObject("onChange");
  const calls: string[] = [];
  let isRefused = false;
  const guard = {
    beginPass: () => (calls.push("enter"), !isRefused),
    endPass: () => void calls.push("leave"),
  };
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1, guard });
  loop.add(KEY);
  await flushPromisesAndTimers();
  assertEquals([calls.splice(0), kind.passes.length], [["enter", "leave"], 1]);
  isRefused = true;
  loop.add(KEY);
  await flushPromisesAndTimers();
  assertEquals([calls, kind.passes.length], [["enter"], 1]);
  assertEquals(kind.failures.map(({ error }) => kind.isOfObject(error)), [true]);
  await loop.close();
});
