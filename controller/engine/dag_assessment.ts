/**
 * The phase of a whole DAG, from the nodes below it: branch by branch, where an omitted or skipped task takes the phase
 * of what came before it (features T-46, H-12).
 */
import type { DAGTask, NodePhase, NodeStatus } from "../../lib/api/mod.ts";
import { continuesOn } from "./continue_on.ts";
import { isCompleted, isFailure, isFulfilled } from "./node_state.ts";
import type { Pass } from "./pass.ts";

/** What is asked. */
export interface DagQuestion {
  readonly boundaryId: string;
  readonly targets: readonly { readonly id: string; readonly task: DAGTask | undefined }[];
  readonly failFast: boolean;
  /** The workflow is being shut down and no exit handler of the DAG is still running. */
  readonly shutDown: boolean;
}

/** The phase, and the task groups that are over without having been marked so. */
export interface DagAssessment {
  readonly phase: NodePhase;
  readonly groups: ReadonlyMap<string, NodePhase>;
}

/** Judges a DAG by the nodes that exist. */
export function assessDag(pass: Pass, question: DagQuestion): DagAssessment {
  const groups = new Map<string, NodePhase>();
  if (question.shutDown) return { phase: "Failed", groups };
  const phases = new Map<string, NodePhase | undefined>(question.targets.map(({ id }) => [id, undefined]));
  if (!walk(pass, question.boundaryId, phases, groups)) return { phase: "Running", groups };

  let result: NodePhase = "Succeeded";
  for (const { id, task } of question.targets) {
    const phase = phases.get(id);
    if (phase === undefined) {
      result = "Running";
      if (!question.failFast) break;
    } else if (isFailure(phase) && !continuesOn(task, phase)) {
      result = phase;
      if (question.failFast) break;
    }
  }
  return { phase: result, groups };
}

/** Breadth first, each node once for each phase it is reached with. False when something still runs. */
function walk(
  pass: Pass,
  boundaryId: string,
  phases: Map<string, NodePhase | undefined>,
  groups: Map<string, NodePhase>,
): boolean {
  const queue: [string, NodePhase][] = (pass.nodes.get(boundaryId)?.children ?? []).map((id) => [id, "Succeeded"]);
  const seen = new Set(queue.map(([id, phase]) => `${id} ${phase}`));
  for (let at = 0; at < queue.length; at++) {
    const [id, inherited] = queue[at];
    const node = pass.nodes.get(id);
    if (!node) return false;
    let phase = inherited;
    if (!isFulfilled(node)) {
      const groupPhase = finishedGroupPhase(pass, node);
      if (!groupPhase) return false;
      groups.set(node.id, groupPhase);
      phase = groupPhase;
    } else if (isCompleted(node)) {
      phase = node.phase!;
    }
    if (phases.has(id) && !isFailure(phases.get(id))) phases.set(id, phase);
    for (const child of successors(pass, node)) {
      const key = `${child} ${phase}`;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push([child, phase]);
    }
  }
  return true;
}

/** A Retry node speaks for its attempts: the way goes on below the last one, and below its hooks. */
function successors(pass: Pass, node: NodeStatus): readonly string[] {
  const children = node.children ?? [];
  if (node.type !== "Retry") return children;
  return children.toReversed().flatMap((id) => {
    const child = pass.nodes.get(id);
    return child?.nodeFlag?.hooked ? [id] : child?.children ?? [];
  });
}

function finishedGroupPhase(pass: Pass, node: NodeStatus): NodePhase | undefined {
  if (node.type !== "TaskGroup" || !node.children?.length) return undefined;
  let phase: NodePhase = "Succeeded";
  for (const id of node.children) {
    const child = pass.nodes.get(id);
    if (!child || !isFulfilled(child)) return undefined;
    if (isFailure(child.phase)) phase = child.phase!;
  }
  return phase;
}
