/** The loads: what workflows are made, and how many pods and nodes come of them. Every pod does nothing for a while. */
import type { DAGTask, Template, Workflow, WorkflowStep } from "../../lib/api/mod.ts";

/** The shapes of load, each of which has a size. */
export const LOAD_KINDS = ["ceiling", "chain", "drain", "fan-out", "dag"] as const;

export type LoadKind = typeof LOAD_KINDS[number];

/** One load, as a flag names it: `chain:10`. */
export interface Load {
  readonly kind: LoadKind;
  /** The number of pods, in all. */
  readonly size: number;
}

/** What a full run measures. */
export const ALL_LOADS: readonly Load[] = [
  { kind: "ceiling", size: 500 },
  { kind: "chain", size: 10 },
  { kind: "chain", size: 100 },
  { kind: "drain", size: 200 },
  { kind: "drain", size: 1000 },
  { kind: "fan-out", size: 500 },
  { kind: "fan-out", size: 2000 },
  { kind: "fan-out", size: 10000 },
  { kind: "dag", size: 100 },
  { kind: "dag", size: 1000 },
];

/** What a smoke run measures, in under a minute. */
export const QUICK_LOADS: readonly Load[] = [
  { kind: "ceiling", size: 50 },
  { kind: "chain", size: 10 },
  { kind: "drain", size: 20 },
  { kind: "fan-out", size: 50 },
  { kind: "dag", size: 30 },
];

const DAG_WIDTH = 10;

/** Reads `KIND:SIZE`. Throws when it is none. */
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

/** The workflows of a load; the ceiling has none, its pods are made without a controller. */
export function workflowsOf({ kind, size }: Load, namespace: string): Workflow[] {
  switch (kind) {
    case "ceiling":
      return [];
    case "chain":
      return [workflow("chain", namespace, chain(size))];
    case "fan-out":
      return [workflow("fan-out", namespace, fanOut(size))];
    case "dag":
      return [workflow("dag", namespace, denseDag(size))];
    case "drain":
      return Array.from({ length: size }, (_, index) => workflow(`drain-${index}`, namespace, []));
  }
}

/** A workflow of one pod: what every controller is warmed up with. */
export function warmUpWorkflow(namespace: string): Workflow {
  return workflow("warm-up", namespace, []);
}

/** `main` is the entry; without any template of that name it is the pod itself. */
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

/** Layers of ten tasks; each task depends on all of the layer before it. */
function denseDag(size: number): Template[] {
  const name = (layer: number, place: number) => `layer-${layer}-task-${place}`;
  const tasks: DAGTask[] = Array.from({ length: size }, (_, index) => {
    const layer = Math.floor(index / DAG_WIDTH);
    const before = Array.from({ length: layer ? DAG_WIDTH : 0 }, (_, place) => name(layer - 1, place));
    return { name: name(layer, index % DAG_WIDTH), template: "say", ...(layer ? { dependencies: before } : {}) };
  });
  return [{ name: "main", dag: { tasks } }];
}
