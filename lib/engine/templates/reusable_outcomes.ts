/**
 * Outcomes that can be reused, which most nodes of a large workflow usually have. Executing such a node again has no
 * effect until it, a node inside it, a fact that it depends on, or a limit that it waits for changes.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver, loopHolderName, withoutAttemptOrHook } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";
import type { Outcome } from "./call.ts";
import { ChangeLog } from "../nodes/change_log.ts";
import type { Dependency, Evaluation } from "../due/evaluation.ts";

/** The outcome of the last execution of a node. */
export interface ReusableOutcome {
  readonly kind: "node" | "waiting";
  /** The limits that it or a node inside it waits for, with their state. */
  readonly limits: ReadonlyMap<Dependency, unknown>;
}

/** The reusable outcomes by node ID. */
export const reusableOutcomes = (): Map<string, ReusableOutcome> => new Map();

/** The kind of outcome that executing a node would have; undefined if executing it might change something. */
export function reusableKind(pass: Slice, node: NodeStatus): ReusableOutcome["kind"] | undefined {
  if (isOver(node)) return "node";
  const reusable = pass.cache(reusableOutcomes).get(node.id);
  if (!reusable || !pass.stillWaits(reusable.limits)) return undefined;
  return reusable.kind;
}

/** Records the outcome of executing a node if executing it again would change nothing. */
export function recordOutcome(pass: Slice, evaluation: Evaluation, { kind }: Outcome): void {
  pass.recordDependencies("run", evaluation);
  const isReusable = evaluation.isReusable && (kind === "node" || (kind === "waiting" && evaluation.limits.size > 0));
  if (isReusable) pass.cache(reusableOutcomes).set(evaluation.nodeId, { kind, limits: evaluation.limits });
  else pass.cache(reusableOutcomes).delete(evaluation.nodeId);
}

/**
 * Returns all changed nodes and the nodes around them: a changed step has its steps node executed, a changed attempt
 * its Retry node. `parentOf` returns the node whose evaluation included that of another node.
 */
export function findNodesWithWork(
  pass: Slice,
  changedIds: ReadonlySet<string>,
  parentOf: (id: string) => string | undefined,
): ReadonlySet<string> {
  const { nodes } = pass.draft;
  const reusable = pass.cache(reusableOutcomes);
  const found = new Set<string>(changedIds);
  for (const id of nodes.changed.keys()) found.add(id);
  // The limits of the boundary also count the pod of a call.
  for (const id of found) nodes.noteCallChange(id);
  // The iteration also visits nodes that are added meanwhile.
  for (const id of found) {
    reusable.delete(id);
    const caller = parentOf(id);
    if (caller) found.add(caller);
    const node = nodes.get(id);
    if (!node) continue;
    if (node.nodeFlag?.retried || node.nodeFlag?.hooked) found.add(nodes.idOf(withoutAttemptOrHook(node.name)));
    const boundary = node.boundaryID ? nodes.get(node.boundaryID) : undefined;
    if (!boundary) continue;
    // A call of a loop belongs to the group of its task.
    if (boundary.type === "DAG") found.add(nodes.idOf(loopHolderName(node.name, boundary.name)));
    found.add(boundary.id);
  }
  const log = pass.cache(nodesWithWorkLog);
  for (const id of found) log.add(id);
  return found;
}

/** The log of nodes with work, pass by pass. */
const nodesWithWorkLog = () => new ChangeLog();

/**
 * Returns the nodes that had work since the last call. That may be several passes ago: passes skip a loop while its
 * hooks run, and the calls after one whose exit handler runs.
 */
export class NodesWithWorkReader {
  #position: number;

  constructor(pass: Slice) {
    this.#position = pass.cache(nodesWithWorkLog).position;
  }

  /** Returns the IDs of the nodes that had work since the last call; undefined if they are no longer known. */
  next(pass: Slice): ReadonlySet<string> | undefined {
    const log = pass.cache(nodesWithWorkLog);
    const position = this.#position;
    this.#position = log.position;
    // Most readers call this in every pass, so the result is usually that of this pass.
    return pass.nodesWithWork && position === log.position - pass.nodesWithWork.size
      ? pass.nodesWithWork
      : log.since(position);
  }
}
