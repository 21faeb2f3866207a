import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus, NodeType, Workflow } from "../api/mod.ts";
import { workflowTrees } from "./tree.ts";

interface Fields extends Partial<NodeStatus> {
  readonly type: NodeType;
}

/** A workflow `w` with nodes by ID. */
function workflow(nodes: Readonly<Record<string, Fields>>): Workflow {
  const all = Object.entries(nodes).map(([id, fields]) => [id, {
    id,
    name: id,
    displayName: id,
    phase: "Succeeded",
    startedAt: "2026-01-01T00:00:00Z",
    ...fields,
  }]);
  return { metadata: { name: "w" }, spec: {}, status: { nodes: Object.fromEntries(all) } };
}

function draw(nodes: Readonly<Record<string, Fields>>, options: Parameters<typeof workflowTrees>[1] = {}): string[] {
  const trees = workflowTrees(workflow(nodes), options);
  return trees.map((tree) => tree.map(({ branch, node }) => branch + node.displayName).join("\n"));
}

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;

Deno.test("workflowTrees: a workflow of one pod is one row", () => {
  assertEquals(draw({ w: { type: "Pod" } }), [" w"]);
});

Deno.test("workflowTrees: a workflow that has not started has no tree", () => {
  assertEquals(draw({}), []);
});

Deno.test("workflowTrees: the members of a step group branch off where its row would be", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "Steps" },
    g0: { type: "StepGroup", boundaryID: "w", children: ["a"] },
    a: { type: "Pod", boundaryID: "w" },
    g1: { type: "StepGroup", boundaryID: "w", children: ["b", "c", "d"], startedAt: at(1) },
    b: { type: "Pod", boundaryID: "w" },
    c: { type: "Pod", boundaryID: "w" },
    d: { type: "Pod", boundaryID: "w" },
  };
  assertEquals(draw(nodes), [[" w", " ├───a", " └─┬─b", "   ├─c", "   └─d"].join("\n")]);
  assertEquals(draw(nodes, { utf8: false }), [[" w", " |---a", " `-+-b", "   |-c", "   `-d"].join("\n")]);
});

Deno.test("workflowTrees: nodes inside of a step are below it", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "Steps" },
    g0: { type: "StepGroup", boundaryID: "w", children: ["inner", "z"] },
    inner: { type: "DAG", boundaryID: "w" },
    x: { type: "Pod", boundaryID: "inner" },
    y: { type: "Pod", boundaryID: "inner", startedAt: at(1) },
    z: { type: "Pod", boundaryID: "w", startedAt: at(1) },
  };
  assertEquals(draw(nodes), [[" w", " └─┬─inner", "   │ ├─x", "   │ └─y", "   └─z"].join("\n")]);
});

Deno.test("workflowTrees: tasks of a DAG are sorted by start, then name; members of a loop by index", () => {
  assertEquals(
    draw({
      w: { type: "DAG" },
      b: { type: "Pod", boundaryID: "w" },
      a: { type: "Pod", boundaryID: "w" },
      first: { type: "Pod", boundaryID: "w", startedAt: "2025-01-01T00:00:00Z" },
      loop: { type: "TaskGroup", boundaryID: "w", children: ["l(10:x)", "l(9:y)"] },
      "l(10:x)": { type: "Pod", boundaryID: "w", startedAt: at(2) },
      "l(9:y)": { type: "Pod", boundaryID: "w", startedAt: at(2) },
    }),
    [[" w", " ├─first", " ├─a", " ├─b", " ├─l(9:y)", " └─l(10:x)"].join("\n")],
  );
});

Deno.test("workflowTrees: a Retry node has its own row only if it has two attempts", () => {
  const once: Record<string, Fields> = {
    w: { type: "DAG" },
    r: { type: "Retry", boundaryID: "w", children: ["r(0)"] },
    "r(0)": { type: "Pod", boundaryID: "w" },
  };
  assertEquals(draw(once), [" w\n └─r(0)"]);
  const twice: Record<string, Fields> = {
    ...once,
    r: { type: "Retry", boundaryID: "w", children: ["r(0)", "r(1)"] },
    "r(1)": { type: "Pod", boundaryID: "w", startedAt: at(1) },
  };
  assertEquals(draw(twice), [" w\n └─r\n   ├─r(0)\n   └─r(1)"]);
});

Deno.test("workflowTrees: a retry with cached outputs has a row, and the nodes after it are its siblings", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "DAG" },
    r: {
      type: "Retry",
      boundaryID: "w",
      memoizationStatus: { hit: true, key: "k", cacheName: "c" },
      children: ["next"],
    },
    next: { type: "Pod", boundaryID: "w", startedAt: at(1) },
  };
  assertEquals(draw(nodes), [" w\n ├─r\n └─next"]);
});

Deno.test("workflowTrees: omitted and skipped nodes have rows", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "DAG" },
    a: { type: "Pod", boundaryID: "w", phase: "Failed" },
    b: { type: "Skipped", boundaryID: "w", phase: "Omitted" },
    c: { type: "Skipped", boundaryID: "w", phase: "Skipped", startedAt: at(1) },
  };
  assertEquals(draw(nodes), [" w\n ├─a\n ├─b\n └─c"]);
});

Deno.test("workflowTrees: the last row has the last branch even if following nodes have no row", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "Steps" },
    g0: { type: "StepGroup", boundaryID: "w", children: ["a", "b"] },
    a: { type: "Pod", boundaryID: "w", phase: "Failed" },
    b: { type: "Pod", boundaryID: "w", startedAt: at(1) },
    g1: { type: "StepGroup", boundaryID: "w", children: ["c"], startedAt: at(2) },
    c: { type: "Pod", boundaryID: "w", startedAt: at(2) },
  };
  const shows = ({ name }: NodeStatus) => name === "w" || name === "a";
  assertEquals(draw(nodes, { shows }), [" w\n └───a"]);
});

Deno.test("workflowTrees: the children of a node without a row replace it, with their own branches", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "DAG" },
    inner: { type: "DAG", boundaryID: "w" },
    x: { type: "Pod", boundaryID: "inner" },
    y: { type: "Pod", boundaryID: "inner", startedAt: at(1) },
    z: { type: "Pod", boundaryID: "w", startedAt: at(2) },
  };
  assertEquals(draw(nodes, { shows: ({ name }) => name !== "inner" }), [" w\n ├─x\n ├─y\n └─z"]);
});

Deno.test("workflowTrees: a filter hides rows, but not those below them", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "DAG" },
    a: { type: "Pod", boundaryID: "w", phase: "Failed" },
    b: { type: "Pod", boundaryID: "w" },
  };
  assertEquals(draw(nodes, { shows: ({ phase }) => phase === "Failed" }), [" a"]);
});

Deno.test("workflowTrees: the exit handler is a separate tree, the last one", () => {
  const nodes: Record<string, Fields> = {
    "w.onExit": { type: "Pod", startedAt: at(1) },
    w: { type: "Pod" },
  };
  assertEquals(draw(nodes), [" w", " w.onExit"]);
});

Deno.test("workflowTrees: `hasTree` selects the trees besides that of the entrypoint", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "Pod" },
    "w.hooks.a": { type: "Pod", startedAt: at(1) },
    "w.onExit": { type: "Pod", startedAt: at(2) },
  };
  assertEquals(draw(nodes), [" w", " w.hooks.a", " w.onExit"]);
  assertEquals(draw(nodes, { hasTree: ({ name }) => name === "w.onExit" }), [" w", " w.onExit"]);
});

Deno.test("workflowTrees: containers of a set are below their pod", () => {
  const nodes: Record<string, Fields> = {
    w: { type: "Pod", children: ["w.a"] },
    "w.a": { type: "Container", boundaryID: "w", children: ["w.b"] },
    "w.b": { type: "Container", boundaryID: "w", startedAt: at(1) },
  };
  assertEquals(draw(nodes), [" w\n ├─w.a\n └─w.b"]);
});

Deno.test("workflowTrees: nodes that started together are sorted by name, and members of one loop by index", () => {
  const names = ["a(9:y)", "b", "a(10:x)", "a"];
  const nodes: Record<string, Fields> = {
    w: { type: "DAG" },
    ...Object.fromEntries(names.map((name) => [name, { type: "Pod", boundaryID: "w" }])),
  };
  assertEquals(draw(nodes), [" w\n ├─a\n ├─a(9:y)\n ├─a(10:x)\n └─b"]);
});

Deno.test("workflowTrees: nodes of two loops and a task that started together have a deterministic order", () => {
  const orders = [["b(0:x)", "a(2:y)", "a(10:z)", "az"], ["az", "a(10:z)", "b(0:x)", "a(2:y)"]];
  const drawn = orders.map((names) =>
    draw({
      w: { type: "DAG" },
      ...Object.fromEntries(names.map((name): [string, Fields] => [name, { type: "Pod", boundaryID: "w" }])),
    })
  );
  assertEquals(drawn, orders.map(() => [" w\n ├─a(2:y)\n ├─a(10:z)\n ├─az\n └─b(0:x)"]));
});

Deno.test("workflowTrees: the order of siblings does not depend on the status: loops, plain names, invalid times", () => {
  const name = fc.constantFrom("a", "a(0:x)", "a(1:b)", "a(10:b)", "a(2:b)", "a(b", "b:(", "b(0:c)(1)", "b", "b(0)");
  const startedAt = fc.constantFrom(at(1), at(2), "soon", "", undefined);
  const node = fc.record({ type: fc.constant("Pod" as const), displayName: name, startedAt });
  const property = fc.property(
    fc.array(node, { minLength: 2, maxLength: 8 }),
    fc.infiniteStream(fc.nat()),
    (nodes, chance) => {
      const all = nodes.map((node, index) => [`n${index}`, { ...node, boundaryID: "w" }] as const);
      const idsOf = (members: typeof all) => {
        const [tree = []] = workflowTrees(workflow({ w: { type: "DAG" }, ...Object.fromEntries(members) }));
        return tree.map(({ node }) => node.id);
      };
      const shuffled = [...all].sort();
      for (let left = shuffled.length; left > 1; left--) {
        const place = chance.next().value! % left;
        [shuffled[left - 1], shuffled[place]] = [shuffled[place]!, shuffled[left - 1]!];
      }
      assertEquals(idsOf(shuffled), idsOf(all));
    },
  );
  fc.assert(property, { numRuns: 1000 });
});

Deno.test("workflowTrees: sorting many nodes in pieces gives the same order as sorting all at once", () => {
  const count = 9_001;
  const seconds = (i: number) => String(i * 7919 % 60).padStart(2, "0");
  const members = Array.from({ length: count }, (_, i): [string, Fields] => [
    `n${i}`,
    { type: "Pod", boundaryID: "w", startedAt: `2026-01-01T00:00:${seconds(i)}Z`, displayName: `t${i * 31 % 997}` },
  ]);
  const [tree = []] = workflowTrees(workflow({ w: { type: "DAG" }, ...Object.fromEntries(members) }));
  const text = (i: number) => {
    const [id, { startedAt, displayName }] = members[i]!;
    return `${startedAt} ${displayName} ${id}`;
  };
  assertEquals(
    tree.slice(1).map(({ node }) => `${node.startedAt} ${node.displayName} ${node.id}`),
    members.map((_, i) => text(i)).sort((a, b) => a < b ? -1 : 1),
  );
});

Deno.test("workflowTrees: each node is in the tree once, even with cycles or thousands of levels", () => {
  const drawn = (nodes: Readonly<Record<string, Fields>>) => {
    const rows = workflowTrees(workflow(nodes)).flat().map(({ node }) => node.id);
    assertEquals(rows.toSorted(), Object.keys(nodes).sort());
  };
  drawn({ w: { type: "DAG", boundaryID: "w" }, a: { type: "Pod", boundaryID: "w" } });
  drawn({ a: { type: "DAG", boundaryID: "w" }, w: { type: "DAG", boundaryID: "a" } });
  drawn({ w: { type: "Pod" }, a: { type: "DAG", boundaryID: "b" }, b: { type: "DAG", boundaryID: "a" } });
  drawn({ w: { type: "Retry", children: ["w", "a"] }, a: { type: "Retry", children: ["w", "a"] } });
  const deep: [string, Fields][] = Array.from(
    { length: 30_000 },
    (_, index) => [`n${index}`, { type: "DAG", boundaryID: index === 0 ? "w" : `n${index - 1}` }],
  );
  drawn({ w: { type: "DAG" }, ...Object.fromEntries(deep) });
});
