/** Sample objects for DOM tests, as servers send them. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

export const NAMESPACE = "argo";
/** The start of sample runs, and the end of finished ones. */
export const STARTED = "2026-03-04T11:00:00Z";
export const FINISHED = "2026-03-04T11:02:30Z";

const ENDED = new Set(["Succeeded", "Failed", "Error", "Skipped", "Omitted"]);

/** The phase, times and identity of a sample run; other fields are those of a run with three steps. */
export interface RunSample {
  readonly name?: string;
  readonly phase?: string;
  readonly metadata?: Workflow["metadata"];
  readonly spec?: Workflow["spec"];
  readonly status?: Workflow["status"];
  /** The nodes below the root. */
  readonly nodes?: readonly NodeStatus[];
}

/** Returns a run whose DAG has these nodes. */
export function sampleRun(
  { name = "hello", phase = "Succeeded", metadata = {}, spec = {}, status = {}, nodes = [] }: RunSample = {},
): Workflow {
  const times = { startedAt: STARTED, ...(ENDED.has(phase) ? { finishedAt: FINISHED } : {}) };
  const root: NodeStatus = {
    id: name,
    name,
    displayName: name,
    type: "DAG",
    phase: phase as NodeStatus["phase"],
    templateName: "main",
    children: nodes.map(({ id }) => id),
    ...times,
  };
  const tasks = nodes.map(({ displayName = "", templateName = "work" }) => ({
    name: displayName,
    template: templateName,
  }));
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: "1",
      creationTimestamp: STARTED,
      ...metadata,
    },
    spec: {
      entrypoint: "main",
      templates: [
        { name: "main", dag: { tasks } },
        { name: "work", container: { image: "alpine", command: ["work"] } },
        { name: "gate", suspend: {} },
      ],
      ...spec,
    },
    status: {
      phase: phase as NonNullable<Workflow["status"]>["phase"],
      ...times,
      progress: `${nodes.filter((node) => node.phase === "Succeeded").length}/${nodes.length}`,
      nodes: Object.fromEntries([root, ...nodes].map((node) => [node.id, { boundaryID: name, ...node }])),
      ...status,
    },
  } as Workflow;
}

/** Returns a node of the sample run; by default a pod. */
export function sampleNode(name: string, phase: string, fields: Partial<NodeStatus> = {}): NodeStatus {
  return {
    id: `id-${name}`,
    name: `hello.${name}`,
    displayName: name,
    type: "Pod",
    templateName: "work",
    phase: phase as NodeStatus["phase"],
    startedAt: STARTED,
    ...(ENDED.has(phase) ? { finishedAt: FINISHED } : {}),
    ...fields,
  };
}

/** A run with a failed step. */
export const failedRun = sampleRun({
  phase: "Failed",
  nodes: [
    sampleNode("extract", "Succeeded"),
    sampleNode("load", "Failed", { message: "Error (exit code 3): two rows have no id", outputs: { exitCode: "3" } }),
    sampleNode("report", "Omitted", { type: "Skipped" }),
  ],
});

/** A run with one running and one pending step. */
export const runningRun = sampleRun({
  phase: "Running",
  nodes: [
    sampleNode("extract", "Succeeded"),
    sampleNode("load", "Running"),
    sampleNode("report", "Pending", { message: "Unschedulable: no node has 4 CPUs" }),
  ],
});

/** A run that succeeded. */
export const succeededRun = sampleRun({
  phase: "Succeeded",
  nodes: [sampleNode("extract", "Succeeded"), sampleNode("load", "Succeeded")],
});

/** Returns a step that waits for a person to choose `answer`. */
export function approval(name: string, answer = "answer"): NodeStatus {
  const parameter = { name: answer, enum: ["YES", "NO"], description: "Deploy to production?" };
  return sampleNode(name, "Running", {
    type: "Suspend",
    templateName: "gate",
    inputs: { parameters: [{ ...parameter, value: "NO" }] },
    outputs: { parameters: [{ ...parameter, valueFrom: { supplied: {} } }] },
  });
}

/** Returns a run that waits for a person. */
export function waitingRun(...nodes: readonly NodeStatus[]): Workflow {
  return sampleRun({ phase: "Running", nodes: [sampleNode("build", "Succeeded"), ...nodes] });
}
