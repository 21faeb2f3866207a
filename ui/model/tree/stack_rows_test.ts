import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { isLongStack, openParts } from "../graph/fold.ts";
import { makePart } from "../graph/make_part.ts";
import { lookOfNode } from "../node_look.ts";
import { stackCounts, stackRows } from "./stack_rows.ts";

const STACK = makePart({
  key: "load",
  label: "load",
  kind: "loop",
  members: Array.from({ length: 120 }, (_, i) => {
    const phase = i === 70 ? "Failed" : i === 80 ? "Running" : "Succeeded";
    const node = { id: `id-${i}`, name: `load(${i}:x)`, displayName: `load(${i}:x)`, type: "Pod", phase } as NodeStatus;
    return i === 119
      ? makePart({ key: "planned", label: "planned", kind: "leaf", isPlanned: true })
      : makePart({ key: node.name, label: node.displayName!, kind: "leaf", node, family: lookOfNode(node).family });
  }),
});

Deno.test("stackRows: lists the items with a node, the most urgent first", () => {
  const rows = stackRows(STACK, "", undefined);
  assertEquals(rows.length, 119);
  assertEquals(rows.slice(0, 3).map(({ node }) => node.displayName), ["load(70:x)", "load(80:x)", "load(0:x)"]);
  assertEquals(rows.map(({ place }) => place), rows.map((_, index) => index + 1));
});

Deno.test("stackRows: filters by text and family", () => {
  assertEquals(stackRows(STACK, "LOAD(7:", undefined).map(({ node }) => node.id), ["id-7"]);
  assertEquals(stackRows(STACK, "", "failed").map(({ node }) => node.id), ["id-70"]);
  assertEquals(stackRows(STACK, "load(7:", "failed"), []);
  assertEquals(stackCounts(STACK), [
    { family: "failed", count: 1 },
    { family: "works", count: 1 },
    { family: "done", count: 117 },
  ]);
});

Deno.test("isLongStack: a loop of more than a hundred items is a list, unless it is a box", () => {
  assertEquals(isLongStack(STACK), true);
  assertEquals(isLongStack(makePart({ ...STACK, members: STACK.members.slice(0, 100) })), false);
  assertEquals(isLongStack(makePart({ ...STACK, kind: "box" })), false);
  assertEquals(openParts(STACK).has("load"), false);
});
