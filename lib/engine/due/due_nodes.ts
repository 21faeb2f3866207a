/**
 * The nodes that are due in a pass. A check, such as `pod` or `report`, is repeated for each node in every pass. The
 * due nodes are those that changed since the previous pass, those that depend on an outside fact that changed, and
 * those with remaining work. Most nodes of a large workflow are usually not due. Without this cache, a pass evaluates
 * all nodes, with the same result.
 */
import type { NodeTable } from "../nodes/node_table.ts";
import type { ChangeLog } from "../nodes/change_log.ts";
import type { Dependency, Evaluation } from "./evaluation.ts";

/** The changes before a pass, and its settings. */
export interface PassChanges {
  /** The log of facts about nodes. If undefined, all nodes may have changed. */
  readonly changes: ChangeLog | undefined;
  /** The log of outside facts. */
  readonly outside: ChangeLog | undefined;
  /** The nodes that the previous pass replaced; undefined if there is no known previous pass. */
  readonly replaced: ReadonlySet<string> | undefined;
  /** The settings that affect all nodes. If one of these objects is replaced, all nodes are evaluated. */
  readonly settings: readonly unknown[];
}

/** Tracks, for each check, for which nodes it must be evaluated again, and which facts they depend on. */
export class DueNodes {
  readonly #checks = new Map<string, CheckState>();
  /** For a node that was evaluated during the evaluation of another one: that other node. */
  readonly #parents = new Map<string, string>();
  readonly #changes = new LogReader();
  readonly #outside = new LogReader();
  #settings: readonly unknown[] = [];
  #changedIds: ReadonlySet<string> | undefined;
  #pass = 0;

  /** Starts a pass. */
  beginPass({ changes, outside, replaced, settings }: PassChanges): void {
    const changed = this.#changes.next(changes);
    const keys = outside ? this.#outside.next(outside) : NOTHING;
    const isKnown = changed && keys && replaced && sameItems(settings, this.#settings);
    this.#settings = settings;
    this.#pass++;
    this.#changedIds = isKnown ? new Set([...replaced, ...changed, ...this.#dependents(keys)]) : undefined;
    if (this.#changedIds) return;
    this.#checks.clear();
    this.#parents.clear();
  }

  /** The nodes that changed since the previous pass; undefined if all nodes must be evaluated. */
  get changedIds(): ReadonlySet<string> | undefined {
    return this.#changedIds;
  }

  /**
   * Evaluates a check for the due nodes among `candidates`, in the order of `nodes`, the table of this pass.
   */
  evaluateDue(
    check: string,
    candidates: Iterable<string>,
    nodes: NodeOrder,
    evaluate: (id: string) => Evaluation,
  ): void {
    const { due, open } = this.#due(check, candidates, nodes);
    for (const id of nodes.inOrder(due)) {
      const evaluation = evaluate(id);
      this.recordDependencies(check, evaluation);
      if (evaluation.isReusable) open.delete(id);
      else open.add(id);
    }
  }

  /** The nodes among `candidates` that fulfill a condition. It may depend only on a node, its pod and its report. */
  select(
    condition: string,
    candidates: Iterable<string>,
    nodes: NodeOrder,
    isTrue: (id: string) => boolean,
  ): ReadonlySet<string> {
    const { due, open } = this.#due(condition, candidates, nodes, []);
    for (const id of due) {
      if (isTrue(id)) open.add(id);
      else open.delete(id);
    }
    return open;
  }

  /** The nodes for which a check is due; all nodes if the previous pass did not evaluate it. */
  #due(
    name: string,
    candidates: Iterable<string>,
    nodes: NodeOrder,
    recheck?: readonly string[],
  ): { readonly due: Iterable<string>; readonly open: Set<string> } {
    const check = this.#check(name);
    const isKnown = this.#changedIds && check.lastPass >= this.#pass - 1;
    check.lastPass = this.#pass;
    if (!isKnown) check.open.clear();
    const { open } = check;
    return {
      due: isKnown ? new Set([...recheck ?? open, ...this.#changedIds!, ...nodes.changed.keys()]) : candidates,
      open,
    };
  }

  /** Records the outside facts that an evaluation depends on. */
  recordDependencies(name: string, { nodeId, parent, outside }: Evaluation): void {
    const { dependencies, dependents } = this.#check(name);
    const before = dependencies.get(nodeId);
    if (!before && outside.size === 0) return;
    for (const key of before ?? NOTHING) dependents.get(key)?.delete(nodeId);
    if (outside.size === 0) return void dependencies.delete(nodeId);
    dependencies.set(nodeId, outside);
    for (const key of outside) {
      const ids = dependents.get(key);
      if (ids) ids.add(nodeId);
      else dependents.set(key, new Set([nodeId]));
    }
    let id = nodeId;
    for (let ancestor = parent; ancestor; ancestor = ancestor.parent) {
      if (ancestor.nodeId === id) continue;
      this.#parents.set(id, ancestor.nodeId);
      id = ancestor.nodeId;
    }
  }

  /**
   * Returns the parent of a node: the node whose evaluation included that of this one; undefined if no evaluation did.
   */
  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  #check(name: string): CheckState {
    let check = this.#checks.get(name);
    if (!check) {
      this.#checks.set(
        name,
        check = { lastPass: -1, open: new Set(), dependencies: new Map(), dependents: new Map() },
      );
    }
    return check;
  }

  #dependents(keys: ReadonlySet<string>): string[] {
    const found: string[] = [];
    for (const key of keys) {
      for (const { dependents } of this.#checks.values()) found.push(...dependents.get(key) ?? NOTHING);
    }
    return found;
  }
}

/** The cached state of one check. */
interface CheckState {
  /** The number of the last pass in which it was evaluated. */
  lastPass: number;
  /** The nodes for which it must be evaluated again, or for which it is true. */
  readonly open: Set<string>;
  /** The outside facts that each node depends on, and the nodes that depend on each fact. */
  readonly dependencies: Map<string, ReadonlySet<Dependency>>;
  readonly dependents: Map<string, Set<string>>;
}

/** The part of a node table that is needed: changed nodes, and the order of nodes. */
export type NodeOrder = Pick<NodeTable, "changed" | "inOrder">;

/** Reads a log incrementally. */
class LogReader {
  #log: ChangeLog | undefined;
  #position = 0;

  /** The keys added since the last call; undefined if they are unknown. */
  next(log: ChangeLog | undefined): ReadonlySet<string> | undefined {
    const found = log && log === this.#log ? log.since(this.#position) : undefined;
    this.#log = log;
    this.#position = log?.position ?? 0;
    return found;
  }
}

const NOTHING: ReadonlySet<never> = new Set();

function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((item, index) => item === others[index]);
}
