import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import type { Part } from "./part.ts";
import { PartBuilder, type PartRow, rowChangesOf, rowsOf, rowsOfPart } from "./part_rows.ts";
import { partsOf } from "./parts.ts";

const MANY = 1_000;

/** A run of a DAG with a chain of nodes with these names, one of which is a group of two. */
function runOf(names: readonly string[], phase: NodeStatus["phase"] = "Succeeded"): Workflow {
  const nodes: Record<string, NodeStatus> = {
    w: { id: "w", name: "w", displayName: "w", type: "DAG", phase: "Running", children: [] },
  };
  for (const [index, name] of names.entries()) {
    const children = names[index + 1] === undefined ? [] : [names[index + 1]!];
    const facts = { phase, boundaryID: "w", displayName: name, children };
    nodes[name] = { id: name, name: `w.${name}`, type: index === 1 ? "DAG" : "Pod", ...facts };
  }
  return { metadata: { name: "w" }, spec: { entrypoint: "main" }, status: { nodes } };
}

function built(rows: readonly PartRow[], { status }: Workflow, knownParts?: WeakMap<PartRow, Part>): Part {
  const builder = new PartBuilder(status?.nodes ?? {}, knownParts);
  for (const row of rows) builder.add(row);
  return builder.outermostPart();
}

const names = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { minLength: 1 });

Deno.test("rowChangesOf: rows and their differences restore the rows of the next graph", () => {
  fc.assert(fc.property(names, names, fc.constantFrom("Succeeded" as const, "Failed" as const), (one, other, phase) => {
    const [before, after] = [runOf(one), runOf(other, phase)];
    const [rows, next] = [[...rowsOfPart(partsOf(before))], [...rowsOfPart(partsOf(after))]];
    const told = rowsOf(rowChangesOf(rows, next, MANY)!, rows);
    assertEquals(told, next);
    const known = new WeakMap<PartRow, Part>();
    built(rows, before, known);
    assertEquals(built(told, after, known), partsOf(after));
  }));
});

Deno.test("PartBuilder: a new node changes its row and that of its group, and other parts are reused", () => {
  const before = runOf(["a", "b", "c"]);
  const { nodes = {} } = before.status ?? {};
  const more: NodeStatus = { id: "d", name: "w.d", displayName: "d", type: "Pod", boundaryID: "w", phase: "Running" };
  const last = { ...nodes.c!, children: ["d"] };
  const after: Workflow = { ...before, status: { nodes: { ...nodes, c: last, d: more } } };
  const rows = [...rowsOfPart(partsOf(before))];
  const changed = rowChangesOf(rows, [...rowsOfPart(partsOf(after))], MANY)!;
  assertEquals(changed.rows.map(({ key }) => key), ["w.d", ""]);
  const known = new WeakMap<PartRow, Part>();
  const part = built(rows, before, known);
  const other = built(rowsOf(changed, rows), after, known);
  assertEquals(other, partsOf(after));
  for (const index of [0, 1]) assertStrictEquals(other.members[index], part.members[index]);
  assertStrictEquals(other.members[2]!.node, last);
});

Deno.test("rowChangesOf: undefined if most rows differ", () => {
  const [rows, next] = [runOf(["a", "b"]), runOf(["c", "d"])].map((run) => [...rowsOfPart(partsOf(run))]);
  assertEquals(rowChangesOf(rows!, next!, 2), undefined);
});
