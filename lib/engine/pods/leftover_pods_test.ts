import { assertEquals } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { ENV } from "@tiphys/base/constants";
import { separateLeftovers } from "./leftover_pods.ts";
import { NodeTable } from "../nodes/node_table.ts";

/** Separates a pod whose node is not in the status. */
function sorted(decidedOn: string | undefined, resourceVersion: string) {
  const workflow: Workflow = { metadata: { name: "w", namespace: "n", uid: "u", resourceVersion }, spec: {} };
  const pod: Pod = {
    metadata: {
      name: "p",
      namespace: "n",
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "w", uid: "u" }],
    },
    spec: { containers: [{ name: "supervisor", env: decidedOn ? [{ name: ENV.decidedOn, value: decidedOn }] : [] }] },
  };
  const pods = new Map([["id", pod]]);
  const all = (isTrue: (id: string) => boolean) => new Set([...pods.keys()].filter(isTrue));
  const found = separateLeftovers(workflow, { pods }, NodeTable.reuseOrCreate("w", {}, undefined), all);
  return { counting: [...found.pods.keys()], inTheWay: [...found.leftovers.keys()] };
}

Deno.test("separateLeftovers: a pod without a node is a leftover if its version of the workflow has been observed", () => {
  assertEquals(sorted("99", "99"), { counting: [], inTheWay: ["id"] });
  assertEquals(sorted("99", "100"), { counting: [], inTheWay: ["id"] });
});

Deno.test("separateLeftovers: a pod of a later version of the workflow is neither leftover nor current", () => {
  assertEquals(sorted("100", "99"), { counting: [], inTheWay: [] });
});

Deno.test("separateLeftovers: a pod without a version of the workflow is a leftover", () => {
  assertEquals(sorted(undefined, "99"), { counting: [], inTheWay: ["id"] });
});
