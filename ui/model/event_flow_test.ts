import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { EventObject } from "../api/source.ts";
import { type FlowFacts, flowOf, keyLitBy, layFlow, newRuns } from "./event_flow.ts";

const object = (name: string, spec: unknown): EventObject => ({
  metadata: { name, namespace: "data", creationTimestamp: undefined },
  whole: { spec },
});
const run = (name: string, labels: Record<string, string>, creationTimestamp = "2026-01-01T00:00:00Z") =>
  ({
    metadata: { name, namespace: "data", labels, creationTimestamp },
    spec: {},
    status: { phase: "Running" },
  }) as unknown as Workflow;
const OF_TRIGGER = { "events.argoproj.io/sensor": "ci", "events.argoproj.io/trigger": "build" };

const FACTS: FlowFacts = {
  sources: [object("github", { webhook: { push: {}, tag: {} } })],
  sensors: [object("ci", {
    dependencies: [
      { name: "p", eventSourceName: "github", eventName: "push" },
      { name: "x", eventSourceName: "gone", eventName: "lost" },
    ],
    triggers: [
      {
        template: {
          name: "build",
          conditions: "p && x",
          argoWorkflow: { source: { resource: { spec: { workflowTemplateRef: { name: "etl" } } } } },
        },
      },
      { template: { name: "tell", slack: {} } },
    ],
  })],
  bindings: [
    object("on-post", { event: { selector: "true" }, submit: { workflowTemplateRef: { name: "etl" } } }),
  ],
  runs: [
    run("new-3", OF_TRIGGER),
    run("new-2", OF_TRIGGER),
    run("new-1", OF_TRIGGER),
    run("posted", { "workflows.argoproj.io/workflow-event-binding": "on-post" }),
    run("stranger", { "events.argoproj.io/sensor": "other", "events.argoproj.io/trigger": "build" }),
  ],
};

function steps(facts: FlowFacts, choice = { hasRuns: true, isExpanded: false }): string[] {
  const { nodes, edges } = flowOf(facts, choice);
  return edges.map(({ from, to }) => `${nodes[from]!.label} > ${nodes[to]!.label}`);
}

Deno.test("flowOf: events lead to sensors, through conditions to triggers, and to the newest runs", () => {
  assertEquals(steps(FACTS), [
    "push > ci",
    "lost > ci",
    "ci > p && x",
    "p && x > build",
    "build > new-3",
    "build > new-2",
    "build > 1 more run",
    "ci > tell",
    "true > on-post",
    "on-post > posted",
  ]);
  const { nodes } = flowOf(FACTS, { hasRuns: false, isExpanded: false });
  assertEquals(nodes.map(({ kind, label, secondLine: sub }) => `${kind} ${label}: ${sub}`), [
    "event push: webhook of github",
    "event tag: webhook of github",
    "sensor ci: sensor",
    "event lost: of gone (missing)",
    "trigger build: submits etl",
    "condition p && x: condition",
    "trigger tell: slack",
    "event true: posted to the API",
    "binding on-post: submits etl",
  ]);
});

Deno.test("flowOf: shows all runs or no runs, depending on the choice", () => {
  assertEquals(steps(FACTS, { hasRuns: true, isExpanded: true }).includes("build > new-1"), true);
  assertEquals(steps(FACTS, { hasRuns: false, isExpanded: true }).some((step) => step.includes("new-")), false);
});

Deno.test("keyLitBy: a log entry highlights the steps of its event, or those to its trigger", () => {
  const { nodes, edges } = flowOf(FACTS, { hasRuns: true, isExpanded: false });
  const lit = (entry: Parameters<typeof keyLitBy>[0]) => {
    const key = keyLitBy(entry);
    return edges.filter(({ highlightKeys: lights }) => key !== undefined && lights.includes(key)).map(({ to }) =>
      nodes[to]!.label
    );
  };
  const line = { namespace: "data", level: "info", time: "", message: "" };
  assertEquals(lit({ ...line, list: "event-sources", name: "github", part: "push" }), ["ci"]);
  assertEquals(lit({ ...line, list: "sensors", name: "ci", part: "build" }), ["p && x", "build"]);
  assertEquals(lit({ ...line, list: "sensors", name: "ci", part: "" }), []);
  const now = Date.parse("2026-01-01T00:00:05Z");
  assertEquals(newRuns([run("a", {}), run("b", {}, "2025-01-01T00:00:00Z")], now), ["data/Workflow/a"]);
});

Deno.test("layFlow: each node is right of its predecessors, and no nodes overlap", () => {
  const { corners, edges, lines, nodes } = layFlow(flowOf(FACTS, { hasRuns: true, isExpanded: true }));
  for (const [index, { from, to }] of edges.entries()) {
    assertEquals(corners[to]!.x > corners[from]!.x, true, nodes[to]!.label);
    assertEquals(lines[index]!.length % 2, 0);
  }
  assertEquals(new Set(corners.map(({ x, y }) => `${x} ${y}`)).size, nodes.length);
});

Deno.test("flowOf: objects with missing fields yield an empty flow", () => {
  const odd = [undefined, 7, { dependencies: {}, triggers: [null] }].map((spec, index) => object(`o${index}`, spec));
  const { edges } = layFlow(flowOf({ sources: odd, sensors: odd, bindings: [], runs: [] }, {
    hasRuns: true,
    isExpanded: false,
  }));
  assertEquals(edges.length, 1);
});
