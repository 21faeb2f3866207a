import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { differencesOf, pairWorkflows } from "./same_results.ts";

/** A workflow that ended in a phase, or runs without one. */
function workflow(name: string, phase?: string, generateName = `${name.split("-")[0]}-`): Workflow {
  const status = { phase: phase ?? "Running", ...(phase !== undefined && { finishedAt: "2026-11-21T11:34:03Z" }) };
  return { metadata: { name, generateName, uid: `of-${name}` }, spec: {}, status } as unknown as Workflow;
}

Deno.test("pairWorkflows: pairs workflows with the same name except for the random suffix", () => {
  const { pairs, unended } = pairWorkflows([workflow("a-1", "Failed"), workflow("b-1", "Failed")], [
    workflow("b-2", "Failed"),
    workflow("a-2", "Failed"),
  ]);
  assertEquals(pairs.map(({ cluster, embedded }) => [cluster.metadata.name, embedded.metadata.name]), [
    ["a-1", "a-2"],
    ["b-1", "b-2"],
  ]);
  assertEquals(unended, []);
});

Deno.test("pairWorkflows: pairs the most similar of several workflows with one name", () => {
  const { pairs } = pairWorkflows([workflow("a-1", "Error"), workflow("a-2", "Succeeded")], [
    workflow("a-3", "Succeeded"),
    workflow("a-4", "Failed"),
  ]);
  assertEquals(pairs.map(({ embedded }) => embedded.metadata.name).sort(), ["a-3", "a-4"]);
  assertEquals(pairs.flatMap(differencesOf).map(({ path, cluster, embedded }) => [path, cluster, embedded]), [
    ["phase", "Error", "Failed"],
  ]);
});

Deno.test("pairWorkflows: ignores workflows in a single place, and those that ended in neither", () => {
  const { pairs, unended, elsewhere } = pairWorkflows([workflow("a-1", "Failed"), workflow("c-1")], [
    workflow("b-2", "Failed"),
    workflow("c-2"),
  ]);
  assertEquals(pairs, []);
  assertEquals([unended, elsewhere.toSorted()], [["c-"], ["a-", "b-"]]);
});

Deno.test("pairWorkflows: ignores a workflow that ended only on one cluster and was deleted on the other", () => {
  const { pairs, unended } = pairWorkflows([workflow("a-1", "Failed")], [workflow("a-2")]);
  assertEquals(pairs, []);
  assertEquals(unended, ["a-"]);
});

Deno.test("pairWorkflows: does not pair a deleted workflow with an ended one of the same name", () => {
  const { pairs } = pairWorkflows([workflow("a-1"), workflow("a-2", "Failed")], [workflow("a-3", "Failed")]);
  assertEquals(pairs.map(({ cluster }) => cluster.metadata.name), ["a-2"]);
});
