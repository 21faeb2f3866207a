import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { NodeTable } from "../nodes/node_table.ts";
import type { Pass } from "../pass.ts";
import { findNodesWithWork, NodesWithWorkReader } from "./reusable_outcomes.ts";

const node = (id: string, more: Partial<NodeStatus> = {}): NodeStatus => ({
  id,
  name: id,
  type: "Pod",
  phase: "Running",
  ...more,
});

/** Passes over some nodes, with the methods that `findNodesWithWork` uses. */
function createPasses(...nodes: readonly NodeStatus[]) {
  const kept = new Map<unknown, unknown>();
  const table = NodeTable.reuseOrCreate("w", Object.fromEntries(nodes.map((node) => [node.id, node])), undefined);
  const pass = {
    draft: { nodes: table },
    awake: undefined as ReadonlySet<string> | undefined,
    cache<T>(make: () => T): T {
      if (!kept.has(make)) kept.set(make, make());
      return kept.get(make) as T;
    },
  };
  const asPass = pass as unknown as Pass;
  return {
    pass: asPass,
    wake(news: readonly string[], within: Readonly<Record<string, string>> = {}): string {
      pass.awake = findNodesWithWork(asPass, new Set(news), (id) => within[id]);
      return [...pass.awake].sort().join(" ");
    },
  };
}

Deno.test("findNodesWithWork: returns a changed node, the nodes around it and those that evaluated it, and no others", () => {
  const { wake } = createPasses(
    node("steps", { type: "Steps" }),
    node("group", { type: "StepGroup", boundaryID: "steps" }),
    node("pod", { boundaryID: "steps" }),
    node("beside", { boundaryID: "steps" }),
    node("caller"),
    node("waiting"),
  );
  assertEquals(wake(["pod"]), "pod steps");
  assertEquals(wake(["waiting"], { waiting: "caller" }), "caller waiting");
  assertEquals(wake([]), "");
});

Deno.test("NodesWithWorkReader: returns all nodes with work since the last call, even several passes ago", () => {
  const { pass, wake } = createPasses(node("a"), node("b"), node("c"), node("d"));
  wake(["a"]);
  const woken = new NodesWithWorkReader(pass);
  const next = () => [...woken.next(pass) ?? ["unknown"]].sort().join(" ");
  wake(["b"]);
  assertEquals(next(), "b");
  wake(["c"]);
  wake(["a", "d"]);
  wake(["b"]);
  assertEquals(next(), "a b c d");
  wake([]);
  assertEquals(next(), "");
});

Deno.test("NodesWithWorkReader: returns undefined if the last call is too long ago", () => {
  const { pass, wake } = createPasses(node("a"));
  const woken = new NodesWithWorkReader(pass);
  for (let count = 0; count < 9000; count++) wake(["a"]);
  assertEquals(woken.next(pass), undefined);
  wake(["a"]);
  assertEquals([...woken.next(pass) ?? []], ["a"]);
});
