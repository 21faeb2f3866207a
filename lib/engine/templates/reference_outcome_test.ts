import { assertEquals } from "@std/assert";
import type { NodeStatus, Template } from "@tiphys/model/api";
import { outcomeOfReference, type Producer, type ReferenceOutcome } from "./reference_outcome.ts";

const TEMPLATE = {
  name: "t",
  outputs: { parameters: [{ name: "d", valueFrom: { path: "/d", default: "else" } }] },
} as Template;

function producer(node: Partial<NodeStatus> | undefined, isLoop = false): Producer {
  return { node: node as NodeStatus | undefined, isLoop, template: () => TEMPLATE };
}

/** The fate of a name, with these steps or tasks as producers. */
function fate(name: string, found: Producer | string): ReferenceOutcome {
  return outcomeOfReference("tasks", name, () => found);
}

function never(reason: string): ReferenceOutcome {
  return { kind: "never", reason };
}

Deno.test("fateOfReference: a value may come while its producer has not begun or is running", () => {
  assertEquals(fate("tasks.a.outputs.result", producer(undefined)), { kind: "later" });
  assertEquals(fate("tasks.a.outputs.result", producer({ phase: "Running" })), { kind: "later" });
  assertEquals(fate("tasks.a.outputs.result", producer({ phase: "Failed", taskResultSynced: false })), {
    kind: "later",
  });
});

Deno.test("fateOfReference: the address of a daemon that is up may come, its outputs never do", () => {
  const daemon = producer({ phase: "Running", daemoned: true });
  assertEquals(fate("tasks.a.ip", daemon), { kind: "later" });
  assertEquals(fate("tasks.a.outputs.result", daemon), never("tasks.a is running and has no result"));
});

Deno.test("fateOfReference: a declared default replaces an output that never comes", () => {
  assertEquals(fate("tasks.a.outputs.parameters.d", producer({ phase: "Failed" })), { kind: "value", value: "else" });
  assertEquals(fate("tasks.a.outputs.parameters.d", producer({ phase: "Succeeded" }, true)), {
    kind: "value",
    value: "else",
  });
});

Deno.test("fateOfReference: a value never comes when its producer has ended without it", () => {
  assertEquals(
    fate("tasks.a.outputs.parameters.q", producer({ phase: "Error" })),
    never("tasks.a errored and has no output q"),
  );
  assertEquals(
    fate("tasks.a.exitCode", producer({ phase: "Skipped" })),
    never("tasks.a was skipped and has no exitCode"),
  );
  assertEquals(
    fate("tasks.a.outputs.parameters.q", producer({ phase: "Succeeded" }, true)),
    never("no call of tasks.a succeeded with an output q"),
  );
});

Deno.test("fateOfReference: a value never comes from what the steps or task may not refer to", () => {
  assertEquals(fate("tasks.z.status", "there is no task z"), never("there is no task z"));
  assertEquals(fate("steps.a.status", producer({ phase: "Succeeded" })), never("a task can refer to tasks only"));
  assertEquals(fate("tasks", producer(undefined)), never("tasks has no value"));
});
