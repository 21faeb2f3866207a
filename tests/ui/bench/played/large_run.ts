/** A run of many nodes: one DAG in layers of ten, with two edges per node and at most three successors. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

const STARTED = "2026-01-01T00:00:00Z";
const FINISHED = "2026-01-01T00:01:00Z";
const WIDTH = 10;

/** The description of a run. */
export interface WantedRun {
  readonly namespace: string;
  readonly name: string;
  readonly nodes: number;
  readonly isOver?: boolean;
  /** Nodes whose phase differs from the initial one, by number. */
  readonly changed?: ReadonlyMap<number, Phase>;
  readonly version?: number;
}

type Phase = NonNullable<NodeStatus["phase"]>;

/** The index of the first failed node. The page initially scrolls a large graph to it. */
export const FIRST_FAILED = 999;

/** Creates the run. Most nodes have succeeded; every thousandth has failed. */
export function largeRun({ namespace, name, nodes: count, isOver = false, changed, version = 1 }: WantedRun): Workflow {
  const phase: Phase = isOver ? "Succeeded" : "Running";
  const root: NodeStatus = {
    id: name,
    name,
    displayName: name,
    type: "DAG",
    phase,
    templateName: "main",
    startedAt: STARTED,
    ...(isOver ? { finishedAt: FINISHED } : {}),
    children: [`${name}-0`],
  };
  const nodes: Record<string, NodeStatus> = { [name]: root };
  const tasks = Array.from({ length: count }, (_, index) => ({
    name: `t${index}`,
    template: "work",
    dependencies: dependenciesOf(index).map((dependency) => `t${dependency}`),
  }));
  for (let index = 0; index < count; index++) {
    nodes[`${name}-${index}`] = {
      id: `${name}-${index}`,
      name: `${name}.t${index}`,
      displayName: `t${index}`,
      type: "Pod",
      phase: changed?.get(index) ?? (index % 1000 === FIRST_FAILED ? "Failed" : "Succeeded"),
      boundaryID: name,
      templateName: "work",
      startedAt: STARTED,
      finishedAt: FINISHED,
      children: [],
    };
    for (const dependency of dependenciesOf(index)) nodes[`${name}-${dependency}`]!.children!.push(`${name}-${index}`);
  }
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  return {
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      resourceVersion: String(version),
      creationTimestamp: STARTED,
      labels: { "workflows.argoproj.io/phase": phase },
    },
    spec: { entrypoint: "main", arguments: {}, templates },
    status: { phase, startedAt: STARTED, ...(isOver ? { finishedAt: FINISHED } : {}), nodes },
  };
}

function dependenciesOf(index: number): number[] {
  if (index === 0) return [];
  const place = index % WIDTH;
  // The first layers are a tree with three branches per node.
  if (index < WIDTH) return [Math.floor((index - 1) / 3)];
  if (index < 2 * WIDTH) return [3 + place % 7];
  const before = index - place - WIDTH;
  const layer = Math.floor(index / WIDTH);
  return [...new Set([before + place, before + (place * 3 + layer) % WIDTH])];
}
