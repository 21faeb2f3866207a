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
export interface DagPhaseInput<N extends DagNode> {
  /** The node of the DAG itself. */
  readonly boundaryId: string;
  /** The target tasks of the DAG. `continuesOn` reports whether a target may end in a phase without failing the DAG. */
  readonly targets: readonly { readonly id: string; readonly continuesOn?: (phase: string) => boolean }[];
  /** The targets and all that they depend on, each task after its dependencies. */
  readonly tasks: readonly DagTask[];
  readonly failFast: boolean;
  /** Whether the workflow is being shut down and no exit handler of the DAG is still running. */
  readonly isShuttingDown: boolean;
  readonly node: (id: string) => N | undefined;
  readonly isFulfilled: (node: N) => boolean;
  /** Whether a task group has unfinished work although all its children have ended. */
  readonly hasUnfinishedWork?: (groupId: string) => boolean;
}

/** The phase, and the task groups that have ended but are not marked as ended: a manual retry leaves such groups. */
export interface DagPhaseResult {
  readonly phase: "Running" | "Succeeded" | "Failed" | "Error";
  readonly groups: ReadonlyMap<string, BranchPhase>;
  /** The ID of the node that keeps the DAG running, if any. The result stays the same until that node has ended. */
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
export function dagPhase<N extends DagNode>(input: DagPhaseInput<N>): DagPhaseResult {
  const groups = new Map<string, BranchPhase>();
  if (input.isShuttingDown) return { phase: "Failed", groups };
  const blocker = firstUnfinished(input, groups);
  if (blocker !== undefined) return { phase: "Running", groups, blocker };

  const branches = branchesOf(input, groups);
  let phase: DagPhaseResult["phase"] = "Succeeded";
  let cause: string | undefined;
  for (const { id, continuesOn } of input.targets) {
    const branch = branches.get(id);
    if (branch === undefined) {
      phase = "Running";
      if (!input.failFast) break;
    } else if (branch.phase !== "Succeeded" && !continuesOn?.(branch.phase)) {
      ({ phase, cause } = branch);
      if (input.failFast) break;
    }
  }
  return { phase, groups, ...(isFailure(phase) && cause !== undefined && { cause }) };
}

/** Returns the phase of each task that has a node and whose dependencies have phases. A failure takes precedence. */
function branchesOf<N extends DagNode>(
  input: DagPhaseInput<N>,
  groups: ReadonlyMap<string, BranchPhase>,
): ReadonlyMap<string, Branch> {
  const branches = new Map<string, Branch>();
  for (const { id, dependencies } of input.tasks) {
    const node = input.node(id);
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
function firstUnfinished<N extends DagNode>(
  input: DagPhaseInput<N>,
  groups: Map<string, BranchPhase>,
): string | undefined {
  // Hooks of the DAG itself are among its children too. They may wait for a lock that the DAG holds, so its caller
  // waits for them instead.
  const first = input.node(input.boundaryId)?.children ?? [];
  const reached = new Set(first.filter((id) => !input.node(id)?.nodeFlag?.hooked));
  for (const { id } of input.tasks) if (input.node(id)) reached.add(id);
  const outer = outerBoundaries(input);
  // The set grows during the walk.
  for (const id of reached) {
    const node = input.node(id);
    // A child that has no node was never created by its completed parent, and never will be.
    if (!node) continue;
    // A memoized resubmit by Argo keeps the nodes that follow the DAG; they wait for the DAG.
    if (node.boundaryID !== undefined && outer.has(node.boundaryID)) continue;
    if (!input.isFulfilled(node)) {
      const group = finishedGroupPhase(input, node);
      if (!group) return id;
      groups.set(id, group);
    }
    for (const child of successors(input, node)) reached.add(child);
  }
  return undefined;
}

/** Returns the IDs of the template calls that contain the DAG. */
function outerBoundaries<N extends DagNode>({ boundaryId, node }: DagPhaseInput<N>): ReadonlySet<string> {
  const outer = new Set<string>();
  for (let id = node(boundaryId)?.boundaryID; id && !outer.has(id); id = node(id)?.boundaryID) outer.add(id);
  return outer;
}

/** Returns the nodes after a node. A Retry node is skipped over: its attempts' children count, not the attempts. */
function successors<N extends DagNode>(input: DagPhaseInput<N>, node: N): readonly string[] {
  const children = node.children ?? [];
  if (node.type !== "Retry") return children;
  return children.flatMap((id) => {
    const child = input.node(id);
    return child && isAttempt(node, child) ? child.children ?? [] : [id];
  });
}

function finishedGroupPhase<N extends DagNode>(input: DagPhaseInput<N>, node: N): BranchPhase | undefined {
  if (node.type !== "TaskGroup" || !node.children?.length || input.hasUnfinishedWork?.(node.id)) return undefined;
  let phase: BranchPhase = "Succeeded";
  for (const id of node.children) {
    const child = input.node(id);
    if (!child || !input.isFulfilled(child) || !areHooksFulfilled(input, child)) return undefined;
    if (isFailure(child.phase)) phase = child.phase;
  }
  return phase;
}

/**
 * Whether all hooks of a call are fulfilled. The loop runs the exit handlers of its calls: if a call counted as
 * completed before its handler, the handler would never finish.
 */
function areHooksFulfilled<N extends DagNode>(input: DagPhaseInput<N>, call: N): boolean {
  return (call.children ?? []).every((id) => {
    const child = input.node(id);
    return !child?.nodeFlag?.hooked || input.isFulfilled(child);
  });
}
