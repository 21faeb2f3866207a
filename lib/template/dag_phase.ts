/**
 * The phase of a whole DAG from the nodes below it, branch by branch: a task that was omitted or skipped takes the phase
 * of what came before it.
 */
import { isAttempt, isCompletedPhase, isFailure } from "../status/mod.ts";

/** The fields of a node that are read here. */
export interface DagNode {
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  readonly phase?: string;
  readonly children?: readonly string[];
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
}

/** The question about a DAG: its node, its targets, and the nodes below it. */
export interface DagQuestion<N extends DagNode> {
  /** The node of the DAG itself. */
  readonly boundaryId: string;
  /** The nodes that the DAG aims at. `continuesOn` says whether one may end this way without failing the DAG. */
  readonly targets: readonly { readonly id: string; readonly continuesOn?: (phase: string) => boolean }[];
  readonly failFast: boolean;
  /** The workflow is being shut down and no exit handler of the DAG is still running. */
  readonly shutDown: boolean;
  readonly node: (id: string) => N | undefined;
  readonly isFulfilled: (node: N) => boolean;
  /** Whether a task group is known to have something left to do, although all in it are over. */
  readonly isAtWork?: (groupId: string) => boolean;
}

/** The phase, and the task groups that are over without having been marked so: a retry by hand leaves such behind. */
export interface DagAnswer {
  readonly phase: "Running" | "Succeeded" | "Failed" | "Error";
  readonly groups: ReadonlyMap<string, BranchPhase>;
  /**
   * The ID of the node, if any, that keeps the DAG running: the answer stays the same as long as that node is not over.
   */
  readonly blocker?: string;
}

/** The phase of a branch that is over. */
export type BranchPhase = "Succeeded" | "Failed" | "Error";

/** Judges a DAG by the nodes that exist. */
export function dagPhase<N extends DagNode>(question: DagQuestion<N>): DagAnswer {
  const groups = new Map<string, BranchPhase>();
  if (question.shutDown) return { phase: "Failed", groups };
  const reached = walk(question, groups);
  if (typeof reached === "string") return { phase: "Running", groups, blocker: reached };

  let phase: DagAnswer["phase"] = "Succeeded";
  for (const { id, continuesOn } of question.targets) {
    const branch = reached.get(id);
    if (branch === undefined) {
      phase = "Running";
      if (!question.failFast) break;
    } else if (branch !== "Succeeded" && !continuesOn?.(branch)) {
      phase = branch;
      if (question.failFast) break;
    }
  }
  return { phase, groups };
}

/**
 * The phase in which each target was reached, a failure before a success; or the ID of the first node that is missing
 * or not over. Each node is visited once for each phase.
 */
function walk<N extends DagNode>(
  question: DagQuestion<N>,
  groups: Map<string, BranchPhase>,
): Map<string, BranchPhase> | string {
  const targets = new Set(question.targets.map(({ id }) => id));
  const reached = new Map<string, BranchPhase>();
  const queue: [string, BranchPhase][] = [];
  const seen = { Succeeded: new Set<string>(), Failed: new Set<string>(), Error: new Set<string>() };
  const enqueue = (ids: readonly string[], phase: BranchPhase) => {
    for (const id of ids) {
      if (seen[phase].has(id)) continue;
      queue.push([id, phase]);
      seen[phase].add(id);
    }
  };
  // Hooks of the DAG itself hang on it, too. They may wait for a lock that it holds: whoever called it waits for them.
  const first = question.node(question.boundaryId)?.children ?? [];
  enqueue(first.filter((id) => !question.node(id)?.nodeFlag?.hooked), "Succeeded");
  // The queue grows as it is walked along.
  for (const [id, inherited] of queue) {
    const node = question.node(id);
    if (!node) return id;
    let phase = inherited;
    if (question.isFulfilled(node)) phase = branchPhase(node) ?? inherited;
    else {
      const group = finishedGroup(question, node);
      if (!group) return id;
      groups.set(id, phase = group);
    }
    if (targets.has(id) && (reached.get(id) ?? "Succeeded") === "Succeeded") reached.set(id, phase);
    enqueue(successors(question, node), phase);
  }
  return reached;
}

function branchPhase(node: DagNode): BranchPhase | undefined {
  return isCompletedPhase(node.phase) ? node.phase : undefined;
}

/** A Retry node speaks for its attempts: the way goes on below them, and to all else that hangs on it. */
function successors<N extends DagNode>(question: DagQuestion<N>, node: N): readonly string[] {
  const children = node.children ?? [];
  if (node.type !== "Retry") return children;
  return children.flatMap((id) => {
    const child = question.node(id);
    return child && isAttempt(node, child) ? child.children ?? [] : [id];
  });
}

function finishedGroup<N extends DagNode>(question: DagQuestion<N>, node: N): BranchPhase | undefined {
  if (node.type !== "TaskGroup" || !node.children?.length || question.isAtWork?.(node.id)) return undefined;
  let phase: BranchPhase = "Succeeded";
  for (const id of node.children) {
    const child = question.node(id);
    if (!child || !question.isFulfilled(child) || !hooksAreOver(question, child)) return undefined;
    if (isFailure(child.phase)) phase = child.phase;
  }
  return phase;
}

/** A call's exit handler is brought forward by its loop: one that was taken for over would leave it where it is for ever. */
function hooksAreOver<N extends DagNode>(question: DagQuestion<N>, call: N): boolean {
  return (call.children ?? []).every((id) => {
    const child = question.node(id);
    return !child?.nodeFlag?.hooked || question.isFulfilled(child);
  });
}
