/** Locks that a workflow or a node waits for, according to the status that Argo's controller and ours write. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { DEADLOCK } from "@tiphys/base/constants";
import { listText } from "@tiphys/base/count_text";
import { isFulfilled, millisOf, NodeFamily, nodeGraph, storedTemplateOf } from "@tiphys/model/status";
import { durationMillis } from "./duration.ts";
import type { ExplainInput, NodeCheck, WorkflowCheck } from "./explain_input.ts";
import { BY_ITSELF, type Reason, reason, type Ref } from "./reason.ts";

/** The ID of the workflow itself among the nodes that wait for locks. */
const WHOLE_WORKFLOW = "";

/** A workflow that waits for a lock before it starts. */
export const checkWorkflowLock: WorkflowCheck = (input) => {
  const { workflow } = input;
  const { phase = "", message = "" } = workflow.status ?? {};
  if (phase !== "" && phase !== "Pending") return [];
  const since = workflow.metadata.creationTimestamp;
  const [lock] = waitingLocks(workflow);
  if (message.startsWith(UNREADABLE_PREFIX)) return [unreadableReason({ message, since, key: lock?.key })];
  const deadlock = input.evidence.deadlocks?.get(WHOLE_WORKFLOW);
  // The deadline of a workflow counts from its start, so it does not end this wait.
  if (lock && deadlock !== undefined) return [deadlockReason(lock.key, { deadlock, since, timeLimits: [] })];
  if (lock || message.startsWith("Waiting for ")) {
    return [lockReason("Lock", input, { lock, message, since, nodeId: WHOLE_WORKFLOW })];
  }
  // The workflow has requested its locks, and the response is not known yet.
  return phase === "Pending" && input.spec.synchronization && !message
    ? [reason("Lock", { since, text: "requests its locks", unblock: BY_ITSELF })]
    : [];
};

/** A node that waits in the queue of a lock, or has requested a lock. */
export const checkNodeLock: NodeCheck = (input, node) => {
  const { workflow, evidence } = input;
  const key = node.synchronizationStatus?.waiting;
  const parts = { node: node.name, since: node.startedAt };
  const message = node.message ?? "";
  if (!key) {
    const requestsLocks = node.phase === "Pending" && storedTemplateOf(workflow, node)?.synchronization !== undefined &&
      !evidence.pods?.has(node.id) && message === "";
    return requestsLocks && node.type !== "Pod"
      ? [reason("NodeLock", { ...parts, text: "requests its locks", unblock: BY_ITSELF })]
      : undefined;
  }
  if (message.startsWith(UNREADABLE_PREFIX)) return [unreadableReason({ ...parts, message, key })];
  const deadlock = deadlockText(node) ?? evidence.deadlocks?.get(node.id);
  if (deadlock !== undefined) {
    return [deadlockReason(key, { ...parts, deadlock, timeLimits: timeLimitsOf(input, node) })];
  }
  const lock = waitingLocks(workflow).find((waitingLock) => waitingLock.key === key) ?? { key, holders: [] };
  return [lockReason("NodeLock", input, { ...parts, lock, message, nodeId: node.id })];
};

/** The description of the deadlock in a node's message. */
function deadlockText({ message = "" }: NodeStatus): string | undefined {
  return message.split(DEADLOCK)[1];
}

/** A time at which a wait ends, and the limit that ends it. */
interface TimeLimit {
  readonly at: number;
  readonly by: string;
}

/**
 * The reason of a wait in a deadlock. It ends with the first time limit; only those of this workflow are known here.
 */
function deadlockReason(key: string, { deadlock: ring, node, since, timeLimits: ends }: {
  readonly deadlock: string;
  readonly node?: string;
  readonly since: string | undefined;
  readonly timeLimits: readonly TimeLimit[];
}): Reason {
  const first = ends.filter(({ at }) => !Number.isNaN(at)).toSorted((a, b) => a.at - b.at)[0];
  const unblock = first ? `wait for ${first.by}, or ${DEADLOCK_REMEDY}` : `${DEADLOCK_REMEDY}; ${ENDS_ONLY_BY_LIMIT}`;
  const text = `waits for ${key} in a deadlock: ${ring}`;
  return reason("Deadlock", { node, since, text, blocks: [{ kind: "Lock", name: key }], until: first?.at, unblock });
}

const DEADLOCK_REMEDY =
  "stop a workflow in it, or raise the limit of a semaphore; let templates acquire their locks in the same order, or " +
  "all at once";

const ENDS_ONLY_BY_LIMIT = "otherwise it ends only with a time limit of another workflow in it";

/** The time limits that end a node's wait for a lock. */
function timeLimitsOf({ workflow, spec }: ExplainInput, node: NodeStatus): TimeLimit[] {
  const timeLimits: TimeLimit[] = [];
  const { activeDeadlineSeconds } = spec;
  if (activeDeadlineSeconds !== undefined) {
    timeLimits.push({
      at: millisOf(workflow.status?.startedAt) + Number(activeDeadlineSeconds) * 1000,
      by: "the workflow's activeDeadlineSeconds",
    });
  }
  const template = storedTemplateOf(workflow, node);
  for (const field of ["timeout", "pendingTimeout"] as const) {
    const text = template?.[field];
    if (text) timeLimits.push({ at: millisOf(node.startedAt) + durationMillis(text), by: `its ${field}` });
  }
  return timeLimits;
}

/**
 * Returns the deadlock that blocks the holder of a lock, according to its workflow; undefined while any node below the
 * holder makes progress. `nodeId` is empty if the workflow itself holds the lock.
 */
export function deadlockOfHolder(workflow: Workflow, nodeId: string): string | undefined {
  const nodes = workflow.status?.nodes ?? {};
  const holder = nodes[nodeId];
  if (nodeId !== WHOLE_WORKFLOW && !holder) return undefined;
  const family = new NodeFamily(nodeGraph(nodes));
  const isOpen = (node: NodeStatus) => !isFulfilled(node);
  const deadlocks = Object.values(nodes)
    .filter((node) => isOpen(node) && family.isInside(node, holder) && !family.innerOf(node).some(isOpen))
    .map(deadlockText);
  return deadlocks.every((ring) => ring !== undefined) ? deadlocks[0] : undefined;
}

/**
 * Returns the keys of the holders of locks that a workflow or its nodes wait for, by the ID of the waiting node. Nodes
 * whose message reports a deadlock are left out.
 */
export function waitingHolders(workflow: Workflow): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const { phase = "", nodes = {} } = workflow.status ?? {};
  const locks = waitingLocks(workflow);
  if (phase === "Pending" && locks[0]) found.set(WHOLE_WORKFLOW, locks[0].holders);
  for (const node of Object.values(nodes)) {
    const key = isFulfilled(node) || deadlockText(node) !== undefined ? undefined : node.synchronizationStatus?.waiting;
    const lock = key === undefined ? undefined : locks.find((waiting) => waiting.key === key);
    if (lock) found.set(node.id, lock.holders);
  }
  return found;
}

const UNREADABLE_PREFIX = "Waiting to acquire the synchronization lock.";

function unreadableReason({ message, key = "the lock", node, since }: {
  readonly message: string;
  readonly key?: string | undefined;
  readonly node?: string;
  readonly since: string | undefined;
}): Reason {
  const cause = message.slice(UNREADABLE_PREFIX.length).trim();
  return reason("LockUnreadable", {
    node,
    since,
    text: `the holders of ${key} cannot be read, so nothing can acquire it${cause ? ` (${cause})` : ""}`,
    unblock: "fix the database; it is retried",
  });
}

interface WaitingLock {
  readonly key: string;
  /** The keys of its holders in the status. */
  readonly holders: readonly string[];
}

/** The locks that the workflow waits for, according to its status. A mutex has its only holder in `holder`. */
function waitingLocks({ status }: Workflow): WaitingLock[] {
  const { semaphore, mutex } = status?.synchronization ?? {};
  return [
    ...(semaphore?.waiting ?? []).map(({ semaphore: key = "", holders = [] }) => ({ key, holders })),
    ...(mutex?.waiting ?? []).map(({ mutex: key = "", holder }) => ({ key, holders: holder ? [holder] : [] })),
  ];
}

function lockReason(
  code: "Lock" | "NodeLock",
  { evidence }: ExplainInput,
  { lock, message, node, since, nodeId }: {
    readonly lock: WaitingLock | undefined;
    readonly message: string;
    readonly node?: string;
    readonly since: string | undefined;
    readonly nodeId: string;
  },
): Reason {
  const { holders = [] } = lock ?? {};
  const limit = /Lock status: \d+\/(\d+)/.exec(message)?.[1];
  const held = holders.length
    ? ` (${holders.length}${limit ? ` of ${limit}` : ""} held by ${listText(holders)})`
    : limit === "0"
    ? " (its limit is 0)"
    : "";
  const { position, length } = evidence.lockPositions?.get(nodeId) ?? {};
  const queue = position === undefined ? "" : `; position ${position} of ${length} in the queue`;
  const blocks: Ref[] = holders.map((name) => ({ kind: "Holder", name }));
  return reason(code, {
    node,
    since,
    text: lock ? `waits for ${lock.key}${held}${queue}` : `${message}${queue}`,
    blocks: lock ? [{ kind: "Lock", name: lock.key }, ...blocks] : blocks,
    unblock: "no action needed: it continues when a holder releases the lock",
  });
}
