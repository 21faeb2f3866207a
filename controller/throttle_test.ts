import { assertEquals } from "@std/assert";
import { type Limits, Throttle } from "./throttle.ts";

function workflow(key: string, fields: { phase?: string; priority?: number; created?: string } = {}) {
  const [namespace, name] = key.split("/");
  return {
    metadata: { namespace, name, creationTimestamp: fields.created ?? "2026-01-01T00:00:00Z" },
    spec: { priority: fields.priority },
    status: { phase: fields.phase },
  };
}

function throttle(limits: Limits) {
  const admitted: string[] = [];
  const throttle = new Throttle(() => limits, (key) => admitted.push(key));
  return { throttle, admitted };
}

Deno.test("Throttle lets everything start where there is no limit", () => {
  const { throttle: all } = throttle({});
  for (const key of ["n/a", "n/b"]) all.see(workflow(key));
  assertEquals([all.mayRun("n/a"), all.mayRun("n/b"), all.mayRun("n/never-seen")], [true, true, true]);
});

Deno.test("Throttle starts higher priorities first, then the older, and the next when one is over", () => {
  const { throttle: one, admitted } = throttle({ parallelism: 1 });
  one.see(workflow("n/old", { created: "2026-01-01T00:00:01Z" }));
  one.see(workflow("n/older"));
  one.see(workflow("n/urgent", { created: "2026-01-01T00:00:02Z", priority: 9 }));
  assertEquals([one.mayRun("n/old"), one.mayRun("n/older"), one.mayRun("n/urgent")], [false, false, true]);
  one.see(workflow("n/urgent", { phase: "Succeeded" }));
  one.forget("n/older");
  assertEquals(admitted, ["n/older", "n/old"]);
  assertEquals(one.mayRun("n/old"), true);
});

Deno.test("Throttle counts what is at work already when it starts", () => {
  const { throttle: two } = throttle({ parallelism: 2 });
  two.see(workflow("n/waits"));
  two.see(workflow("n/runs", { phase: "Running" }));
  two.see(workflow("n/runs-too", { phase: "Running" }));
  assertEquals(two.mayRun("n/waits"), false);
});

Deno.test("Throttle keeps a namespace to its own limit, and lets others pass", () => {
  const { throttle: each } = throttle({ namespaceParallelism: 1 });
  for (const key of ["a/1", "a/2", "b/1"]) each.see(workflow(key));
  assertEquals([each.mayRun("a/1"), each.mayRun("a/2"), each.mayRun("b/1")], [true, false, true]);
});

Deno.test("Throttle stops nothing that runs when the limit becomes smaller, and lets more start when it grows", () => {
  const limits = { parallelism: 1 };
  const { throttle: changing, admitted } = throttle(limits);
  for (const key of ["n/a", "n/b"]) changing.see(workflow(key));
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, false]);
  limits.parallelism = 2;
  changing.reconsider();
  assertEquals(admitted, ["n/b"]);
  limits.parallelism = 1;
  assertEquals([changing.mayRun("n/a"), changing.mayRun("n/b")], [true, true]);
});
