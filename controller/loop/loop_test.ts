import { assertEquals } from "@std/assert";
import { KubeError, type KubeObject } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import type { ComeBack, Hopeless, Kind } from "./kind.ts";
import { Loop } from "./loop.ts";
import { settledWithTimers } from "../../lib/base/clock/testing/settled.ts";

const KEY = "ns/one";

/** A kind with one object, whose passes end as the test says: each with the next of `ends`, the last again and again. */
class OneObject implements Kind {
  readonly name = "thing";
  readonly passes: number[] = [];
  readonly given: Hopeless[] = [];
  version = 1;
  readonly clock = fakeClock();
  readonly #began = this.clock.now();
  readonly #ends: (ComeBack | Error)[];

  constructor(...ends: (ComeBack | Error)[]) {
    this.#ends = ends;
  }

  seen(): KubeObject {
    return { metadata: { name: "one", namespace: "ns", uid: "u", resourceVersion: String(this.version) } };
  }

  pass(): Promise<{ comeBack: ComeBack }> {
    this.passes.push((this.clock.now() - this.#began) / 1000);
    const end = this.#ends.length > 1 ? this.#ends.shift()! : this.#ends[0]!;
    if (end instanceof Error) return Promise.reject(end);
    return Promise.resolve({ comeBack: typeof end === "number" ? this.clock.now() + end : end });
  }

  isOfObject = (error: unknown) => error instanceof UserError;
  conflicted = () => this.clock.now() + 200;

  giveUp(_key: string, hopeless: Hopeless): Promise<KubeObject> {
    this.given.push(hopeless);
    this.version++;
    return Promise.resolve(this.seen());
  }
}

/** Asks for a pass, and moves the clock by so many seconds, one after the other; when there were passes. */
async function passesOf(kind: OneObject, seconds: number): Promise<number[]> {
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1 });
  loop.add(KEY);
  await settledWithTimers();
  for (let second = 0; second < seconds; second++) {
    kind.clock.advance(1000);
    await settledWithTimers();
  }
  await loop.close();
  return kind.passes;
}

Deno.test("the loop comes back when a pass says so, by the clock that it was given", async () => {
  assertEquals(await passesOf(new OneObject(5000, 86_400_000 * 40, "onChange"), 10), [0, 5]);
  assertEquals(await passesOf(new OneObject("now", "onChange"), 10), [0, 0]);
});

Deno.test("the world's trouble is waited out, for longer each time, and forgotten after a whole pass", async () => {
  const down = new KubeError("down", { status: 503 });
  assertEquals(await passesOf(new OneObject(down, down, 2000, down, "onChange"), 20), [0, 1, 3, 5, 6]);
});

Deno.test("an object that cannot be worked is marked, and rests twice as long each time", async () => {
  const kind = new OneObject(new UserError("the server says 503 Service Unavailable"));
  assertEquals(await passesOf(kind, 20), [0, 1, 3, 7, 15]);
  assertEquals(kind.given.map(({ failures }) => failures), [1, 2, 3, 4, 5]);
});

Deno.test("a conflict is no failure: the object is looked at again soon", async () => {
  const kind = new OneObject(new KubeError("changed", { status: 409, reason: "Conflict" }), "onChange");
  assertEquals(await passesOf(kind, 3), [0, 0.2]);
  assertEquals(kind.given, []);
});

for (
  const [title, resumedBefore] of [
    ["a loop that is held works no object, and afterwards those that were asked for meanwhile", false],
    [
      "an object that was asked for while nothing may be worked is not lost when settings change and that goes on",
      true,
    ],
  ] as const
) {
  Deno.test(title, async () => {
    let isHeld = true;
    const kind = new OneObject("onChange");
    const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1, isHeld: () => isHeld });
    loop.add(KEY);
    await settledWithTimers();
    if (resumedBefore) loop.resume();
    await settledWithTimers();
    assertEquals(kind.passes, []);
    isHeld = false;
    loop.resume();
    await settledWithTimers();
    assertEquals(kind.passes, [0]);
    await loop.close();
  });
}

Deno.test("the loop says until when an object rests that cannot be worked, and nothing of one that can", async () => {
  const kind = new OneObject(new UserError("no"));
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1 });
  assertEquals(loop.stateOf(KEY).quarantine, undefined);
  loop.add(KEY);
  await settledWithTimers();
  assertEquals(loop.stateOf(KEY).quarantine, { until: kind.clock.now() + 1000 });
  await loop.close();
});

Deno.test("the loop: a pass that its guard refuses is not made, and its object is given up", async () => {
  const kind = new OneObject("onChange");
  const calls: string[] = [];
  let isRefused = false;
  const guard = {
    enter: () => (calls.push("enter"), !isRefused),
    leave: () => void calls.push("leave"),
  };
  const loop = new Loop({ kind, log: silentLog, clock: kind.clock, workers: 1, guard });
  loop.add(KEY);
  await settledWithTimers();
  assertEquals([calls.splice(0), kind.passes.length], [["enter", "leave"], 1]);
  isRefused = true;
  loop.add(KEY);
  await settledWithTimers();
  assertEquals([calls, kind.passes.length], [["enter"], 1]);
  assertEquals(kind.given.map(({ error }) => kind.isOfObject(error)), [true]);
  await loop.close();
});
