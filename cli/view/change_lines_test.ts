import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { ChangeLines } from "./change_lines.ts";
import { PLAIN } from "./look.ts";

const NOW = new Date("2026-01-01T00:01:00Z");

function workflow(phase: "Running" | "Succeeded", ...nodes: readonly Partial<NodeStatus>[]): Workflow {
  const all = nodes.map((node) => [node.name, { id: node.name, type: "Pod", ...node }]);
  return { metadata: { name: "w", uid: "u" }, spec: {}, status: { phase, nodes: Object.fromEntries(all) } };
}

const START = "2026-01-01T00:00:00Z";
const END = "2026-01-01T00:00:07Z";

Deno.test("ChangeLines: reports each change of a node once", () => {
  const changes = new ChangeLines(PLAIN);
  const running = workflow("Running", { name: "w.a", phase: "Running", startedAt: START });
  assertEquals(changes.linesOf(running, NOW), ["● a  Running", "● Workflow w  Running"]);
  assertEquals(changes.linesOf(running, NOW), []);
  const done = workflow("Succeeded", { name: "w.a", phase: "Succeeded", startedAt: START, finishedAt: END });
  assertEquals(changes.linesOf(done, NOW), ["✔ a  Succeeded  7s", "✔ Workflow w  Succeeded"]);
});

Deno.test("ChangeLines: a change is one line, with any message", () => {
  const failed = workflow("Running", { name: "w.a", phase: "Failed", message: "bad\n::set-env name=x::y" });
  assertEquals(new ChangeLines(PLAIN).linesOf(failed, NOW)[0], "✖ a  Failed  bad ::set-env name=x::y");
});

Deno.test("ChangeLines: a new message is a change", () => {
  const changes = new ChangeLines(PLAIN);
  changes.linesOf(workflow("Running", { name: "w", phase: "Pending", startedAt: START }), NOW);
  const waiting = workflow("Running", { name: "w", phase: "Pending", message: "ContainerCreating", startedAt: START });
  assertEquals(changes.linesOf(waiting, NOW), ["◷ w  Pending  ContainerCreating"]);
});

Deno.test("ChangeLines: a parent node starts before its children and ends after them", () => {
  const nodes = (phase: "Running" | "Succeeded", finishedAt?: string) => [
    { name: "w[0].a", phase, startedAt: START, finishedAt },
    { name: "w", type: "Steps" as const, phase, startedAt: START, finishedAt },
    { name: "w[0]", type: "StepGroup" as const, phase, startedAt: START, finishedAt },
  ];
  const changes = new ChangeLines(PLAIN);
  assertEquals(changes.linesOf(workflow("Running", ...nodes("Running")), NOW).slice(0, 2), [
    "● w  Running",
    "● [0].a  Running",
  ]);
  assertEquals(changes.linesOf(workflow("Succeeded", ...nodes("Succeeded", END)), NOW).slice(0, 2), [
    "✔ [0].a  Succeeded  7s",
    "✔ w  Succeeded  7s",
  ]);
});
