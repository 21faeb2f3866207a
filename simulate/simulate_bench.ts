/** Benchmark of a workflow's test: one pod, and DAGs of 100 tasks, parallel and sequential. */
import { simulate } from "./mod.ts";

const POD = { name: "pod", container: { image: "busybox", command: ["run"] } };

function dag(tasks: number, depends: (index: number) => string | undefined): object {
  const list = Array.from({ length: tasks }, (_, index) => ({
    name: `t${index}`,
    template: "pod",
    ...(depends(index) ? { depends: depends(index) } : {}),
  }));
  return workflow([{ name: "main", dag: { tasks: list } }, POD]);
}

function workflow(templates: readonly object[]): object {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: "main", templates },
  };
}

const CASES = {
  "one pod": workflow([{ ...POD, name: "main" }]),
  "DAG of 100 parallel tasks": dag(100, () => undefined),
  "DAG of 100 tasks, ten layers of ten": dag(
    100,
    (index) =>
      index < 10
        ? undefined
        : Array.from({ length: 10 }, (_, i) => `t${Math.floor(index / 10) * 10 - 10 + i}`).join(" && "),
  ),
  "DAG of 100 tasks one after the other": dag(100, (index) => index > 0 ? `t${index - 1}` : undefined),
};

for (const [name, source] of Object.entries(CASES)) {
  Deno.bench(name, async () => {
    const run = await simulate(source);
    if (run.phase !== "Succeeded") throw new Error(run.message);
  });
}
