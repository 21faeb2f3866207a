import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NodeStatus } from "@tiphys/model/api";
import { NodeTable } from "../nodes/node_table.ts";
import { isCounted, ProgressSums } from "./progress_sums.ts";
import type { Durations } from "../nodes/resources_duration.ts";

type Nodes = Record<string, NodeStatus>;

/** A table and its sums across the passes of a workflow. */
class NodeHistory {
  table = new NodeTable("w", { n0: { id: "n0", name: "n0", type: "DAG", phase: "Running" } });
  readonly sums = new ProgressSums();
  written: Nodes = this.table.snapshot().record();

  /** Maps any number to the ID of a node. */
  pick(number: number): string {
    const ids = [...this.table.ids()];
    return ids[number % ids.length] ?? "";
  }

  add(type: NodeStatus["type"], parents: readonly number[]): void {
    const ids = parents.map((number) => this.pick(number));
    const id = `n${[...this.table.ids()].length}`;
    this.table.set({
      id,
      name: id,
      type,
      phase: "Pending",
      ...((type === "Pod" || type === "Suspend") && { progress: "0/1" }),
    });
    for (const parent of ids) this.table.addChild(parent, id);
  }

  link(one: number, other: number): void {
    const [above = "", below = ""] = [this.pick(one), this.pick(other)].sort((a, b) =>
      Number(a.slice(1)) - Number(b.slice(1))
    );
    if (above !== below) this.table.addChild(above, below);
  }

  /** Ends a pass whose status was written or lost. */
  endPass(isWritten: boolean): void {
    const nodes = this.table.snapshot().record();
    if (isWritten) this.written = nodes;
    this.table = NodeTable.reuseOrCreate("w", this.written, this.table);
  }

  /** Compares incremental sums with sums computed from scratch and with sums computed by definition. */
  compare(): void {
    this.sums.update(this.table);
    const expected = new ProgressSums();
    expected.update(this.table);
    const all = (sums: ProgressSums) =>
      [...this.table.ids()].map((
        id,
      ) => [id, sums.sumOf(id).done, sums.sumOf(id).total, heldOf(sums.durationsInside(id))]);
    const whole = ({ ofWorkflow: { done, total, durations } }: ProgressSums) => ({ done, total, ...heldOf(durations) });
    assertEquals([whole(this.sums), ...all(this.sums)], [whole(expected), ...all(expected)]);
    for (const node of this.table.all()) {
      const { done, total } = this.sums.sumOf(node.id);
      if (!isCounted(node)) assertEquals({ done, total }, sumBelow(this.table, node), node.id);
      if (node.type !== "Pod") {
        assertEquals(heldOf(this.sums.durationsInside(node.id)), heldBelow(this.table, node), node.id);
      }
    }
  }
}

/** The durations with 0 for absent ones. */
function heldOf({ cpu = 0, memory = 0 }: Durations = {}): Durations {
  return { cpu, memory };
}

/** The definition: the resource durations of all pods among the descendants. */
function heldBelow(table: NodeTable, { children = [] }: NodeStatus): Durations {
  const below = new Set(children);
  for (const id of below) for (const next of table.get(id)!.children ?? []) below.add(next);
  const pods = [...below].map((id) => table.get(id)!).filter(({ type }) => type === "Pod");
  const sumOf = (resource: string) =>
    pods.reduce((sum, { resourcesDuration }) => sum + (resourcesDuration?.[resource] ?? 0), 0);
  return { cpu: sumOf("cpu"), memory: sumOf("memory") };
}

/** The definition: the progress of all descendants that are counted themselves. */
function sumBelow(table: NodeTable, { children = [] }: NodeStatus): { done: number; total: number } {
  const below = new Set(children);
  for (const id of below) for (const next of table.get(id)!.children ?? []) below.add(next);
  const counts = [...below].map((id) => table.get(id)!).filter(isCounted).map(({ phase, progress }) => {
    const [done = NaN, total = NaN] = progress!.split("/").map(Number);
    return { done: phase === "Succeeded" ? total : done, total };
  });
  return {
    done: counts.reduce((sum, { done }) => sum + done, 0),
    total: counts.reduce((sum, { total }) => sum + total, 0),
  };
}

const number = fc.nat(1000);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    type: fc.constantFrom("Pod", "DAG", "StepGroup", "Retry", "Suspend"),
    parents: fc.array(number, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("report" as const), node: number, progress: fc.constantFrom("0/1", "1/4", "4/4") }),
  fc.record({
    kind: fc.constant("phase" as const),
    node: number,
    phase: fc.constantFrom("Running", "Succeeded", "Failed"),
  }),
  fc.record({ kind: fc.constant("hold" as const), node: number, memory: fc.option(fc.nat(9), { nil: undefined }) }),
  fc.record({ kind: fc.constant("link" as const), one: number, other: number }),
  fc.record({ kind: fc.constant("end" as const), isWritten: fc.boolean(), isRead: fc.boolean() }),
);

Deno.test("ProgressSums: sums updated by changes equal those summed up from scratch", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const life = new NodeHistory();
    for (const step of steps) {
      if (step.kind === "add") life.add(step.type as NodeStatus["type"], step.parents);
      else if (step.kind === "link") life.link(step.one, step.other);
      else if (step.kind === "phase") {
        life.table.update(life.pick(step.node), { phase: step.phase as NodeStatus["phase"] });
      } else if (step.kind === "hold") {
        const resourcesDuration = step.memory === undefined ? undefined : { cpu: 1, memory: step.memory };
        life.table.update(life.pick(step.node), { resourcesDuration });
      } else if (step.kind === "report") {
        const id = life.pick(step.node);
        if (isCounted(life.table.get(id)!)) life.table.update(id, { progress: step.progress });
      } else {
        if (step.isRead) life.compare();
        life.endPass(step.isWritten);
      }
    }
    life.compare();
  }));
});

Deno.test("ProgressSums: the end of one pod updates only that pod and its ancestors", () => {
  const pods = Array.from({ length: 100 }, (_, index) => `p${index}`);
  const nodes: Nodes = Object.fromEntries(
    pods.map((id): [string, NodeStatus] => [id, { id, name: id, type: "Pod", phase: "Running", progress: "0/1" }]),
  );
  nodes.other = { id: "other", name: "other", type: "StepGroup", phase: "Running" };
  nodes.group = { id: "group", name: "group", type: "StepGroup", phase: "Running", children: pods };
  nodes.root = { id: "root", name: "root", type: "Steps", phase: "Running", children: ["group", "other"] };
  const table = new NodeTable("w", nodes);
  const sums = new ProgressSums();
  assertEquals([...sums.update(table)].length, 103);
  table.update("p7", { phase: "Succeeded" });
  assertEquals([...sums.update(table)].toSorted(), ["group", "p7", "root"]);
  assertEquals([sums.sumOf("root"), sums.ofWorkflow], [{ done: 1, total: 100 }, { done: 1, total: 100 }]);
});

Deno.test("ProgressSums: sums up a chain of 20,000 nodes", () => {
  const count = 20_000;
  const nodes: Nodes = {};
  for (let place = 0; place < count; place++) {
    const id = `n${place}`;
    const children = place + 1 < count ? [`n${place + 1}`] : [];
    nodes[id] = { id, name: id, type: place % 2 ? "Pod" : "StepGroup", phase: "Succeeded", progress: "0/1", children };
  }
  const sums = new ProgressSums();
  sums.update(new NodeTable("w", nodes));
  assertEquals(sums.sumOf("n0"), { done: count / 2, total: count / 2 });
});
