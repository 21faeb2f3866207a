/**
 * The phase of a whole DAG, propagated from task to task along their dependencies: a task that was omitted or skipped
 * takes the phase of the tasks that it depends on. Nodes inside a task only keep the DAG running until they have ended.
 */
import { isAttempt, isCompletedPhase, isFailure } from "../status/mod.ts";

/** The fields of a node that are read here. */
export interface DagNode {
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  readonly phase?: string;
  /** The ID of the template call that the node belongs to. */
  readonly boundaryID?: string;
  readonly children?: readonly string[];
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
}

/** A task: the ID of its node, and those of the tasks that it depends on. */
export interface DagTask {
  readonly id: string;
  readonly dependencies: readonly string[];
}

/** The question about a DAG: its node, its targets, its tasks, and the nodes below it. */
export interface DagQuestion<N extends DagNode> {
  /** The node of the DAG itself. */
  readonly boundaryId: string;
  /** The nodes that the DAG aims at. `continuesOn` says whether one may end this way without failing the DAG. */
  readonly targets: readonly { readonly id: string; readonly continuesOn?: (phase: string) => boolean }[];
  /** The targets and all that they depend on, each task after its dependencies. */
  readonly tasks: readonly DagTask[];
  readonly failFast: boolean;
  /** The workflow is being shut down and no exit handler of the DAG is still running. */
  readonly shutDown: boolean;
  readonly node: (id: string) => N | undefined;
  readonly isFulfilled: (node: N) => boolean;
  /** Whether a task group is known to have unfinished work although all its children have ended. */
  readonly isAtWork?: (groupId: string) => boolean;
}

/** The phase, and the task groups that have ended without having been marked so: a manual retry leaves such groups. */
export interface DagAnswer {
  readonly phase: "Running" | "Succeeded" | "Failed" | "Error";
  readonly groups: ReadonlyMap<string, BranchPhase>;
  /**
   * The ID of the node, if any, that keeps the DAG running: the answer stays the same until that node has ended.
   */
  readonly blocker?: string;
  /** The ID of the task whose failure decided the phase; undefined in any other phase, and for a shutdown. */
  readonly cause?: string;
}

/** The phase of a branch that has ended. */
export type BranchPhase = "Succeeded" | "Failed" | "Error";

/** The phase of a task that has ended, and the task where a failure began. */
interface Branch {
  readonly phase: BranchPhase;
  readonly cause?: string;
}

/** Judges a DAG by the nodes that exist. */
export function dagPhase<N extends DagNode>(question: DagQuestion<N>): DagAnswer {
  const groups = new Map<string, BranchPhase>();
  if (question.shutDown) return { phase: "Failed", groups };
  const blocker = firstOpen(question, groups);
  if (blocker !== undefined) return { phase: "Running", groups, blocker };

  const branches = branchesOf(question, groups);
  let phase: DagAnswer["phase"] = "Succeeded";
  let cause: string | undefined;
  for (const { id, continuesOn } of question.targets) {
    const branch = branches.get(id);
    if (branch === undefined) {
      phase = "Running";
      if (!question.failFast) break;
    } else if (branch.phase !== "Succeeded" && !continuesOn?.(branch.phase)) {
      ({ phase, cause } = branch);
      if (question.failFast) break;
    }
  }
  return { phase, groups, ...(isFailure(phase) && cause !== undefined && { cause }) };
}

/** The phase of each task that has a node and whose dependencies have phases, a failure before a success. */
function branchesOf<N extends DagNode>(
  question: DagQuestion<N>,
  groups: ReadonlyMap<string, BranchPhase>,
): ReadonlyMap<string, Branch> {
  const branches = new Map<string, Branch>();
  for (const { id, dependencies } of question.tasks) {
    const node = question.node(id);
    if (!node) continue;
    const own = groups.get(id) ?? (isCompletedPhase(node.phase) ? node.phase : undefined);
    if (own !== undefined) branches.set(id, isFailure(own) ? { phase: own, cause: id } : { phase: own });
    // A daemon that is up serves whoever comes after it.
    else if (node.phase === "Running") branches.set(id, { phase: "Succeeded" });
    else {
      const before = dependencies.map((dependency) => branches.get(dependency));
      branches.set(id, before.find((branch) => branch && isFailure(branch.phase)) ?? { phase: "Succeeded" });
    }
  }
  return branches;
}

/**
 * The ID of the first node below the DAG that has not ended, hooks and nodes inside of tasks included. Each node is
 * visited once. Adds the task groups that have ended without having been marked.
 */
function firstOpen<N extends DagNode>(question: DagQuestion<N>, groups: Map<string, BranchPhase>): string | undefined {
  // Hooks of the DAG itself are among its children, too. They may wait for a lock that it holds: its caller waits for them.
  const first = question.node(question.boundaryId)?.children ?? [];
  const reached = new Set(first.filter((id) => !question.node(id)?.nodeFlag?.hooked));
  for (const { id } of question.tasks) if (question.node(id)) reached.add(id);
  const outer = outerBoundaries(question);
  // The set grows during the walk.
  for (const id of reached) {
    const node = question.node(id);
    // Nothing will ever make a node that is only named as a child of one that has ended.
    if (!node) continue;
    // A memoized resubmit of Argo keeps what followed the DAG, which waits for the DAG.
    if (node.boundaryID !== undefined && outer.has(node.boundaryID)) continue;
    if (!question.isFulfilled(node)) {
      const group = finishedGroup(question, node);
      if (!group) return id;
      groups.set(id, group);
    }
    for (const child of successors(question, node)) reached.add(child);
  }
  return undefined;
}

/** The IDs of the template calls that the DAG is in. */
function outerBoundaries<N extends DagNode>({ boundaryId, node }: DagQuestion<N>): ReadonlySet<string> {
  const outer = new Set<string>();
  for (let id = node(boundaryId)?.boundaryID; id && !outer.has(id); id = node(id)?.boundaryID) outer.add(id);
  return outer;
}

/** A Retry node speaks for its attempts: the walk continues below them, and to all else that hangs on it. */
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
