import { assertEquals } from "@std/assert";
import type { NodeStatus } from "../api/mod.ts";
import { nodeGraph } from "./graph.ts";
import { NodeFamily } from "./node_family.ts";

function family(all: Readonly<Record<string, Partial<NodeStatus>>>): NodeFamily {
  const nodes = Object.entries(all).map(([id, more]) => [id, { id, name: id, type: "Pod", phase: "Failed", ...more }]);
  return new NodeFamily(nodeGraph(Object.fromEntries(nodes)));
}

const HOOK: Partial<NodeStatus> = { nodeFlag: { hooked: true } };

/** Returns the ID of the container of each node that has one. */
function holders(of: NodeFamily): Record<string, string> {
  const pairs = [...of.graph.nodes.values()].map((node) => [node.id, of.holderOf(node)?.id]);
  return Object.fromEntries(pairs.filter(([, holder]) => holder !== undefined));
}

Deno.test("NodeFamily: a hook is in the container of its node, also a hook of a hook", () => {
  const nodes = family({
    w: { type: "DAG", children: ["a"] },
    a: { boundaryID: "w", children: ["b"] },
    b: { ...HOOK, children: ["c"] },
    c: HOOK,
  });
  assertEquals(holders(nodes), { a: "w", b: "w", c: "w" });
});

Deno.test("NodeFamily: hooks of each other, and a hook of itself, are in the boundary of one of them", () => {
  const circle = family({
    w: { type: "DAG" },
    a: { ...HOOK, boundaryID: "w", children: ["b"] },
    b: { ...HOOK, boundaryID: "w", children: ["a"] },
    own: { ...HOOK, boundaryID: "w", children: ["own"] },
    after: { ...HOOK },
  });
  assertEquals(holders(circle), { a: "w", b: "w", own: "w" });
  assertEquals(circle.nextOf(circle.graph.nodes.get("a")!), []);
});

Deno.test("NodeFamily: a hook of the node that it contains is in no other node", () => {
  const nodes = family({ a: { ...HOOK, type: "DAG" }, b: { boundaryID: "a", children: ["a"] } });
  assertEquals(holders(nodes), { b: "a" });
});

const DEEP = 100_000;
const chain = (fields: (index: number) => Partial<NodeStatus>) =>
  family(Object.fromEntries(Array.from({ length: DEEP }, (_, index) => [`${index}`, fields(index)])));

Deno.test("NodeFamily: chains of hooks of any length have a container", () => {
  const nodes = chain((index) =>
    index === 0 ? { type: "DAG" } : { ...HOOK, boundaryID: "0", children: [`${index + 1}`] }
  );
  assertEquals(nodes.holderOf(nodes.graph.nodes.get(`${DEEP - 1}`)!)?.id, "0");
  assertEquals(nodes.nextOf(nodes.graph.nodes.get("1")!), []);
});

Deno.test("NodeFamily: nodes inside of each other have descendants at any depth", () => {
  const nodes = chain((index) => ({ type: "DAG", ...index > 0 && { boundaryID: `${index - 1}` } }));
  const first = nodes.graph.nodes.get("0")!;
  assertEquals([nodes.below(first).length, nodes.innerOf(first).length], [DEEP - 1, 1]);
  assertEquals(nodes.isInside(nodes.graph.nodes.get(`${DEEP - 1}`)!, first), true);
});
