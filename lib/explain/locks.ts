/** Locks that a workflow, or a node, waits for, as the status of Argo's controller and ours tells them. */
import type { Workflow } from "../api/mod.ts";
import { DEADLOCK } from "../constants.ts";
import { storedTemplateOf } from "../status/mod.ts";
import { inWords, type NodeSubject, type Question, type WorkflowSubject } from "./question.ts";
import { BY_ITSELF, type Reason, reason, type Ref } from "./reason.ts";

/** The ID under which the workflow itself stands among those that wait for locks. */
const WHOLE_WORKFLOW = "";

/** The workflow as a whole waits for a lock: it has not begun, and stands in a queue. */
export const waitsForLock: WorkflowSubject = (question) => {
  const { workflow } = question;
  const { phase = "", message = "" } = workflow.status ?? {};
  if (phase !== "" && phase !== "Pending") return [];
  const since = workflow.metadata.creationTimestamp;
  const [lock] = waitingLocks(workflow);
  if (message.startsWith(TROUBLE)) return [unreadable({ message, since, key: lock?.key })];
  if (lock || message.startsWith("Waiting for ")) {
    return [reasonOf("Lock", question, { lock, message, since, nodeId: WHOLE_WORKFLOW })];
  }
  // The workflow asks; whether the locks are free is not known yet.
  return phase === "Pending" && question.spec.synchronization && !message
    ? [reason("Lock", { since, text: "asks for its locks", unblock: BY_ITSELF })]
    : [];
};

/** The node stands in the queue of a lock, or asks whether it has to. */
export const nodeWaitsForLock: NodeSubject = (question, node) => {
  const { workflow, evidence } = question;
  const key = node.synchronizationStatus?.waiting;
  const parts = { node: node.name, since: node.startedAt };
  const message = node.message ?? "";
  if (!key) {
    const asks = node.phase === "Pending" && storedTemplateOf(workflow, node)?.synchronization !== undefined &&
      !evidence.pods?.has(node.id) && message === "";
    return asks && node.type !== "Pod"
      ? [reason("NodeLock", { ...parts, text: "asks for its locks", unblock: BY_ITSELF })]
      : undefined;
  }
  if (message.startsWith(TROUBLE)) return [unreadable({ ...parts, message, key })];
  const [, deadlock] = message.split(DEADLOCK);
  if (deadlock) {
    const text = `waits for ${key} for ever: ${deadlock}`;
    return [reason("Deadlock", { ...parts, text, blocks: [{ kind: "Lock", name: key }], unblock: END_OF_DEADLOCK })];
  }
  const lock = waitingLocks(workflow).find((one) => one.key === key) ?? { key, holders: [] };
  return [reasonOf("NodeLock", question, { ...parts, lock, message, nodeId: node.id })];
};

const END_OF_DEADLOCK =
  "stop the workflow, or raise the limit of a semaphore; let templates take their locks in one order, or " +
  "all at once";

const TROUBLE = "Waiting to acquire the synchronization lock.";

function unreadable({ message, key = "the lock", node, since }: {
  readonly message: string;
  readonly key?: string | undefined;
  readonly node?: string;
  readonly since: string | undefined;
}): Reason {
  const words = message.slice(TROUBLE.length).trim();
  return reason("LockUnreadable", {
    node,
    since,
    text: `${key}'s holders cannot be read: nobody may enter${words ? ` (${words})` : ""}`,
    unblock: "mend the database; it is tried again",
  });
}

interface WaitingLock {
  readonly key: string;
  /** The names of its holders, as the status has them. */
  readonly holders: readonly string[];
}

/** The locks that the status says are waited for. A mutex tells its holder where others tell theirs. */
function waitingLocks({ status }: Workflow): WaitingLock[] {
  const { semaphore, mutex } = status?.synchronization ?? {};
  return [
    ...(semaphore?.waiting ?? []).map(({ semaphore: key = "", holders = [] }) => ({ key, holders })),
    ...(mutex?.waiting ?? []).map(({ mutex: key = "", holder }) => ({ key, holders: holder ? [holder] : [] })),
  ];
}

function reasonOf(
  code: "Lock" | "NodeLock",
  { evidence }: Question,
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
  const held = holders.length ? ` (${holders.length}${limit ? ` of ${limit}` : ""} held by ${inWords(holders)})` : "";
  const { place, of } = evidence.lockPlaces?.get(nodeId) ?? {};
  const queue = place === undefined ? "" : `; place ${place} of ${of}`;
  const blocks: Ref[] = holders.map((name) => ({ kind: "Holder", name }));
  return reason(code, {
    node,
    since,
    text: lock ? `waits for ${lock.key}${held}${queue}` : `${message}${queue}`,
    blocks: lock ? [{ kind: "Lock", name: lock.key }, ...blocks] : blocks,
    unblock: `${BY_ITSELF} as soon as a holder ends`,
  });
}
