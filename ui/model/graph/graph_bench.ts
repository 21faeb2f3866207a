/**
 * The cost of a graph: building its parts, folding and layout, for flat DAGs with two edges per node. Run `deno task
 * bench micro ui/model`.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { openParts } from "./fold.ts";
import { Layout } from "./layout.ts";
import { partsOf } from "./parts.ts";

function flatDag(count: number): Workflow {
  const tasks = Array.from({ length: count }, (_, i) => ({
    name: `t${i}`,
    template: "work",
    dependencies: i < 10 ? [] : [`t${i - 1 - (i * 7) % 9}`, `t${Math.floor(i / 10) * 10 - 1 - (i * 13) % 10}`],
  }));
  const nodes: Record<string, NodeStatus> = {
    w: { id: "w", name: "w", type: "DAG", phase: "Running", templateName: "main", children: ["w-t0"] },
  };
  for (const { name } of tasks) {
    const id = `w-${name}`;
    nodes[id] = { id, name: `w.${name}`, displayName: name, type: "Pod", phase: "Succeeded", boundaryID: "w" };
  }
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  return { metadata: { name: "w" }, spec: { entrypoint: "main", templates }, status: { phase: "Running", nodes } };
}

for (const count of [1_000, 10_000, 50_000]) {
  const workflow = flatDag(count);
  const whole = partsOf(workflow);
  const open = openParts(whole);
  Deno.bench(`parts of ${count} nodes`, () => {
    partsOf(workflow);
  });
  Deno.bench(`layout of ${count} nodes`, () => {
    new Layout().layOut(whole, open);
  });
  const known = new Layout();
  known.layOut(whole, open);
  Deno.bench(`layout of ${count} nodes after a change of phases`, () => {
    known.layOut(whole, open);
  });
}
