/**
 * Settled nodes, which most nodes of a large workflow usually are. Executing a settled node again has no effect until it, a node
 * inside it, a fact that it depends on, or a limit that it waits for changes.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver, loopHolderName, withoutAttemptOrHook } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";
import type { Outcome } from "./call.ts";
import { ChangeLog } from "../nodes/change_log.ts";
import type { Dependency, Look } from "../due/look.ts";

/** The outcome of the last execution of a node. */
export interface SettledOutcome {
  readonly kind: "node" | "waiting";
  /** The limits that it or a node inside it waits for, with their state. */
  readonly limits: ReadonlyMap<Dependency, unknown>;
}

/** The settled nodes by ID. */
export const settledNodes = (): Map<string, SettledOutcome> => new Map();

/** The kind of outcome that executing a node would have; undefined if that might change something. */
export function settledKind(pass: Slice, node: NodeStatus): SettledOutcome["kind"] | undefined {
  if (isOver(node)) return "node";
  const settled = pass.cache(settledNodes).get(node.id);
  if (!settled || !pass.stillWaits(settled.limits)) return undefined;
  return settled.kind;
}

/** Records the outcome of executing a node if executing it again would change nothing. */
export function settle(pass: Slice, look: Look, { kind }: Outcome): void {
  pass.remember("run", look);
  const isSettled = look.isSettled && (kind === "node" || (kind === "waiting" && look.limits.size > 0));
  if (isSettled) pass.cache(settledNodes).set(look.about, { kind, limits: look.limits });
  else pass.cache(settledNodes).delete(look.about);
}

/**
 * Wakes all changed nodes and the nodes around them: a change in a step wakes its steps node, one in an attempt its Retry node.
 * `within` returns the node during whose evaluation another one was evaluated.
 */
export function wakeNodes(
  pass: Slice,
  news: ReadonlySet<string>,
  within: (id: string) => string | undefined,
): ReadonlySet<string> {
  const { nodes } = pass.draft;
  const settled = pass.cache(settledNodes);
  const awake = new Set<string>(news);
  for (const id of nodes.changed.keys()) awake.add(id);
  // The limits of the boundary also count the pod of a call.
  for (const id of awake) nodes.noteCallOf(id);
  // The iteration also visits nodes that are added meanwhile.
  for (const id of awake) {
    settled.delete(id);
    const caller = within(id);
    if (caller) awake.add(caller);
    const node = nodes.get(id);
    if (!node) continue;
    if (node.nodeFlag?.retried || node.nodeFlag?.hooked) awake.add(nodes.idOf(withoutAttemptOrHook(node.name)));
    const boundary = node.boundaryID ? nodes.get(node.boundaryID) : undefined;
    if (!boundary) continue;
    // A call of a loop belongs to the group of its task.
    if (boundary.type === "DAG") awake.add(nodes.idOf(loopHolderName(node.name, boundary.name)));
    awake.add(boundary.id);
  }
  const log = pass.cache(wakings);
  for (const id of awake) log.note(id);
  return awake;
}

/** The log of woken nodes, pass by pass. */
const wakings = () => new ChangeLog();

/**
 * Returns the nodes that were woken since the last call. That may be several passes ago: passes skip a loop while its hooks run,
 * and the calls after one whose exit handler runs.
 */
export class WokenSince {
  #mark: number;

  constructor(pass: Slice) {
    this.#mark = pass.cache(wakings).mark;
  }

  /** The IDs; undefined if they are no longer known. */
  next(pass: Slice): ReadonlySet<string> | undefined {
    const log = pass.cache(wakings);
    const mark = this.#mark;
    this.#mark = log.mark;
    // Most readers call this in every pass, so the result is what this pass woke.
    return pass.awake && mark === log.mark - pass.awake.size ? pass.awake : log.since(mark);
  }
}
