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

/** Returns the outcome of a reference, with these steps or tasks as producers. */
function outcome(name: string, source: Producer | string): ReferenceOutcome {
  return outcomeOfReference("tasks", name, () => source);
}

function never(reason: string): ReferenceOutcome {
  return { kind: "never", reason };
}

Deno.test("outcomeOfReference: a value may follow while its producer is running or has not started", () => {
  assertEquals(outcome("tasks.a.outputs.result", producer(undefined)), { kind: "later" });
  assertEquals(outcome("tasks.a.outputs.result", producer({ phase: "Running" })), { kind: "later" });
  assertEquals(outcome("tasks.a.outputs.result", producer({ phase: "Failed", taskResultSynced: false })), {
    kind: "later",
  });
});

Deno.test("outcomeOfReference: the address of a running daemon may follow, its outputs never do", () => {
  const daemon = producer({ phase: "Running", daemoned: true });
  assertEquals(outcome("tasks.a.ip", daemon), { kind: "later" });
  assertEquals(outcome("tasks.a.outputs.result", daemon), never("tasks.a is running and has no result"));
});

Deno.test("outcomeOfReference: a declared default replaces an output that never gets a value", () => {
  assertEquals(outcome("tasks.a.outputs.parameters.d", producer({ phase: "Failed" })), {
    kind: "value",
    value: "else",
  });
  assertEquals(outcome("tasks.a.outputs.parameters.d", producer({ phase: "Succeeded" }, true)), {
    kind: "value",
    value: "else",
  });
});

Deno.test("outcomeOfReference: an output never gets a value if its producer has ended without it", () => {
  assertEquals(
    outcome("tasks.a.outputs.parameters.q", producer({ phase: "Error" })),
    never("tasks.a errored and has no output q"),
  );
  assertEquals(
    outcome("tasks.a.exitCode", producer({ phase: "Skipped" })),
    never("tasks.a was skipped and has no exitCode"),
  );
  assertEquals(
    outcome("tasks.a.outputs.parameters.q", producer({ phase: "Succeeded" }, true)),
    never("no call of tasks.a succeeded with an output q"),
  );
});

Deno.test("outcomeOfReference: a reference to a step or task that may not be referred to never gets a value", () => {
  assertEquals(outcome("tasks.z.status", "there is no task z"), never("there is no task z"));
  assertEquals(outcome("steps.a.status", producer({ phase: "Succeeded" })), never("a task can refer to tasks only"));
  assertEquals(outcome("tasks", producer(undefined)), never("tasks has no value"));
});
