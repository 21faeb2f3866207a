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

Deno.test("Throttle lets everything start where there is no limit", () => {
  const { throttle: all } = throttle({});
  for (const key of ["n/a", "n/b"]) all.see(...object(key));
  assertEquals([all.mayRun("n/a"), all.mayRun("n/b"), all.mayRun("n/never-seen")], [true, true, true]);
});

Deno.test("Throttle starts higher priorities first, then the older, and the next when one is over", () => {
  const { throttle: one, admitted } = throttle({ parallelism: 1 });
  one.see(...object("n/old", { created: "2026-01-01T00:00:01Z" }));
  one.see(...object("n/older"));
  one.see(...object("n/urgent", { created: "2026-01-01T00:00:02Z", priority: 9 }));
  assertEquals([one.mayRun("n/old"), one.mayRun("n/older"), one.mayRun("n/urgent")], [false, false, true]);
  one.see(...object("n/urgent", { state: "over" }));
  one.forget("n/older");
  assertEquals(admitted, ["n/older", "n/old"]);
  assertEquals(one.mayRun("n/old"), true);
});

Deno.test("Throttle counts what is at work already when it starts", () => {
  const { throttle: two } = throttle({ parallelism: 2 });
  two.see(...object("n/waits"));
  two.see(...object("n/runs", { state: "working" }));
  two.see(...object("n/runs-too", { state: "working" }));
  assertEquals(two.mayRun("n/waits"), false);
});

Deno.test("Throttle keeps a namespace to its own limit, and lets others pass", () => {
  const { throttle: each } = throttle({ namespaceParallelism: 1 });
  for (const key of ["a/1", "a/2", "b/1"]) each.see(...object(key));
  assertEquals([each.mayRun("a/1"), each.mayRun("a/2"), each.mayRun("b/1")], [true, false, true]);
});

Deno.test("Throttle stops nothing that runs when the limit becomes smaller, and lets more start when it grows", () => {
  const limits = { parallelism: 1 };
  const { throttle: changing, admitted } = throttle(limits);
  for (const key of ["n/a", "n/b"]) changing.see(...object(key));
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, false]);
  limits.parallelism = 2;
  changing.reconsider();
  assertEquals(admitted, ["n/b"]);
  limits.parallelism = 1;
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, true]);
});

Deno.test("Throttle says at which limit an object waits, and how many wait before it", () => {
  const { throttle: full } = throttle({ parallelism: 2, namespaceParallelism: 1 });
  full.see(...object("a/runs", { state: "working" }));
  for (const key of ["a/1", "a/2"]) full.see(...object(key));
  assertEquals(full.hurdleOf("a/2"), { of: "namespace", most: 1, before: 1 });
  assertEquals(full.hurdleOf("a/runs"), undefined);
  full.see(...object("b/runs", { state: "working" }));
  full.see(...object("c/1", { priority: 1 }));
  assertEquals(full.hurdleOf("a/1"), { of: "all", most: 2, before: 1 });
});
