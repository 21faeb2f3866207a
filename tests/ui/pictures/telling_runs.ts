/** Runs of the small installation that show one problem each: out of memory, a missing Secret, a wide graph, and more. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { simulate } from "../../../mod.ts";
import { type Feed, NAMESPACE, NOW, seededRun } from "../feed/feed.ts";
import { flatRun, loopRun } from "../played/played_runs.ts";

/** Creates the runs. */
export async function seedTellingRuns(feed: Feed): Promise<void> {
  const runs = [
    { run: await oomRun("train-oom"), minutes: 8 * 60 },
    { run: loopRun("fanout-1000"), minutes: 9 * 60 },
    { run: flatRun("wide-120", 120), minutes: 10 * 60 },
  ];
  for (const { run, minutes } of runs) await put(feed, run, minutes);
  await put(feed, secretRun("import-secret"), 11 * 60);
  await feed.run("held-2", {
    startedAt: timeBefore(30),
    status: { message: "workflow suspended", nodes: {} },
  });
  await feed.client.patch(WORKFLOWS, NAMESPACE, "held-2", { spec: { suspend: true } });
  const archived = seededRun("old-etl", { phase: "Failed", startedAt: timeBefore(60 * 24 * 3) });
  const node = {
    id: "old-etl",
    name: "old-etl",
    displayName: "old-etl",
    type: "Pod",
    phase: "Failed",
    templateName: "main",
    message: "main: Error (exit code 2): cannot open /data/orders.csv",
    startedAt: timeBefore(60 * 24 * 3),
    finishedAt: timeBefore(60 * 24 * 3 - 2),
  };
  await feed.archive({
    ...archived,
    metadata: {
      ...archived.metadata,
      uid: "00000000-0000-4000-8000-00000000a1d5",
      creationTimestamp: timeBefore(60 * 24 * 3),
    },
    status: { ...(archived as unknown as Workflow).status, nodes: { "old-etl": node } },
  } as unknown as KubeObject);
}

const timeBefore = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString().replace(".000", "");

async function put(feed: Feed, { metadata: { name }, spec, status }: Workflow, minutes: number): Promise<void> {
  const by = NOW - minutes * 60_000 - Date.parse(String(status?.startedAt));
  const moved = JSON.parse(
    JSON.stringify(status).replaceAll(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
      (time) => new Date(Date.parse(time) + by).toISOString().replace(/\.\d+/, ""),
    ),
  );
  const labels = { "workflows.argoproj.io/phase": String(status?.phase) };
  await feed.put([WORKFLOWS, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: NAMESPACE, labels },
    spec,
    status: moved,
  } as unknown as KubeObject]);
}

/** A run whose container exceeded its memory limit, in the third item of a loop, at each of two attempts. */
async function oomRun(name: string): Promise<Workflow> {
  const { workflow } = await simulate(
    `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: ${name} }
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - { name: prepare, template: work }
      - { name: train, template: train, depends: prepare, withSequence: { count: "4" }, arguments: { parameters: [{ name: fold, value: "{{item}}" }] } }
      - { name: publish, template: work, depends: train }
  - { name: work, container: { image: alpine, command: [work] } }
  - name: train
    inputs: { parameters: [{ name: fold }] }
    retryStrategy: { limit: 1 }
    container: { image: "registry.example/train:1.4", command: [python, train.py], resources: { limits: { memory: 512Mi } } }
`,
    {
      templates: {
        work: () => ({ durationSeconds: 12 }),
        train: ({ inputs }) =>
          inputs.parameters.fold === "2" ? { exitCode: 137, durationSeconds: 50 } : { durationSeconds: 90 },
      },
    },
  );
  return JSON.parse(JSON.stringify(workflow).replaceAll(/Error \(exit code 137\)/g, "OOMKilled (exit code 137)"));
}

/** A run whose pod cannot start, because its Secret does not exist. */
function secretRun(name: string): Workflow {
  const startedAt = timeBefore(11 * 60);
  const pod: NodeStatus = {
    id: `${name}-1`,
    name: `${name}.load`,
    displayName: "load",
    type: "Pod",
    phase: "Pending",
    boundaryID: name,
    templateName: "load",
    startedAt,
    message: 'CreateContainerConfigError: secret "db-password" not found',
  };
  const root: NodeStatus = {
    id: name,
    name,
    displayName: name,
    type: "DAG",
    phase: "Running",
    templateName: "main",
    startedAt,
  };
  const templates = [
    { name: "main", dag: { tasks: [{ name: "load", template: "load" }] } },
    { name: "load", container: { image: "alpine" } },
  ];
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: { entrypoint: "main", templates },
    status: { phase: "Running", startedAt, nodes: { [name]: root, [pod.id]: pod } },
  } as Workflow;
}
