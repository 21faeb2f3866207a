/**
 * The phase of a whole DAG, propagated from task to task along their dependencies: a task that was omitted or skipped
 * has the phase of the tasks that it depends on. Nodes inside a task only keep the DAG running until they have ended.
 */
import { isAttempt, isCompletedPhase, isFailure } from "@tiphys/model/status";

/** The fields of a node that this module reads. */
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

/** A task: the ID of its node, and the IDs of the tasks that it depends on. */
export interface DagTask {
  readonly id: string;
  readonly dependencies: readonly string[];
}

/** The input of `dagPhase`: the DAG's node, its targets and tasks, and access to the nodes below it. */
export interface DagQuestion<N extends DagNode> {
  /** The node of the DAG itself. */
  readonly boundaryId: string;
  /** The target tasks of the DAG. `continuesOn` reports whether a target may end in a phase without failing the DAG. */
  readonly targets: readonly { readonly id: string; readonly continuesOn?: (phase: string) => boolean }[];
  /** The targets and all that they depend on, each task after its dependencies. */
  readonly tasks: readonly DagTask[];
  readonly failFast: boolean;
  /** Whether the workflow is being shut down and no exit handler of the DAG is still running. */
  readonly shutDown: boolean;
  readonly node: (id: string) => N | undefined;
  readonly isFulfilled: (node: N) => boolean;
  /** Whether a task group has unfinished work although all its children have ended. */
  readonly isAtWork?: (groupId: string) => boolean;
}

/** The phase, and the task groups that have ended but are not marked as ended: a manual retry leaves such groups. */
export interface DagAnswer {
  readonly phase: "Running" | "Succeeded" | "Failed" | "Error";
  readonly groups: ReadonlyMap<string, BranchPhase>;
  /** The ID of the node that keeps the DAG running, if any. The answer stays the same until that node has ended. */
  readonly blocker?: string;
  /** The ID of the task whose failure decided the phase. Undefined in every other phase and after a shutdown. */
  readonly cause?: string;
}

/** The phase of a completed branch. */
export type BranchPhase = "Succeeded" | "Failed" | "Error";

/** The phase of a completed task, and the task in which a failure began. */
interface Branch {
  readonly phase: BranchPhase;
  readonly cause?: string;
}

/** Computes the phase of a DAG from the nodes that exist. */
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

/** Returns the phase of each task that has a node and whose dependencies have phases. A failure takes precedence. */
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
    // A running daemon counts as succeeded for the tasks after it.
    else if (node.phase === "Running") branches.set(id, { phase: "Succeeded" });
    else {
      const before = dependencies.map((dependency) => branches.get(dependency));
      branches.set(id, before.find((branch) => branch && isFailure(branch.phase)) ?? { phase: "Succeeded" });
    }
  }
  return branches;
}

/**
 * Returns the ID of the first node below the DAG that has not ended, including hooks and nodes inside tasks. Visits
 * each node once. Adds the task groups that have ended but are not marked as ended to `groups`.
 */
function firstOpen<N extends DagNode>(question: DagQuestion<N>, groups: Map<string, BranchPhase>): string | undefined {
  // Hooks of the DAG itself are among its children too. They may wait for a lock that the DAG holds, so its caller
  // waits for them instead.
  const first = question.node(question.boundaryId)?.children ?? [];
  const reached = new Set(first.filter((id) => !question.node(id)?.nodeFlag?.hooked));
  for (const { id } of question.tasks) if (question.node(id)) reached.add(id);
  const outer = outerBoundaries(question);
  // The set grows during the walk.
  for (const id of reached) {
    const node = question.node(id);
    // A child that has no node was never created by its completed parent, and never will be.
    if (!node) continue;
    // A memoized resubmit by Argo keeps the nodes that follow the DAG; they wait for the DAG.
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

/** Returns the IDs of the template calls that contain the DAG. */
function outerBoundaries<N extends DagNode>({ boundaryId, node }: DagQuestion<N>): ReadonlySet<string> {
  const outer = new Set<string>();
  for (let id = node(boundaryId)?.boundaryID; id && !outer.has(id); id = node(id)?.boundaryID) outer.add(id);
  return outer;
}

/** Returns the nodes after a node. A Retry node is skipped over: its attempts' children count, not the attempts. */
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

/**
 * Whether all hooks of a call are fulfilled. The loop runs the exit handlers of its calls: if a call counted as
 * completed before its handler, the handler would never finish.
 */
function hooksAreOver<N extends DagNode>(question: DagQuestion<N>, call: N): boolean {
  return (call.children ?? []).every((id) => {
    const child = question.node(id);
    return !child?.nodeFlag?.hooked || question.isFulfilled(child);
  });
}
