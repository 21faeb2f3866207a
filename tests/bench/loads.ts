/** The loads: the workflows to create, and the resulting numbers of pods and nodes. Every pod sleeps for a while. */
import { LABEL } from "@tiphys/base/constants";
import type {
  ConfigMap,
  CronWorkflow,
  DAGTask,
  Synchronization,
  Template,
  Workflow,
  WorkflowStep,
} from "@tiphys/model/api";

/** The kinds of load. Each has a size. */
export const LOAD_KINDS = [
  "chain",
  "drain",
  "fan-out",
  "dag",
  "finished",
  "kept",
  "crons",
  "semaphore",
  "lock",
] as const;

export type LoadKind = typeof LOAD_KINDS[number];

/** The kinds whose ceiling can be measured, because all writes are known in advance. */
export const KINDS_WITH_CEILING: ReadonlySet<LoadKind> = new Set(["chain", "drain", "fan-out", "dag"]);

/** A load, such as the flag `chain:10`. */
export interface Load {
  readonly kind: LoadKind;
  /** The total number of pods. For `finished`, `kept` and `crons` the number of these objects. */
  readonly size: number;
}

/** The loads of a full run. */
export const ALL_LOADS: readonly Load[] = [
  { kind: "chain", size: 10 },
  { kind: "chain", size: 100 },
  { kind: "drain", size: 200 },
  { kind: "drain", size: 1000 },
  { kind: "fan-out", size: 500 },
  { kind: "fan-out", size: 2000 },
  { kind: "fan-out", size: 10000 },
  { kind: "dag", size: 100 },
  { kind: "dag", size: 1000 },
  { kind: "finished", size: 10000 },
  { kind: "kept", size: 10000 },
  { kind: "crons", size: 500 },
  { kind: "semaphore", size: 1000 },
  { kind: "lock", size: 1000 },
];

/** The loads of a quick run, which takes less than a minute. */
export const QUICK_LOADS: readonly Load[] = [
  { kind: "chain", size: 10 },
  { kind: "drain", size: 20 },
  { kind: "fan-out", size: 50 },
  { kind: "dag", size: 30 },
  { kind: "finished", size: 50 },
  { kind: "kept", size: 50 },
  { kind: "semaphore", size: 20 },
  { kind: "lock", size: 30 },
];

const DAG_WIDTH = 10;

/** Ten years. */
const LONG_SECONDS = 315_360_000;

/** The number of concurrent holders: workflows in the load `semaphore`, nodes of one workflow in `lock`. */
const HOLDERS = 10;
const SEMAPHORE: Synchronization = { semaphores: [{ configMapKeyRef: { name: "limits", key: "holders" } }] };

/** Parses `KIND:SIZE`. @throws {Error} for any other text. */
export function parseLoad(text: string): Load {
  const [kind, size] = text.split(":");
  const known = LOAD_KINDS.find((name) => name === kind);
  const pods = Number(size);
  if (!known || !Number.isInteger(pods) || pods < 1) {
    throw new Error(`Expected a load as KIND:SIZE with one of ${LOAD_KINDS.join(", ")}, got "${text}"`);
  }
  if (known === "dag" && pods % DAG_WIDTH) throw new Error(`Expected layers of ${DAG_WIDTH} tasks, got "${text}"`);
  return { kind: known, size: pods };
}

export function loadName({ kind, size }: Load): string {
  return `${kind}:${size}`;
}

/** The workflows of a load; empty for loads that begin with other objects. */
export function workflowsOf({ kind, size }: Load, namespace: string): Workflow[] {
  switch (kind) {
    case "finished":
    case "kept":
    case "crons":
      return [];
    case "chain":
      return [workflow("chain", namespace, chain(size))];
    case "fan-out":
      return [workflow("fan-out", namespace, fanOut(size))];
    case "dag":
      return [workflow("dag", namespace, denseDag(size))];
    case "drain":
      return Array.from({ length: size }, (_, index) => workflow(`drain-${index}`, namespace, []));
    case "lock":
      return [workflow("lock", namespace, locked(size))];
    case "semaphore":
      return Array.from({ length: size }, (_, index) => {
        const waiting = workflow(`semaphore-${index}`, namespace, []);
        return { ...waiting, spec: { ...waiting.spec, synchronization: SEMAPHORE } };
      });
  }
}

/** Workflows that ended long ago. Their time to live has expired, except in the load `kept`. */
export function finishedOf({ kind, size }: Load, namespace: string): Workflow[] {
  const [startedAt, finishedAt] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"];
  return Array.from({ length: size }, (_, index) => {
    const made = workflow(`finished-${index}`, namespace, fanOut(8));
    const name = made.metadata.name!;
    const nodes = Object.fromEntries(Array.from({ length: 8 }, (_, i) => {
      const id = `${name}-${i}`;
      const node = { id, name: `${name}[0].item(${i})`, displayName: `item(${i})`, type: "Pod", phase: "Succeeded" };
      return [id, { ...node, startedAt, finishedAt, progress: "1/1", outputs: { exitCode: "0" } }];
    }));
    const labels = { [LABEL.completed]: "true", [LABEL.phase]: "Succeeded" };
    return {
      ...made,
      metadata: { ...made.metadata, labels },
      spec: { ...made.spec, ttlStrategy: { secondsAfterCompletion: kind === "kept" ? LONG_SECONDS : 60 } },
      status: { phase: "Succeeded", startedAt, finishedAt, progress: "8/8", nodes },
    } as Workflow;
  });
}

/** Cron workflows that run every minute. Each creates a workflow of one pod. */
export function cronsOf({ size }: Load, namespace: string): CronWorkflow[] {
  return Array.from({ length: size }, (_, index) => {
    const name = `cron-${index}`;
    const { apiVersion, spec } = workflow(name, namespace, []);
    return {
      apiVersion,
      kind: "CronWorkflow",
      metadata: { name, namespace },
      spec: { schedules: ["* * * * *"], workflowSpec: spec },
    };
  });
}

/** The ConfigMap with the limit of a load's semaphore; undefined for other loads. */
export function limitsOf({ kind }: Load, namespace: string): ConfigMap | undefined {
  if (kind !== "semaphore" && kind !== "lock") return undefined;
  const metadata = { name: "limits", namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { holders: String(HOLDERS) } };
}

/** A workflow of one pod, to warm up a controller. */
export function warmUpWorkflow(namespace: string, name = "warm-up"): Workflow {
  return workflow(name, namespace, []);
}

/** A workflow with the entrypoint `main`; without a template of that name, its entrypoint is the pod itself. */
function workflow(name: string, namespace: string, templates: readonly Template[]): Workflow {
  const say: Template = {
    name: "say",
    inputs: { parameters: [{ name: "text", value: "hello" }] },
    container: { image: "busybox", command: ["echo"], args: ["{{inputs.parameters.text}}"] },
  };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace },
    spec: { entrypoint: templates[0]?.name ?? say.name, templates: [...templates, say] },
  };
}

function chain(size: number): Template[] {
  const step = (index: number): WorkflowStep => ({ name: `step-${index}`, template: "say" });
  return [{ name: "main", steps: Array.from({ length: size }, (_, index) => [step(index)]) }];
}

function fanOut(size: number): Template[] {
  const step: WorkflowStep = {
    name: "item",
    template: "say",
    withSequence: { count: String(size) },
    arguments: { parameters: [{ name: "text", value: "{{item}}" }] },
  };
  return [{ name: "main", steps: [[step]] }];
}

function locked(size: number): Template[] {
  const steps = fanOut(size).map((template) => ({
    ...template,
    steps: template.steps?.map((group) => group.map((step) => ({ ...step, template: "locked" }))),
  }));
  const container = { image: "busybox", command: ["echo"], args: ["{{inputs.parameters.text}}"] };
  const inputs = { parameters: [{ name: "text" }] };
  return [...steps, { name: "locked", inputs, synchronization: SEMAPHORE, container }];
}

/** Layers of ten tasks. Each task depends on all tasks of the previous layer. */
function denseDag(size: number): Template[] {
  const name = (layer: number, index: number) => `layer-${layer}-task-${index}`;
  const tasks: DAGTask[] = Array.from({ length: size }, (_, index) => {
    const layer = Math.floor(index / DAG_WIDTH);
    const before = Array.from({ length: layer ? DAG_WIDTH : 0 }, (_, position) => name(layer - 1, position));
    return { name: name(layer, index % DAG_WIDTH), template: "say", ...(layer ? { dependencies: before } : {}) };
  });
  return [{ name: "main", dag: { tasks } }];
}
