/** `status.synchronization`: held and awaited locks. After a restart, the table of locks is rebuilt from it. */
import { isProblem, type SynchronizationStatus } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import {
  formatSuccessors,
  holderKey,
  type LockAnswer,
  LockAnswers,
  type LockRef,
  type Successors,
  truncateSuccessors,
} from "../lock_table/mod.ts";
import { isCompletedPhase, isFulfilled } from "@tiphys/model/status";
import type { Slice, StatusDraft } from "../slice.ts";
import { hasStarted } from "./has_started.ts";
import { type LockChanges, type ReadonlyAnswers, WHOLE_WORKFLOW } from "./lock_facts.ts";

/** Writes the state of locks to the status, and returns the lock requests; undefined if the workflow has no locks. */
export function recordLocks(pass: Slice<StatusDraft>): LockChanges | undefined {
  const { facts: { locks }, draft } = pass;
  const before = draft.workflow.status?.synchronization;
  const requests = draft.lockRequests;
  if (!locks && !before && requests.length === 0) return undefined;
  const keyOf = (nodeId: string) => holderKey(`${draft.workflow.metadata.namespace}/${pass.name}`, nodeId);
  const answers = locks?.answers ?? new LockAnswers();
  const released = nodesToRelease(pass, answers);
  const releasedIds = new Set(released);
  const status = new LockStatusBuilder(locks?.holders ?? new Map(), new Set(released.map(keyOf)));
  const held: string[] = [];
  for (const [nodeId, refs] of answers.held) {
    if (releasedIds.has(nodeId)) continue;
    held.push(nodeId);
    status.addHeld(keyOf(nodeId), refs);
  }
  status.addWaiting(locksStillWaitedFor(answers, released));
  const after = status.toStatus();
  const writesHolders = mustWrite(before, after, locks?.mustWriteHolders === true);
  if (writesHolders) draft.setStatus({ synchronization: after });
  const { stalledHolders } = draft;
  const successors = podSuccessors(pass, locks?.successors);
  annotateSuccessors(pass, successors);
  const isEvident = released.every((id) => hasObservedEnd(pass, id));
  return {
    requests,
    held,
    released,
    isEvident,
    writesHolders,
    successors,
    ...(stalledHolders && { stalled: stalledHolders }),
  };
}

/** Reports whether the pod or the report of a node shows its end, as opposed to a decision of the engine. */
function hasObservedEnd({ draft, facts: { pods, taskResults } }: Slice, nodeId: string): boolean {
  const node = draft.nodes.get(nodeId);
  if (node?.type !== "Pod" || !isFulfilled(node)) return false;
  const { phase = "Pending" } = pods.get(nodeId)?.status ?? {};
  if (phase === "Succeeded" || phase === "Failed") return true;
  const report = taskResults.get(nodeId);
  return report !== undefined && !isProblem(report) && report.phase === "Succeeded";
}

/**
 * The successors that are single pods. Such a node is in the status while it waits, and its next step is the creation
 * of its pod, which may already exist from an earlier controller. Other successors create nodes first, which must be
 * written before they have any effect.
 */
function podSuccessors(pass: Slice, successors: Successors = new Map()): Successors {
  const { nodes, workflow } = pass.draft;
  const pods = new Map<string, readonly string[]>();
  if (isCompletedPhase(workflow.status?.phase)) return pods;
  for (const [id, nodeIds] of successors) {
    const other = nodeIds.findIndex((nodeId) => {
      const node = nodes.get(nodeId);
      if (node?.type !== "Pod" || isFulfilled(node)) return true;
      return node.synchronizationStatus?.waiting === undefined && !hasStarted(pass, node);
    });
    const first = other < 0 ? nodeIds : nodeIds.slice(0, other);
    if (first.length > 0) pods.set(id, first);
  }
  return truncateSuccessors(pods);
}

function annotateSuccessors({ draft }: Slice<StatusDraft>, successors: Successors): void {
  const text = formatSuccessors(successors);
  const before = draft.workflow.metadata.annotations?.[ANNOTATION.nextHolders];
  if (text === (before ?? "")) return;
  draft.setAnnotations({ [ANNOTATION.nextHolders]: text === "" ? undefined : text });
}

/**
 * Reports whether the status must be written. A change of the holders of awaited locks is not sufficient: otherwise
 * each grant would cause a write of every waiting workflow.
 */
function mustWrite(
  before: SynchronizationStatus | undefined,
  after: SynchronizationStatus | undefined,
  mustWriteHolders: boolean,
): boolean {
  const relevantParts = (status: SynchronizationStatus | undefined) =>
    JSON.stringify([
      status?.semaphore?.holding,
      status?.mutex?.holding,
      mustWriteHolders ? status?.semaphore?.waiting : status?.semaphore?.waiting?.map(({ semaphore }) => semaphore),
      mustWriteHolders ? status?.mutex?.waiting : [...new Set(status?.mutex?.waiting?.map(({ mutex }) => mutex))],
    ]);
  // Argo's controller leaves empty parts behind.
  return relevantParts(before) !== relevantParts(after) || (before === undefined) !== (after === undefined);
}

/** The nodes that release their locks, or their positions in the queue. A pass only evaluates changed nodes. */
function nodesToRelease(pass: Slice, answers: ReadonlyAnswers): string[] {
  const { draft: { nodes, workflow } } = pass;
  if (isCompletedPhase(workflow.status?.phase)) return [...answers.keys()];
  const mayBeDone = pass.select("no longer needs its locks", answers.keys(), (id) => {
    const node = nodes.get(id);
    return answers.has(id) && (!node || isFulfilled(node));
  });
  const done = [...mayBeDone].filter((id) => answers.has(id) && needsNoLocks(pass, id, answers.get(id)!));
  return [...done, ...nodesThatCannotStart(pass, answers)];
}

/**
 * The nodes that have their locks but still wait for earlier nodes or a limit, which may in turn wait for these locks.
 * They release the locks, and request them again when they may start.
 */
function nodesThatCannotStart(pass: Slice, answers: ReadonlyAnswers): string[] {
  if (pass.currentEvaluation.isPartial) return [];
  const waits = (id: string) => {
    const node = pass.draft.nodes.get(id);
    return node?.synchronizationStatus?.waiting !== undefined && !hasStarted(pass, node);
  };
  return [...answers.held.keys()].filter(waits);
}

/** The locks that nodes other than these wait for, sorted by name. */
function locksStillWaitedFor(answers: ReadonlyAnswers, released: readonly string[]): LockRef[] {
  const leaving = new LockAnswers();
  for (const nodeId of released) leaving.set(nodeId, answers.get(nodeId)!);
  return [...answers.waitedFor].filter(([id, { claims }]) => claims > (leaving.waitedFor.get(id)?.claims ?? 0))
    .map(([, { ref }]) => ref).sort(({ key: a }, { key: b }) => a < b ? -1 : a > b ? 1 : 0);
}

/** Reports whether a holder no longer needs its locks. */
function needsNoLocks(pass: Slice, nodeId: string, { kind }: LockAnswer): boolean {
  if (nodeId === WHOLE_WORKFLOW) return false;
  const node = pass.draft.nodes.get(nodeId);
  if (node) return isFulfilled(node);
  // A call without a node may have been deferred to the next pass. Otherwise this pass did not reach it, and the next
  // one requests its locks again.
  return kind !== "undecided" && !pass.currentEvaluation.isPartial;
}

/** Builds the status of locks, in the order in which they are added. */
class LockStatusBuilder {
  readonly #holding = { semaphore: new Map<string, string[]>(), mutex: new Map<string, string[]>() };
  readonly #waiting = { semaphore: new Map<string, readonly string[]>(), mutex: new Map<string, readonly string[]>() };
  readonly #holders: ReadonlyMap<string, readonly string[]>;
  readonly #released: ReadonlySet<string>;

  /** `holders` are those of awaited locks. The nodes in `over` no longer need their locks. */
  constructor(holders: ReadonlyMap<string, readonly string[]>, released: ReadonlySet<string>) {
    this.#holders = holders;
    this.#released = released;
  }

  addHeld(holder: string, locks: readonly LockRef[]): void {
    for (const { type, key } of locks) {
      const holders = this.#holding[type].get(key);
      if (holders) holders.push(holder);
      else this.#holding[type].set(key, [holder]);
    }
  }

  addWaiting(locks: readonly LockRef[]): void {
    for (const { type, key } of locks) {
      if (this.#waiting[type].has(key)) continue;
      const holders = this.#holders.get(`${type} ${key}`) ?? [];
      this.#waiting[type].set(key, holders.filter((holder) => !this.#released.has(holder)));
    }
  }

  toStatus(): SynchronizationStatus | undefined {
    const semaphore = statusParts(this.#holding.semaphore, this.#waiting.semaphore, (semaphore, holders) => [
      { semaphore, ...(holders.length > 0 && { holders: [...holders] }) },
    ]);
    const mutex = statusParts(
      this.#holding.mutex,
      this.#waiting.mutex,
      (mutex, holders) => holders.length === 0 ? [{ mutex }] : holders.map((holder) => ({ holder, mutex })),
    );
    if (!semaphore && !mutex) return undefined;
    return { ...(semaphore && { semaphore }), ...(mutex && { mutex }) };
  }
}

type HoldersByKey = ReadonlyMap<string, readonly string[]>;

function statusParts<E>(
  holding: HoldersByKey,
  waiting: HoldersByKey,
  entries: (key: string, holders: readonly string[]) => E[],
) {
  if (holding.size + waiting.size === 0) return undefined;
  const listed = (locks: HoldersByKey) => [...locks].flatMap(([key, holders]) => entries(key, holders));
  return {
    ...(holding.size > 0 && { holding: listed(holding) }),
    ...(waiting.size > 0 && { waiting: listed(waiting) }),
  };
}
