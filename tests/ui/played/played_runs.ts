/** Runs for journeys: statuses written by the engine, and some handwritten for states in between. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { simulate } from "../../../mod.ts";

const NAMESPACE = "data";

/** A run as stored by a server. */
export function withVersion(workflow: Workflow, resourceVersion = "1"): Workflow {
  const { name } = workflow.metadata;
  return { ...workflow, metadata: { ...workflow.metadata, namespace: NAMESPACE, uid: `uid-${name}`, resourceVersion } };
}

/** A failed run with a loop, a retried node, nested boxes and an exit handler. */
export async function failedRun(name: string): Promise<Workflow> {
  const source = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: ${name} }
spec:
  entrypoint: main
  onExit: work
  arguments: { parameters: [{ name: region, value: eu, enum: [eu, us] }] }
  templates:
  - name: main
    dag:
      tasks:
      - { name: extract, template: work }
      - { name: load, template: work, depends: extract, withSequence: { count: "40" } }
      - { name: flaky, template: flaky, depends: extract }
      - { name: check, template: check, depends: "load && flaky" }
      - { name: report, template: work, depends: check }
  - name: check
    steps: [[{ name: deep, template: work }], [{ name: validate, template: bad }, { name: count, template: work }]]
  - { name: work, container: { image: alpine, command: [work] } }
  - { name: flaky, retryStrategy: { limit: 3 }, container: { image: alpine, command: [work] } }
  - { name: bad, container: { image: alpine, command: [work] } }
`;
  const { workflow } = await simulate(source, {
    templates: {
      work: () => ({ durationSeconds: 10 }),
      flaky: ({ attempt }) => attempt < 2 ? { exitCode: 1 } : { durationSeconds: 30 },
      bad: () => ({ exitCode: 3, message: "2 rows have no id", durationSeconds: 7 }),
    },
  });
  return withVersion(workflow);
}

/** A DAG of twelve tasks. The first `there` tasks have nodes, the last of which runs. */
export function growingRun(name: string, there: number, resourceVersion: string): Workflow {
  const startedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, "");
  const tasks = Array.from({ length: 12 }, (_, i) => ({
    name: `t${i}`,
    template: "work",
    dependencies: i === 0 ? [] : [`t${Math.floor((i - 1) / 2)}`],
  }));
  const nodes: Record<string, NodeStatus> = {
    [name]: { id: name, name, displayName: name, type: "DAG", phase: "Running", templateName: "main", startedAt },
  };
  for (const [i, task] of tasks.slice(0, there).entries()) {
    const isLast = i === there - 1;
    nodes[`n${i}`] = {
      id: `n${i}`,
      name: `${name}.${task.name}`,
      displayName: task.name,
      type: "Pod",
      phase: isLast ? "Running" : "Succeeded",
      boundaryID: name,
      templateName: "work",
      startedAt,
      ...(isLast ? {} : { finishedAt: startedAt }),
    };
  }
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  const status = { phase: "Running" as const, startedAt, nodes };
  return withVersion({ metadata: { name }, spec: { entrypoint: "main", templates }, status }, resourceVersion);
}

/** A run that waits for a user's choice. */
export function waitingRun(name: string): Workflow {
  const startedAt = "2026-01-01T00:00:00Z";
  const nodes: Record<string, NodeStatus> = {
    [name]: { id: name, name, displayName: name, type: "Steps", phase: "Running", templateName: "main", startedAt },
    group: {
      id: "group",
      name: `${name}[0]`,
      type: "StepGroup",
      phase: "Running",
      boundaryID: name,
      children: ["gate"],
    },
    gate: {
      id: "gate",
      name: `${name}[0].approve`,
      displayName: "approve",
      type: "Suspend",
      phase: "Running",
      boundaryID: name,
      templateName: "gate",
      startedAt,
      inputs: { parameters: [{ name: "go", value: "no", enum: ["yes", "no"] }] },
      outputs: { parameters: [{ name: "go", valueFrom: { supplied: {} } }] },
    },
  };
  const templates = [
    { name: "main", steps: [[{ name: "approve", template: "gate" }], [{ name: "deploy", template: "work" }]] },
    { name: "gate", suspend: {}, outputs: { parameters: [{ name: "go", valueFrom: { supplied: {} } }] } },
    { name: "work", container: { image: "alpine" } },
  ];
  const status = { phase: "Running" as const, startedAt, nodes };
  return withVersion({ metadata: { name }, spec: { entrypoint: "main", templates }, status });
}

/** A loop of 1,000 items, one of which failed. */
export function loopRun(name: string): Workflow {
  const times = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:01:00Z" };
  const ids = Array.from({ length: 1000 }, (_, i) => `i${i}`);
  const nodes: Record<string, NodeStatus> = {
    [name]: { id: name, name, displayName: name, type: "DAG", phase: "Failed", templateName: "main", ...times },
    loop: {
      id: "loop",
      name: `${name}.load`,
      displayName: "load",
      type: "TaskGroup",
      phase: "Failed",
      boundaryID: name,
      children: ids,
      ...times,
    },
  };
  for (const [i, id] of ids.entries()) {
    const phase = i === 700 ? "Failed" : "Succeeded";
    const displayName = `load(${i}:x)`;
    nodes[id] = {
      id,
      name: `${name}.${displayName}`,
      displayName,
      type: "Pod",
      phase,
      boundaryID: name,
      templateName: "work",
      ...times,
    };
  }
  const task = { name: "load", template: "work", withParam: "[]" };
  const templates = [{ name: "main", dag: { tasks: [task] } }, { name: "work", container: { image: "alpine" } }];
  const status = { phase: "Failed" as const, nodes, ...times };
  return withVersion({ metadata: { name }, spec: { entrypoint: "main", templates }, status });
}

/** A flat DAG of `count` tasks, each with two dependencies. The last task, which has no successor, failed. */
export function flatRun(name: string, count: number): Workflow {
  const times = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:01:00Z" };
  const tasks = Array.from({ length: count }, (_, i) => ({
    name: `t${i}`,
    template: "work",
    dependencies: i < 10 ? [] : [`t${i - 1 - (i * 7) % 9}`, `t${Math.floor(i / 10) * 10 - 1 - (i * 13) % 10}`],
  }));
  const root: NodeStatus = { id: name, name, displayName: name, type: "DAG", phase: "Failed", templateName: "main" };
  const nodes: Record<string, NodeStatus> = { [name]: { ...root, ...times } };
  for (const [i, { name: task }] of tasks.entries()) {
    nodes[task] = {
      id: task,
      name: `${name}.${task}`,
      displayName: task,
      type: "Pod",
      phase: i === count - 1 ? "Failed" : "Succeeded",
      boundaryID: name,
      templateName: "work",
      ...times,
    };
  }
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  return withVersion({
    metadata: { name },
    spec: { entrypoint: "main", templates },
    status: { phase: "Failed", nodes, ...times },
  });
}
