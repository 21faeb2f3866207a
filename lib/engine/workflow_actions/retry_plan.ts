/** The plan of a retry: which nodes it removes, so that they are created again, and which it reopens. */
import type { NodeStatus } from "@tiphys/model/api";
import {
  exitHandlerNodes,
  isFailure,
  isOver,
  isSkippedOrOmitted,
  NodeFamily,
  nodeGraph,
  nodeTypesOf,
} from "@tiphys/model/status";

/** The plan of a retry, as IDs of nodes. A node in several sets is removed. */
export interface RetryPlan {
  readonly removed: ReadonlySet<string>;
  /** Nodes that contain others. They run again with their remaining nodes. */
  readonly reopened: ReadonlySet<string>;
  /** Daemons that ended with their template, which runs again: each gets a new pod, and nodes after it are kept. */
  readonly restarted: ReadonlySet<string>;
  /** Suspended nodes that failed and wait again. */
  readonly awaited: ReadonlySet<string>;
  /** The exit handler of the workflow, and all its nodes. They are also in `removed`. */
  readonly exitHandler: ReadonlySet<string>;
  /** Whether there are nodes besides the exit handler's, but none that failed and could run again. */
  readonly isEmpty: boolean;
}

/** The input of a retry plan. */
export interface RetryPlanInput {
  readonly workflowName: string;
  readonly nodes: Readonly<Record<string, NodeStatus>>;
  /** Whether a node runs again regardless of its phase. */
  readonly isSelected: (node: NodeStatus) => boolean;
  /** Whether a failed node runs again, with all nodes in it. Undefined for all. */
  readonly isIncluded?: ((node: NodeStatus) => boolean) | undefined;
  /** Whether a node runs a daemon template. */
  readonly isDaemon?: (node: NodeStatus) => boolean;
  /** Whether reopened loops and groups are expanded again, because the arguments have changed. */
  readonly mustExpandAgain: boolean;
}

/**
 * Plans a retry. A failed node runs again, unless the workflow continued after it (`continueOn`, `depends`), after a
 * node that contains it, or a later attempt did. A node that contains others is reopened, and successful nodes in it
 * are kept. Of several failed attempts that contain others, only the last one continues.
 */
export function planRetry(input: RetryPlanInput): RetryPlan {
  return new Planner(input).plan();
}

/** Types of nodes that contain others and do no work themselves. */
const PARENT_TYPES = nodeTypesOf("calls", "group", "attempts");

/** The messages of nodes that a shutdown ended. */
const ENDED_BY_SHUTDOWN = /^(?:workflow shutdown|Stopped) with strategy/;

class Planner {
  readonly #family: NodeFamily;
  readonly #removed = new Set<string>();
  readonly #reopened = new Set<string>();
  readonly #awaited = new Set<string>();
  readonly #restarted = new Set<string>();
  readonly #exitHandler = new Set<string>();
  readonly #selected: ReadonlySet<string>;
  /** Nodes that were removed with the nodes after them, and nodes that were removed with the nodes in them. */
  readonly #removedWithFollowers = new Set<NodeStatus>();
  readonly #removedWithContents = new Set<NodeStatus>();
  /** Cached results of `#isHandled`. */
  readonly #handledCache = new Map<string, boolean>();
  /** Cached results of `#leadsToKeptNode`. */
  readonly #keptNodeCache = new Map<string, boolean>();
  readonly #input: RetryPlanInput;

  constructor(input: RetryPlanInput) {
    this.#input = input;
    this.#family = new NodeFamily(nodeGraph(input.nodes));
    this.#selected = new Set(Object.values(input.nodes).filter(input.isSelected).map(({ id }) => id));
  }

  plan(): RetryPlan {
    const all = [...this.#family.graph.nodes.values()];
    for (const { id } of exitHandlerNodes(this.#input.workflowName, this.#family)) {
      this.#exitHandler.add(id);
      this.#removed.add(id);
    }
    const hasExitFailed = !this.#input.isIncluded &&
      [...this.#exitHandler].some((id) => isFailure(this.#family.graph.nodes.get(id)?.phase));
    const others = all.filter(({ id }) => !this.#exitHandler.has(id));
    for (const node of others) {
      if (this.#selected.has(node.id)) this.#runAgain(node);
      else if (this.#isUnhandledFailure(node) && this.#isIncluded(node)) this.#retry(node);
    }
    this.#removeOmitted();
    if (this.#input.mustExpandAgain) this.#removeGroupContents();
    for (const node of others) if (this.#isNeededDaemon(node)) this.#restart(node);
    const isInProgress = others.some((node) => !isOver(node));
    const isEmpty = others.length > 0 && this.#reopened.size + this.#awaited.size === 0 &&
      this.#removed.size === this.#exitHandler.size && !hasExitFailed && !isInProgress;
    return {
      removed: this.#removed,
      reopened: this.#reopened,
      restarted: this.#restarted,
      awaited: this.#awaited,
      exitHandler: this.#exitHandler,
      isEmpty,
    };
  }

  /** Whether a node failed and the workflow did not continue after it or a node that contains it. */
  #isUnhandledFailure(node: NodeStatus): boolean {
    return isFailure(node.phase) && !this.#isHandled(node);
  }

  /** Whether a failed node is selected to run again. */
  #isIncluded(node: NodeStatus): boolean {
    const { isIncluded } = this.#input;
    if (!isIncluded) return true;
    for (let ancestor: NodeStatus | undefined = node; ancestor; ancestor = this.#family.holderOf(ancestor)) {
      if (isIncluded(ancestor)) return true;
    }
    return false;
  }

  /** Whether a failure in a node, or of it, was handled: the workflow continued, or another attempt did. */
  #isHandled(node: NodeStatus): boolean {
    const visited: NodeStatus[] = [];
    let isHandled: boolean | undefined;
    for (
      let ancestor: NodeStatus | undefined = node;
      ancestor && isHandled === undefined;
      ancestor = this.#family.holderOf(ancestor)
    ) {
      isHandled = this.#handledCache.get(ancestor.id) ?? (this.#isHandledItself(ancestor) || undefined);
      visited.push(ancestor);
    }
    for (const { id } of visited) this.#handledCache.set(id, isHandled ?? false);
    return isHandled ?? false;
  }

  /** Whether the workflow continued after this node itself, or another attempt did. */
  #isHandledItself(node: NodeStatus): boolean {
    const holder = this.#family.holderOf(node);
    return this.#hasContinuedAfter(node) || holder !== undefined && this.#isSuperseded(node, holder);
  }

  /** Whether a later attempt replaces this one: the last attempt has not failed, or its own nodes are retried. */
  #isSuperseded(attempt: NodeStatus, holder: NodeStatus): boolean {
    if (holder.type !== "Retry" || this.#family.ownerOfHook(attempt)) return false;
    const last = this.#family.attemptsOf(holder).at(-1);
    return last !== undefined && last !== attempt && (PARENT_TYPES.has(last.type) || !isFailure(last.phase));
  }

  /**
   * Whether the steps or DAG continued past this node: a follower ran and is kept, and each skipped or omitted follower
   * leads to a kept node. An attempt is judged by its Retry node.
   */
  #hasContinuedAfter(node: NodeStatus): boolean {
    const holder = this.#family.holderOf(node);
    const subject = holder?.type === "Retry" && !this.#family.ownerOfHook(node) ? holder : node;
    // Groups after a failed one began before a daemon in it failed.
    const group = subject.type === "StepGroup" ? subject : this.#family.holderOf(subject);
    if (group?.type === "StepGroup" && isFailure(group.phase)) return false;
    const template = this.#family.templateNodeOf(subject);
    const next = this.#family.nextOf(subject);
    return next.some((follower) => this.#leadsToKeptNode(follower, template)) &&
      next.every((follower) =>
        !isSkippedOrOmitted(follower.phase) || !this.#family.isInside(follower, template) ||
        this.#leadsToKeptNode(follower, template)
      );
  }

  /** Whether a node or a later one in the same steps or DAG ran and is kept. Cached, because nodes share followers. */
  #leadsToKeptNode(node: NodeStatus, template: NodeStatus | undefined): boolean {
    const key = `${node.id} ${template?.id ?? ""}`;
    const known = this.#keptNodeCache.get(key);
    if (known !== undefined) return known;
    const isFound = this.#findsKeptNode(node, template);
    this.#keptNodeCache.set(key, isFound);
    return isFound;
  }

  /** Searches for the first node that ran and is kept. */
  #findsKeptNode(node: NodeStatus, template: NodeStatus | undefined): boolean {
    const found = new Set([node]);
    for (const node of found) { // grows during the iteration
      if (this.#isKept(node) && this.#family.isInside(node, template)) return true;
      for (const child of this.#family.graph.childrenOf(node)) found.add(child);
    }
    return false;
  }

  /**
   * Whether a node ran and is kept. A node that could not start, or that a shutdown ended, does not count, because the
   * workflow did not reach it.
   */
  #isKept({ id, phase, type, message, children = [] }: NodeStatus): boolean {
    if (!isFailure(phase)) return phase === "Succeeded" && !this.#selected.has(id);
    if (type === "Skipped") return false;
    return !(PARENT_TYPES.has(type) && children.length > 0) && !ENDED_BY_SHUTDOWN.test(message ?? "");
  }

  #retry(node: NodeStatus): void {
    this.#reopenAncestors(node);
    if (node.type === "Retry") return this.#retryAttempts(node);
    // A call in which nothing has started, because it waited for a lock, starts from scratch.
    const hasStarted = node.boundaryID === undefined || this.#family.innerOf(node).length > 0;
    if (PARENT_TYPES.has(node.type) && hasStarted) return this.#reopen(node);
    const holder = this.#family.holderOf(node);
    if (node.type !== "Suspend" || holder?.type === "Retry") return this.#runAgain(node);
    this.#awaited.add(node.id);
    for (const { id } of this.#family.below(node)) this.#removed.add(id);
  }

  #retryAttempts(node: NodeStatus): void {
    this.#reopen(node);
    const attempts = this.#family.attemptsOf(node);
    const last = attempts.at(-1);
    if (last === undefined || PARENT_TYPES.has(last.type) || !isFailure(last.phase)) return;
    for (const attempt of attempts) this.#remove(attempt);
  }

  #reopen(node: NodeStatus): void {
    this.#reopened.add(node.id);
    // Its hooks are removed: the node has their phases again.
    for (const hook of this.#family.hooksOf(node)) this.#remove(hook);
    if (this.#family.holderOf(node)?.type === "Retry") this.#removeFollowers(node);
  }

  /**
   * Removes the nodes after an attempt that contains others: they are children of the attempt itself, so they are not
   * found after the failed nodes in it.
   */
  #removeFollowers(attempt: NodeStatus): void {
    for (const child of this.#family.graph.childrenOf(attempt)) {
      if (!this.#family.isInside(child, attempt) && !this.#family.ownerOfHook(child)) this.#remove(child);
    }
  }

  /** Reopens all nodes that contain a node. */
  #reopenAncestors(node: NodeStatus): void {
    for (let holder = this.#family.holderOf(node); holder; holder = this.#family.holderOf(holder)) {
      // The call that reopened it also reopens the nodes that contain it.
      if (this.#reopened.has(holder.id)) return;
      if (PARENT_TYPES.has(holder.type) && !isSkippedOrOmitted(holder.phase)) this.#reopen(holder);
    }
  }

  /**
   * Removes a node with everything that resulted from it, and reopens the nodes that contain it. Containers of a set
   * share a pod.
   */
  #runAgain(node: NodeStatus): void {
    const holder = this.#family.holderOf(node);
    if (node.type === "Container" && holder?.type === "Pod") return this.#runAgain(holder);
    this.#remove(node);
    if (holder?.type === "Retry" && !this.#family.ownerOfHook(node)) this.#removeAttemptsAfter(node, holder);
    this.#reopenAncestors(node);
  }

  /** Removes the attempts after one that runs again: their numbers are used again. */
  #removeAttemptsAfter(attempt: NodeStatus, holder: NodeStatus): void {
    const attempts = this.#family.attemptsOf(holder);
    for (const later of attempts.slice(attempts.indexOf(attempt) + 1)) this.#remove(later);
  }

  #remove(node: NodeStatus): void {
    const after = reachFrom([node], this.#removedWithFollowers, (reached) => this.#family.graph.childrenOf(reached));
    for (const { id } of reachFrom(after, this.#removedWithContents, (reached) => this.#family.innerOf(reached))) {
      this.#removed.add(id);
    }
  }

  /**
   * Removes nodes of reopened DAGs that were omitted because others failed, unless a node after them is kept: they are
   * evaluated again.
   */
  #removeOmitted(): void {
    const { graph } = this.#family;
    const kept = graph.ancestorsOf([...graph.nodes.values()].filter((node) => !this.#isRemovedOrOmitted(node)));
    for (const node of graph.nodes.values()) {
      if (node.phase !== "Omitted" || kept.has(node)) continue;
      const dag = this.#family.templateNodeOf(node);
      if (dag?.type === "DAG" && this.#reopened.has(dag.id)) this.#removed.add(node.id);
    }
  }

  /** Whether a node is removed, or was omitted. */
  #isRemovedOrOmitted({ id, phase }: NodeStatus): boolean {
    return this.#removed.has(id) || isSkippedOrOmitted(phase);
  }

  /** Whether a daemon has ended that the reopened steps or DAG of its call need. */
  #isNeededDaemon(node: NodeStatus): boolean {
    return node.type === "Pod" && !this.#removed.has(node.id) && isOver(node) && !isSkippedOrOmitted(node.phase) &&
      node.boundaryID !== undefined && this.#reopened.has(node.boundaryID) && this.#input.isDaemon?.(node) === true &&
      !this.#isHookOrAttemptOfHook(node);
  }

  /** Whether a node is a hook or exit handler, or an attempt of one. No other node can refer to its address. */
  #isHookOrAttemptOfHook(node: NodeStatus): boolean {
    const holder = this.#family.holderOf(node);
    const call = holder?.type === "Retry" && !this.#family.ownerOfHook(node) ? holder : node;
    return this.#family.ownerOfHook(call) !== undefined;
  }

  /** Restarts a daemon. A daemon with retries gets a new first attempt instead of all earlier ones. */
  #restart(node: NodeStatus): void {
    const holder = this.#family.holderOf(node);
    if (holder?.type !== "Retry") return void this.#restarted.add(node.id);
    this.#reopen(holder);
    for (const attempt of this.#family.attemptsOf(holder)) this.#removed.add(attempt.id);
  }

  #removeGroupContents(): void {
    for (const id of this.#reopened) {
      const node = this.#family.graph.nodes.get(id)!;
      if (this.#removed.has(id) || (node.type !== "TaskGroup" && node.type !== "StepGroup")) continue;
      for (const below of this.#family.below(node)) this.#removed.add(below.id);
    }
  }
}

/**
 * Returns the nodes that are reachable from some nodes, including those, and were not in `before`. Each node is visited
 * once over all calls.
 */
function reachFrom(
  start: readonly NodeStatus[],
  visited: Set<NodeStatus>,
  next: (node: NodeStatus) => readonly NodeStatus[],
): NodeStatus[] {
  const reached: NodeStatus[] = [];
  const add = (node: NodeStatus) => {
    if (visited.has(node)) return;
    visited.add(node);
    reached.push(node);
  };
  for (const node of start) add(node);
  for (const node of reached) for (const neighbor of next(node)) add(neighbor); // grows during the iteration
  return reached;
}
