import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { runToEnd } from "../run_to_end.ts";
import { changedNodes, isSame, withTemplatesOf } from "./changed_nodes.ts";

function run(nodes: Record<string, Partial<NodeStatus>>, tasks: readonly string[] = ["a", "b"]): Workflow {
  return {
    metadata: { name: "etl", uid: "1" },
    spec: {
      entrypoint: "main",
      templates: [{ name: "main", dag: { tasks: tasks.map((name) => ({ name, template: "work" })) } }],
    },
    status: { phase: "Running", nodes: nodes as Record<string, NodeStatus> },
  };
}

function changes(before: Workflow, after: Workflow): (string | undefined)[] | undefined {
  return runToEnd(changedNodes(before, structuredClone(after)))?.nodes.map(({ id }) => id);
}

const NODES: Record<"a" | "b", Partial<NodeStatus>> = {
  a: { id: "a", phase: "Succeeded", children: ["b"] },
  b: { id: "b", phase: "Running", outputs: { parameters: [{ name: "x", value: "1" }] } },
};

Deno.test("changedNodes: an unchanged state has no changed nodes", () => {
  assertEquals(changes(run(NODES), run(NODES)), []);
});

Deno.test("changedNodes: returns nodes with another phase, children or outputs, or with a field removed", () => {
  const { a, b } = NODES;
  assertEquals(changes(run(NODES), run({ a, b: { ...b, phase: "Failed" } })), ["b"]);
  assertEquals(changes(run(NODES), run({ a: { ...a, children: ["b", "c"] }, b })), ["a"]);
  assertEquals(
    changes(run(NODES), run({ a, b: { ...b, outputs: { parameters: [{ name: "x", value: "2" }] } } })),
    ["b"],
  );
  assertEquals(changes(run(NODES), run({ a: { id: "a", phase: "Succeeded" }, b })), ["a"]);
  assertEquals(changes(run({ a: { id: "a", phase: "Succeeded" }, b }), run(NODES)), ["a"]);
});

Deno.test("changedNodes: undefined for another run, deleted or reordered nodes, and other templates", () => {
  const { a, b } = NODES;
  const other = run(NODES);
  assertEquals(changes(run(NODES), { ...other, metadata: { ...other.metadata, uid: "2" } }), undefined);
  assertEquals(changes(run(NODES), run({ a })), undefined);
  assertEquals(changes(run(NODES), run({ b, a })), undefined);
  assertEquals(changes(run(NODES), run(NODES, ["a", "c"])), undefined);
  assertEquals(changes(run(NODES), run(NODES, ["a"])), undefined);
});

Deno.test("changedNodes: returns a new node, with the order of all nodes if it is not the last one", () => {
  const { a, b } = NODES;
  const between: Partial<NodeStatus> = { id: "ab", phase: "Pending" };
  const found = (before: Workflow, after: Workflow) => {
    const { nodes, ...others } = runToEnd(changedNodes(before, after))!;
    return { ids: nodes.map(({ id }) => id), ...others };
  };
  assertEquals(found(run({ a }), run(NODES)), { ids: ["b"], hasNew: true, order: undefined });
  assertEquals(found(run(NODES), run({ a: { ...a, children: ["ab"] }, ab: between, b })), {
    ids: ["a", "ab"],
    hasNew: true,
    order: ["a", "ab", "b"],
  });
  assertEquals(found(run({}), run(NODES)), { ids: ["a", "b"], hasNew: true, order: undefined });
});

Deno.test("withTemplatesOf: adds the tasks of the previous state and keeps everything else", () => {
  const before = run(NODES);
  const told = {
    ...run(NODES, []),
    spec: { ...run(NODES, []).spec, arguments: { parameters: [{ name: "days", value: "2" }] } },
    status: { phase: "Failed" as const },
  };
  const state = withTemplatesOf(before, told);
  assertEquals(state.spec, { ...told.spec, templates: before.spec.templates! });
  assertEquals(state.status?.phase, "Failed");
  const referring = { ...told, spec: { workflowTemplateRef: { name: "etl" } } };
  assertEquals(withTemplatesOf({ ...before, spec: referring.spec }, referring), referring);
});

Deno.test("isSame: compares fields, lists and arrays of numbers", () => {
  const row = { key: "a", edges: Int32Array.of(1, 2), attempts: ["x"], items: undefined };
  assertEquals(isSame(row, { ...row, edges: Int32Array.of(1, 2), attempts: ["x"] }), true);
  assertEquals(isSame(row, { ...row, edges: Int32Array.of(1, 3) }), false);
  assertEquals(isSame(row, { ...row, edges: Int32Array.of(1) }), false);
  assertEquals(isSame(row, { ...row, attempts: { 0: "x" } }), false);
  assertEquals(isSame(row, { ...row, items: null }), false);
});
