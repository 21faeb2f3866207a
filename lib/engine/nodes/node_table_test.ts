import { assertEquals, assertStrictEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { NodeTable } from "./node_table.ts";

const node = (id: string, fields: Partial<NodeStatus> = {}): NodeStatus => ({
  id,
  name: id,
  type: "Pod",
  phase: "Pending",
  ...fields,
});

const nodes = { a: node("a", { children: ["b"] }), b: node("b", { boundaryID: "a" }) };

Deno.test("NodeTable: reuses the table of the last pass if its nodes were written", () => {
  const first = NodeTable.reuseOrCreate("w", nodes, undefined);
  first.update("b", { phase: "Running" });
  const written = first.snapshot().record();
  const second = NodeTable.reuseOrCreate("w", written, first);
  assertStrictEquals(second, first);
  assertEquals(second.changed.size, 0);
  assertEquals(second.get("b")?.phase, "Running");
});

Deno.test("NodeTable: restores the nodes that a discarded pass changed", () => {
  const first = NodeTable.reuseOrCreate("w", nodes, undefined);
  first.update("b", { phase: "Running" });
  first.set(node("c", { boundaryID: "a" }));
  first.addChild("a", "c");
  first.snapshot().record();
  const second = NodeTable.reuseOrCreate("w", nodes, first);
  assertStrictEquals(second, first);
  assertEquals([...second.all()], Object.values(nodes));
  assertEquals([...second.withBoundary("a")], [nodes.b]);
  second.set(node("c"));
  second.addChild("a", "c");
  assertEquals(second.get("a")?.children, ["b", "c"]);
});

Deno.test("NodeTable: is new for nodes that another writer wrote", () => {
  const first = NodeTable.reuseOrCreate("w", nodes, undefined);
  assertEquals(NodeTable.reuseOrCreate("w", { ...nodes }, first) === first, false);
});

Deno.test("NodeTable: does not modify nodes that an earlier pass returned", () => {
  const first = NodeTable.reuseOrCreate("w", nodes, undefined);
  first.set(node("c"));
  first.addChild("a", "c");
  const written = first.snapshot().record();
  const second = NodeTable.reuseOrCreate("w", written, first);
  second.set(node("d"));
  second.addChild("a", "d");
  assertEquals(written.a?.children, ["b", "c"]);
  assertEquals(nodes.a.children, ["b"]);
  assertEquals(second.snapshot().record().a?.children, ["b", "c", "d"]);
});

Deno.test("NodeTable: does not modify a returned node when children are added", () => {
  const table = NodeTable.reuseOrCreate("w", nodes, undefined);
  table.addChild("a", "c");
  const held = table.get("a");
  table.addChild("a", "d");
  table.addChild("a", "d");
  assertEquals(held?.children, ["b", "c"]);
  assertEquals(table.get("a")?.children, ["b", "c", "d"]);
  const [first] = table.all();
  table.addChild("a", "e");
  assertEquals(first?.children, ["b", "c", "d"]);
  assertEquals(nodes.a.children, ["b"]);
});

Deno.test("NodeTable: the nodes after a pass are available during and after the next pass", () => {
  const table = NodeTable.reuseOrCreate("w", nodes, undefined);
  table.update("b", { phase: "Running" });
  table.addChild("a", "c");
  const after = table.snapshot();
  NodeTable.reuseOrCreate("w", nodes, table).update("b", { phase: "Failed" });
  assertEquals(after.record().b?.phase, "Running");
  assertEquals(after.record().a?.children, ["b", "c"]);
  assertEquals([...after.changed.keys()], ["b", "a"]);
});

Deno.test("NodeTable: updates one record of written nodes in place, which no other table shares", () => {
  let table = NodeTable.reuseOrCreate("w", nodes, undefined);
  const change = (stored: Readonly<Record<string, NodeStatus>>, phase: NodeStatus["phase"]) => {
    table = NodeTable.reuseOrCreate("w", stored, table);
    table.update("b", { phase });
    return table.snapshot();
  };
  const first = change(nodes, "Running").recordInPlace();
  const copy = change(first, "Failed").record();
  assertEquals([first.b?.phase, copy.b?.phase], ["Running", "Failed"]);
  const after = change(first, "Succeeded");
  const second = after.recordInPlace();
  assertStrictEquals(second, first);
  assertEquals([nodes.b.phase, copy.b?.phase, second.b?.phase], ["Pending", "Failed", "Succeeded"]);
  assertEquals(after.record(), second);
  // A pass that was not written is restored to the previous nodes.
  change(second, "Error");
  assertEquals(change(second, "Succeeded").changed.size, 0);
});

Deno.test("NodeTable: sorts IDs by the order of nodes, including one that was discarded and added again", () => {
  const table = NodeTable.reuseOrCreate("w", nodes, undefined);
  table.set(node("d"));
  NodeTable.reuseOrCreate("w", nodes, table);
  table.set(node("c"));
  table.set(node("d"));
  assertEquals(table.inOrder(["y", "d", "x", "c", "b", "a"]), ["a", "b", "c", "d", "x", "y"]);
});

Deno.test("NodeTable: tracks calls in progress and failed calls, also across a discarded pass", () => {
  const call = (id: string, phase: NodeStatus["phase"]): NodeStatus => ({
    id,
    name: id,
    type: "Pod",
    phase,
    boundaryID: "b",
  });
  const nodes = { a: call("a", "Running"), c: call("c", "Failed"), g: { ...call("g", "Running"), type: "StepGroup" } };
  const table = NodeTable.reuseOrCreate("w", nodes as Record<string, NodeStatus>, undefined);
  assertEquals([[...table.activeIn("b")], table.hasFailed("b")], [["a"], true]);
  table.update("a", { phase: "Succeeded" });
  table.update("c", { phase: "Succeeded" });
  table.set(call("d", "Pending"));
  assertEquals([[...table.activeIn("b")], table.hasFailed("b")], [["d"], false]);
  const again = NodeTable.reuseOrCreate("w", nodes as Record<string, NodeStatus>, table);
  assertEquals([[...again.activeIn("b")], again.hasFailed("b")], [["a"], true]);
});

Deno.test("NodeTable: a loop does not contain nodes that were discarded together with the DAG around them", () => {
  const before = { w: node("w", { name: "w", type: "Steps", phase: "Running" }) };
  const first = NodeTable.reuseOrCreate("w", before, undefined);
  const dag = node("d", { name: "w[0].d", boundaryID: "w", type: "DAG", phase: "Running" });
  const loopId = first.idOf("w[0].d.loop");
  const loop = node(loopId, { name: "w[0].d.loop", boundaryID: "d", type: "TaskGroup", phase: "Running" });
  for (const made of [dag, loop, node("i", { name: "w[0].d.loop(0:x)", boundaryID: "d" })]) first.set(made);
  assertEquals([...first.openIn(loopId)], ["i"]);
  const second = NodeTable.reuseOrCreate("w", before, first);
  assertStrictEquals(second, first);
  second.set(dag);
  second.set({ ...loop, type: "Skipped", phase: "Skipped" });
  assertEquals([[...second.openIn(loopId)], [...second.endedWithOpenNodes]], [[], []]);
});

/** Two names with the same 32-bit hash. */
const [A, B] = ["w-x.t53zx", "w-x.tcpad"] as const;
const USUAL = "w-x-424957287";

/** Adds a node with the ID that its name has now. */
function add(table: NodeTable, name: string): NodeStatus {
  return table.set(node(table.idOf(name), { name }));
}

Deno.test("NodeTable: two names with the same hash are two nodes, and the first one added has the default ID", () => {
  for (const [first, second] of [[A, B], [B, A]] as const) {
    const table = new NodeTable("w-x", undefined);
    assertEquals([table.idOf(A), table.idOf(B)], [USUAL, USUAL]);
    const { id } = add(table, first);
    assertEquals([id, table.byName(second)], [USUAL, undefined]);
    const wider = add(table, second).id;
    assertEquals([table.byName(first)?.id, table.byName(second)?.id], [USUAL, wider]);
    const read = new NodeTable("w-x", table.snapshot().record());
    assertEquals([read.idOf(first), read.idOf(second)], [USUAL, wider]);
  }
});

Deno.test("NodeTable: a node keeps its 64-bit ID when the node with its 32-bit ID is gone", () => {
  const table = new NodeTable("w-x", undefined);
  add(table, A);
  const { id } = add(table, B);
  const { [USUAL]: _, ...left } = table.snapshot().record();
  const read = new NodeTable("w-x", left);
  assertEquals([read.idOf(B), read.byName(A), read.idOf(A)], [id, undefined, USUAL]);
});

Deno.test("NodeTable: the node of a discarded pass does not keep its ID", () => {
  const nodes = { [USUAL]: node(USUAL, { name: A }) };
  const table = NodeTable.reuseOrCreate("w-x", nodes, undefined);
  const { id } = add(table, B);
  assertEquals(NodeTable.reuseOrCreate("w-x", nodes, table).byName(B), undefined);
  assertEquals(table.idOf(B), id);
});

Deno.test("NodeTable: a node is found by its name regardless of its ID", () => {
  const table = new NodeTable("w-x", { "w-x-77": node("w-x-77", { name: B }), [USUAL]: node(USUAL, { name: A }) });
  assertEquals([table.byName(B)?.id, table.idOf(B), table.byName(A)?.id], ["w-x-77", "w-x-77", USUAL]);
});

Deno.test("NodeTable: uses the node with the default ID if a forged status has two nodes with one name", () => {
  const twice = [["w-x-77", node("w-x-77", { name: B })], [USUAL, node(USUAL, { name: B })]] as const;
  for (const entries of [twice, twice.toReversed()]) {
    assertEquals(new NodeTable("w-x", Object.fromEntries(entries)).byName(B)?.id, USUAL);
  }
});

Deno.test("NodeTable: an attempt is inside its Retry node even if that has a 64-bit ID and comes after it", () => {
  const retry = node("w-x-77", { name: B, type: "Retry", phase: "Running" });
  const attempt = node("w-x-78", { name: `${B}(0)`, nodeFlag: { retried: true } });
  const table = new NodeTable("w-x", { [attempt.id]: attempt, [retry.id]: retry, [USUAL]: node(USUAL, { name: A }) });
  assertEquals([[...table.openIn("w-x-77")], [...table.openIn(USUAL)]], [["w-x-78"], []]);
});
