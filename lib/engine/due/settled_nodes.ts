/**
 * Settled nodes: most of a large workflow, most of the time. To execute one again would leave everything as it is until
 * something changes about it, about what lies in it, about a fact it depends on, or about a limit it waits for.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver, loopHolderName, withoutAttemptOrHook } from "@tiphys/model/status";
import type { Pass } from "../pass.ts";
import type { Outcome } from "../templates/call.ts";
import { ChangeLog } from "./change_log.ts";
import type { Dependency, Look } from "./look.ts";

/** The outcome of the last time a node was executed. */
export interface Settled {
  readonly kind: "node" | "waiting";
  /** The limits it waits for, itself or something in it, with the state they were in. */
  readonly limits: ReadonlyMap<Dependency, unknown>;
}

/** The settled nodes, by ID. */
export const settledNodes = (): Map<string, Settled> => new Map();

/** The kind of outcome that executing a node now would have; undefined where that might change something. */
export function settledKind(pass: Pass, node: NodeStatus): Settled["kind"] | undefined {
  if (isOver(node)) return "node";
  const settled = pass.cache(settledNodes).get(node.id);
  if (!settled || !pass.stillWaits(settled.limits)) return undefined;
  return settled.kind;
}

/** Remembers the outcome of executing a node, where executing it again would change nothing. */
export function settle(pass: Pass, look: Look, { kind }: Outcome): void {
  pass.remember("run", look);
  const isSettled = look.isSettled && (kind === "node" || (kind === "waiting" && look.limits.size > 0));
  if (isSettled) pass.cache(settledNodes).set(look.about, { kind, limits: look.limits });
  else pass.cache(settledNodes).delete(look.about);
}

/**
 * Wakes all nodes of which something changed, and all that they lie in: a change in a step is a change in its steps node,
 * one in an attempt is one in its Retry node. `within` tells in the course of which node another was looked at.
 */
export function wakeNodes(
  pass: Pass,
  news: ReadonlySet<string>,
  within: (id: string) => string | undefined,
): ReadonlySet<string> {
  const { nodes } = pass.draft;
  const settled = pass.cache(settledNodes);
  const awake = new Set<string>(news);
  for (const id of nodes.changed.keys()) awake.add(id);
  // A call counts for the limits of what it lies in also by its pod.
  for (const id of awake) nodes.noteCallOf(id);
  // The walk through the set also reaches the nodes that are added meanwhile.
  for (const id of awake) {
    settled.delete(id);
    const caller = within(id);
    if (caller) awake.add(caller);
    const node = nodes.get(id);
    if (!node) continue;
    if (node.nodeFlag?.retried || node.nodeFlag?.hooked) awake.add(nodes.idOf(withoutAttemptOrHook(node.name)));
    const boundary = node.boundaryID ? nodes.get(node.boundaryID) : undefined;
    if (!boundary) continue;
    // A call of a loop lies in the group of its task.
    if (boundary.type === "DAG") awake.add(nodes.idOf(loopHolderName(node.name, boundary.name)));
    awake.add(boundary.id);
  }
  const log = pass.cache(wakings);
  for (const id of awake) log.note(id);
  return awake;
}

/** The nodes that were woken, pass by pass. */
const wakings = () => new ChangeLog();

/**
 * Tells which nodes were woken since it was asked before. That may be some passes ago: a pass does not come to a loop
 * whose hooks still run, nor to the calls after one whose exit handler runs.
 */
export class WokenSince {
  #mark: number;

  constructor(pass: Pass) {
    this.#mark = pass.cache(wakings).mark;
  }

  /** The IDs; undefined when it is too long ago to be known. */
  next(pass: Pass): ReadonlySet<string> | undefined {
    const log = pass.cache(wakings);
    const mark = this.#mark;
    this.#mark = log.mark;
    // Most who ask do so in every pass: the answer is what this pass woke.
    return pass.awake && mark === log.mark - pass.awake.size ? pass.awake : log.since(mark);
  }
}
