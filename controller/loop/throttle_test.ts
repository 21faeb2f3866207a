import { assertEquals } from "@std/assert";
import { type Candidate, type Limits, Throttle, type WorkState } from "./throttle.ts";

function object(
  key: string,
  { state = "waiting", priority = 0, created = "2026-01-01T00:00:00Z" }: {
    state?: WorkState;
    priority?: number;
    created?: string;
  } = {},
): [string, WorkState, Candidate] {
  return [key, state, { namespace: key.split("/")[0]!, priority, created }];
}

function throttle(limits: Limits) {
  const admitted: string[] = [];
  const throttle = new Throttle(() => limits, (key) => admitted.push(key));
  return { throttle, admitted };
}

Deno.test("Throttle: admits everything without a limit", () => {
  const { throttle: all } = throttle({});
  for (const key of ["n/a", "n/b"]) all.recordState(...object(key));
  assertEquals([all.mayRun("n/a"), all.mayRun("n/b"), all.mayRun("n/never-seen")], [true, true, true]);
});

Deno.test("Throttle: admits higher priorities first, then older objects, and the next when one completes", () => {
  const { throttle: limit, admitted } = throttle({ parallelism: 1 });
  limit.recordState(...object("n/old", { created: "2026-01-01T00:00:01Z" }));
  limit.recordState(...object("n/older"));
  limit.recordState(...object("n/urgent", { created: "2026-01-01T00:00:02Z", priority: 9 }));
  assertEquals([limit.mayRun("n/old"), limit.mayRun("n/older"), limit.mayRun("n/urgent")], [false, false, true]);
  limit.recordState(...object("n/urgent", { state: "completed" }));
  limit.forget("n/older");
  assertEquals(admitted, ["n/older", "n/old"]);
  assertEquals(limit.mayRun("n/old"), true);
});

Deno.test("Throttle: counts objects that are already in progress at the start", () => {
  const { throttle: two } = throttle({ parallelism: 2 });
  two.recordState(...object("n/waits"));
  two.recordState(...object("n/runs", { state: "working" }));
  two.recordState(...object("n/runs-too", { state: "working" }));
  assertEquals(two.mayRun("n/waits"), false);
});

Deno.test("Throttle: a limit of a namespace does not affect other namespaces", () => {
  const { throttle: each } = throttle({ namespaceParallelism: 1 });
  for (const key of ["a/1", "a/2", "b/1"]) each.recordState(...object(key));
  assertEquals([each.mayRun("a/1"), each.mayRun("a/2"), each.mayRun("b/1")], [true, false, true]);
});

Deno.test("Throttle: lowering the limit stops nothing, and raising it admits more", () => {
  const limits = { parallelism: 1 };
  const { throttle: changing, admitted } = throttle(limits);
  for (const key of ["n/a", "n/b"]) changing.recordState(...object(key));
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, false]);
  limits.parallelism = 2;
  changing.reconsider();
  assertEquals(admitted, ["n/b"]);
  limits.parallelism = 1;
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, true]);
});

Deno.test("Throttle: returns the limit for which an object waits, and how many are ahead of it", () => {
  const { throttle: full } = throttle({ parallelism: 2, namespaceParallelism: 1 });
  full.recordState(...object("a/runs", { state: "working" }));
  for (const key of ["a/1", "a/2"]) full.recordState(...object(key));
  assertEquals(full.reachedLimitOf("a/2"), { of: "namespace", max: 1, before: 1 });
  assertEquals(full.reachedLimitOf("a/runs"), undefined);
  full.recordState(...object("b/runs", { state: "working" }));
  full.recordState(...object("c/1", { priority: 1 }));
  assertEquals(full.reachedLimitOf("a/1"), { of: "all", max: 2, before: 1 });
});

/** A reference implementation that visits all waiting objects for each decision. */
class PlainThrottle {
  readonly working = new Map<string, string>();
  readonly waiting = new Map<string, Candidate>();

  constructor(readonly limits: Required<Limits>) {}

  hasRoom(namespace: string): boolean {
    const { parallelism, namespaceParallelism } = this.limits;
    const own = [...this.working.values()].filter((candidate) => candidate === namespace).length;
    return this.working.size < parallelism && own < namespaceParallelism;
  }

  see(key: string, state: WorkState, candidate: Candidate): void {
    if (state === "completed") return this.forget(key);
    if (this.working.has(key)) return;
    if (state === "waiting") return void this.waiting.set(key, candidate);
    this.waiting.delete(key);
    this.working.set(key, candidate.namespace);
  }

  forget(key: string): void {
    this.waiting.delete(key);
    if (this.working.delete(key)) this.admit();
  }

  admit(): void {
    const order = [...this.waiting].sort(([aKey, a], [bKey, b]) =>
      b.priority - a.priority || (a.created < b.created ? -1 : a.created > b.created ? 1 : aKey < bKey ? -1 : 1)
    );
    for (const [key, { namespace }] of order) {
      if (!this.hasRoom(namespace)) continue;
      this.waiting.delete(key);
      this.working.set(key, namespace);
    }
  }
}

Deno.test("Throttle: admits the same objects as an implementation that visits all waiting ones", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  for (let round = 0; round < 60; round++) {
    const limits = { parallelism: 1 + random(6), namespaceParallelism: 1 + random(3) };
    const { throttle: fast } = throttle(limits);
    const plain = new PlainThrottle(limits);
    for (let step = 0; step < 120; step++) {
      const key = `n${random(4)}/${random(12)}`;
      const created = `2026-01-01T00:00:0${random(4)}Z`;
      const state = (["waiting", "waiting", "waiting", "working", "completed"] as const)[random(5)]!;
      const seen = object(key, { state, created, priority: random(3) });
      if (random(6) === 0) {
        fast.forget(key);
        plain.forget(key);
      } else {
        fast.recordState(...seen);
        plain.see(...seen);
      }
      if (random(8) === 0) {
        Object.assign(limits, { parallelism: 1 + random(6), namespaceParallelism: 1 + random(3) });
        fast.reconsider();
        plain.admit();
      }
      if (plain.waiting.has(key) && plain.hasRoom(seen[2].namespace)) plain.admit();
      assertEquals(fast.mayRun(key), !plain.waiting.has(key), `round ${round}, step ${step}: ${key}`);
    }
    fast.reconsider();
    plain.admit();
    for (const key of plain.waiting.keys()) assertEquals(fast.mayRun(key), false);
    for (const key of plain.working.keys()) assertEquals(fast.mayRun(key), true);
  }
});

Deno.test("Throttle: starting and completing an object does not visit all waiting objects of another namespace", () => {
  const lookedAt = (waiting: number) => {
    let looks = 0;
    const { throttle: limit } = throttle({ namespaceParallelism: 1 });
    limit.recordState(...object("busy/first", { state: "working" }));
    for (let index = 0; index < waiting; index++) {
      const [key, state, candidate] = object(`busy/${index}`);
      const counted = {
        ...candidate,
        get priority() {
          looks++;
          return 0;
        },
      };
      limit.recordState(key, state, counted);
    }
    looks = 0;
    for (let index = 0; index < 10; index++) {
      limit.recordState(...object(`other/${index}`));
      assertEquals(limit.mayRun(`other/${index}`), true);
      limit.recordState(...object(`other/${index}`, { state: "completed" }));
    }
    return looks;
  };
  assertEquals(lookedAt(5000), lookedAt(5));
});

Deno.test("Throttle: objects that are removed while waiting leave no entries behind", () => {
  const { throttle: full } = throttle({ parallelism: 1 });
  full.recordState(...object("n/works", { state: "working" }));
  full.recordState(...object("n/stays"));
  let looks = 0;
  for (let index = 0; index < 2000; index++) {
    const [key, state, candidate] = object(`n/${index}`, { created: "2026-01-02T00:00:00Z" });
    full.recordState(key, state, {
      ...candidate,
      get priority() {
        looks++;
        return 0;
      },
    });
    full.forget(key);
  }
  looks = 0;
  full.forget("n/works");
  full.forget("n/stays");
  assertEquals([full.mayRun("n/stays"), looks < 1000], [true, true]);
});
