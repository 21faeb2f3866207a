/**
 * Statuses that no controller wrote: a pass ends them with a message that names the field, and never with an internal
 * error.
 */
import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { nodeID } from "@tiphys/model/status";
import { Scenario } from "./scenario.ts";

/** Nodes of a workflow, each with its name and its boundary. */
function nodesOf(
  rows: readonly [name: string, within: string, more: Partial<NodeStatus>][],
): Record<string, NodeStatus> {
  const id = (name: string) => nodeID("w", name);
  return Object.fromEntries(rows.map(([name, within, more]) => [id(name), {
    id: id(name),
    name,
    displayName: name,
    type: "Steps",
    phase: "Running",
    templateName: "main",
    startedAt: "2026-01-01T00:00:00Z",
    boundaryID: id(within),
    ...more,
  }]));
}

for (const [about, last] of [["its child", "w.x(0)"], ["the child of its child", "w.z"]] as const) {
  Deno.test(`forged status: an attempt whose boundary is ${about}, with a finished Retry node, ends the workflow with a message that names the node`, () => {
    const world = new Scenario();
    const workflow: Workflow = {
      metadata: { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
      spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    };
    world.workflow = workflow;
    world.makePass();
    const { status } = world.workflow!;
    const forged = nodesOf([
      ["w.x", "w", { type: "Retry", phase: "Failed" }],
      ["w.x(0)", "w.y", { nodeFlag: { retried: true } }],
      ["w.y", last, {}],
      ["w.z", "w.x(0)", {}],
    ]);
    world.workflow = { ...world.workflow!, status: { ...status, nodes: { ...status!.nodes, ...forged } } };
    const { phase, message } = world.decide().workflow.status!;
    const place = `status.nodes["${
      nodeID("w", "w.x(0)")
    }"] (w.x(0)) contains itself: its boundaryID chain leads back to it`;
    assertEquals([phase, message], ["Error", place]);
  });
}
