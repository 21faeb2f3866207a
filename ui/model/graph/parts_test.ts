import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { criticalPath } from "./critical_path.ts";
import { failedPartsOf, openParts } from "./fold.ts";
import { UNCHANGED_SHAPE } from "./graph_shape.ts";
import { Layout } from "./layout.ts";
import { type Part, partsIn, pathTo } from "./part.ts";
import { OUTERMOST_KEY, partsOf } from "./parts.ts";
import { shapeGraph } from "./shape.ts";

/** A run with these nodes and without templates. */
function run(nodes: readonly NodeStatus[]): Workflow {
  return {
    metadata: { name: "w" },
    spec: {},
    status: { phase: "Failed", nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) },
  } as unknown as Workflow;
}

function node(id: string, more: Partial<NodeStatus> = {}): NodeStatus {
  return { id, name: id, displayName: id, type: "DAG", phase: "Failed", templateName: "t", ...more };
}

/** Everything that the page does with the parts of a graph. */
function exerciseParts(whole: Part): readonly string[] {
  const shaped = shapeGraph(whole, { ...UNCHANGED_SHAPE, isGrouped: true, withArtifacts: true });
  new Layout().layOut(shaped, openParts(shaped));
  new Layout().layOut(failedPartsOf(whole), new Set([...partsIn(whole)].map(({ key }) => key)));
  criticalPath(whole, { startedAt: 0, finishedAt: 1 });
  return [...partsIn(whole)].map(({ key }) => key);
}

Deno.test("partsOf: shows every node once, even if nodes contain themselves or each other", () => {
  const rings: Readonly<Record<string, readonly NodeStatus[]>> = {
    itself: [node("a", { boundaryID: "a" }), node("b", { type: "Pod", boundaryID: "a" })],
    two: [node("a", { boundaryID: "b" }), node("b", { boundaryID: "a" })],
    three: [node("a", { boundaryID: "c" }), node("b", { boundaryID: "a" }), node("c", { boundaryID: "b" })],
    steps: [
      node("a", { type: "Steps", boundaryID: "a[0].b", children: ["a[0]"] }),
      node("a[0]", { type: "StepGroup", boundaryID: "a", children: ["a[0].b"] }),
      node("a[0].b", { boundaryID: "a" }),
    ],
    hooks: [
      node("a", { children: ["b"], nodeFlag: { hooked: true } }),
      node("b", { children: ["a"], nodeFlag: { hooked: true } }),
    ],
    attempts: [
      node("a", { type: "Retry", children: ["b"], nodeFlag: { retried: true } }),
      node("b", { type: "Retry", children: ["a"], nodeFlag: { retried: true } }),
    ],
    ownHook: [node("a", { children: ["a"], nodeFlag: { hooked: true } })],
  };
  for (const [name, nodes] of Object.entries(rings)) {
    const keys = exerciseParts(partsOf(run(nodes))).filter((key) => key !== OUTERMOST_KEY);
    // A group of steps is not a part.
    const expected = nodes.filter(({ type }) => type !== "StepGroup").map(({ id }) => id);
    assertEquals(keys.sort(), expected.sort(), name);
  }
});

Deno.test("partsOf: shows deeply nested nodes and long chains", () => {
  const count = 30_000;
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const nested = ids.map((id, index) => node(id, index === 0 ? {} : { boundaryID: ids[index - 1] }));
  const hooks = ids.map((id, index) =>
    node(id, { type: "Pod", children: [...ids.slice(index + 1, index + 2)], nodeFlag: { hooked: index > 0 } })
  );
  const chain = ids.map((id, index) => node(id, { type: "Pod", children: [...ids.slice(index + 1, index + 2)] }));
  for (const [name, nodes] of Object.entries({ nested, hooks, chain })) {
    const whole = partsOf(run(nodes));
    assertEquals(new Set(exerciseParts(whole)).size, count + 1, name);
    assert(pathTo(whole, ids.at(-1)!).length > 1, name);
  }
});
