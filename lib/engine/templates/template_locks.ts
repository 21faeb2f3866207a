/**
 * The locks of a template: its node does not start before it has all of them. With retries, the Retry node holds them.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { DEADLOCK } from "@tiphys/base/constants";
import { type LockAnswer, type LockItem, parseLockItems } from "../lock_table/mod.ts";
import { NODE_ROLES } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";
import { addWaitingNode } from "./waiting_node.ts";
import type { Outcome, ReadyCall } from "./call.ts";
import { hasStarted } from "../locks/has_started.ts";
import { lockFact, WHOLE_WORKFLOW } from "../locks/lock_facts.ts";

/** Makes a call wait until its locks are available; returns undefined if it may start. */
export function waitForLocks(
  pass: Slice<NodesDraft & RequestsDraft>,
  call: ReadyCall,
  existing: NodeStatus | undefined,
): Outcome | undefined {
  const { synchronization } = call.template;
  if (!synchronization || (existing && hasStarted(pass, existing))) return undefined;
  const id = pass.draft.nodes.idOf(call.nodeName);
  const answer = pass.facts.locks?.answers.get(id);
  if (answer?.kind === "held") {
    if (existing) clearWaitingStatus(pass, existing);
    return undefined;
  }
  // A call that may no longer start needs no locks.
  if (!pass.mayRun(call.onExit === true)) return undefined;
  const locks = parseLockItems(synchronization, pass.draft.workflow.metadata.namespace ?? "");
  if (locks.length === 0) return undefined;
  pass.dependOn(lockFact(id));
  switch (answer?.kind) {
    case undefined:
    case "namedSuccessor":
      checkOwnMutexes(pass, call, locks);
      pass.markPartial();
      // Another call without a node requested locks under this ID. It will get the ID, and this call another one.
      if (pass.draft.hasRequestedLocks(id)) return { kind: "waiting", ...(existing && { node: existing }) };
      pass.allowance.countLockRequest();
      pass.draft.requestLocks({
        nodeId: id,
        locks,
        priority: pass.draft.spec.priority ?? 0,
        // Other calls may wait for the handler of an earlier one, so handlers come first.
        ...(call.flag?.hooked && { isFirstOfWorkflow: true }),
      }, call.boundaryId);
      return { kind: "waiting", ...(existing && { node: existing }) };
    case "undecided":
    case "lost":
      // Otherwise, a call without a node would count as one that nothing waits for.
      pass.markPartial();
      return { kind: "waiting", ...(existing && { node: existing }) };
    case "failed":
      throw new UserError(answer.message);
    case "waiting":
    case "temporaryError":
      return { kind: "node", node: markWaiting(pass, call, existing, answer) };
  }
}

function clearWaitingStatus(pass: Slice<NodesDraft>, { id, type, phase, synchronizationStatus }: NodeStatus): void {
  if (!synchronizationStatus) return;
  pass.draft.update(id, { synchronizationStatus: undefined, message: undefined });
  // Nodes that contain others are Running from their creation.
  const role = NODE_ROLES[type];
  if ((role === "calls" || role === "attempts") && phase === "Pending") pass.draft.mark(id, "Running");
}

function markWaiting(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  existing: NodeStatus | undefined,
  answer: Extract<LockAnswer, { kind: "waiting" | "temporaryError" }>,
): NodeStatus {
  const { id, synchronizationStatus: before } = existing ?? addWaitingNode(pass, call);
  const waiting = answer.kind === "waiting" ? answer.refused : before?.waiting;
  // The text about a deadlock remains until it is known to be resolved.
  const message = existing?.message?.startsWith(answer.message + DEADLOCK) ? existing.message : answer.message;
  return pass.draft.update(id, {
    message,
    // Keeps the same object if nothing has changed: a node that is replaced would be evaluated in every pass.
    ...(waiting !== undefined && { synchronizationStatus: before?.waiting === waiting ? before : { waiting } }),
  });
}

/**
 * Rejects a mutex that the workflow or a node around this one holds: waiting for it would never end.
 * @throws {UserError} if that is the case.
 */
function checkOwnMutexes(pass: Slice, { boundaryId }: ReadyCall, locks: readonly LockItem[]): void {
  const mutexes = new Set(locks.filter(({ type }) => type === "mutex").map(({ key }) => key));
  if (mutexes.size === 0) return;
  const own = heldMutex(pass, WHOLE_WORKFLOW, mutexes);
  if (own !== undefined) throw new UserError(`template and workflow both need the lock ${own}`);
  const seen = new Set<string>();
  for (let id = boundaryId; id && !seen.has(id); id = enclosingId(pass, id)) {
    seen.add(id);
    const held = heldMutex(pass, id, mutexes);
    if (held === undefined) continue;
    throw new UserError(
      `template and node ${pass.draft.nodes.get(id)?.name} around it both need the lock ${held}`,
    );
  }
}

/** The node around a node: the Retry node of an attempt, otherwise the boundary. */
function enclosingId(pass: Slice, id: string): string | undefined {
  const node = pass.draft.nodes.get(id);
  if (!node?.nodeFlag?.retried) return node?.boundaryID;
  return pass.draft.nodes.idOf(node.name.replace(/\(\d+\)$/, ""));
}

function heldMutex(pass: Slice, holder: string, keys: ReadonlySet<string>): string | undefined {
  const answer = pass.facts.locks?.answers.get(holder);
  if (answer?.kind !== "held") return undefined;
  return answer.locks.find(({ type, key }) => type === "mutex" && keys.has(key))?.key;
}
