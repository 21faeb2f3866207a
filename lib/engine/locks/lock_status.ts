/** `status.synchronization`: held and awaited locks. After a restart, the table of locks is rebuilt from it. */
import { isProblem, type SynchronizationStatus } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import {
  holderKey,
  type LockAnswer,
  LockAnswers,
  type LockRef,
  shortenedSuccessors,
  type Successors,
  successorsText,
} from "../lock_table/mod.ts";
import { isCompletedPhase, isFulfilled } from "@tiphys/model/status";
import type { Slice, StatusDraft } from "../slice.ts";
import { hasBegun } from "./has_begun.ts";
import { type LockWishes, type ReadonlyAnswers, WHOLE_WORKFLOW } from "./lock_facts.ts";

/** Writes the state of locks to the status, and returns the lock requests; undefined if the workflow has no locks. */
export function recordLocks(pass: Slice<StatusDraft>): LockWishes | undefined {
  const { facts: { locks }, draft } = pass;
  const before = draft.workflow.status?.synchronization;
  const asks = draft.lockAsks;
  if (!locks && !before && asks.length === 0) return undefined;
  const keyOf = (nodeId: string) => holderKey(`${draft.workflow.metadata.namespace}/${pass.name}`, nodeId);
  const answers = locks?.answers ?? new LockAnswers();
  const over = nodesThatAreDone(pass, answers);
  const gone = new Set(over);
  const status = new StatusOfLocks(locks?.holders ?? new Map(), new Set(over.map(keyOf)));
  const held: string[] = [];
  for (const [nodeId, refs] of answers.held) {
    if (gone.has(nodeId)) continue;
    held.push(nodeId);
    status.holds(keyOf(nodeId), refs);
  }
  status.waitsFor(stillWaitedFor(answers, over));
  const after = status.toStatus();
  const namesHolders = isNews(before, after, locks?.tellsHolders === true);
  if (namesHolders) draft.setStatus({ synchronization: after });
  const { stalledHolders: stalled } = draft;
  const successors = successorsOf(pass, locks?.successors);
  nameSuccessors(pass, successors);
  const isEvident = over.every((id) => isSeenToEnd(pass, id));
  return { asks, held, over, isEvident, namesHolders, successors, ...(stalled && { stalled }) };
}

/** Reports whether the pod or the report of a node shows its end, as opposed to a decision of the engine. */
function isSeenToEnd({ draft, facts: { pods, taskResults } }: Slice, nodeId: string): boolean {
  const node = draft.nodes.get(nodeId);
  if (node?.type !== "Pod" || !isFulfilled(node)) return false;
  const { phase = "Pending" } = pods.get(nodeId)?.status ?? {};
  if (phase === "Succeeded" || phase === "Failed") return true;
  const report = taskResults.get(nodeId);
  return report !== undefined && !isProblem(report) && report.phase === "Succeeded";
}

/**
 * The successors that are single pods. Such a node is in the status while it waits, and its next step is the creation of its pod,
 * which may already exist from an earlier controller. Other successors create nodes first, which must be written before they have
 * any effect.
 */
function successorsOf(pass: Slice, found: Successors = new Map()): Successors {
  const { nodes, workflow } = pass.draft;
  const pods = new Map<string, readonly string[]>();
  if (isCompletedPhase(workflow.status?.phase)) return pods;
  for (const [id, nodeIds] of found) {
    const other = nodeIds.findIndex((nodeId) => {
      const node = nodes.get(nodeId);
      if (node?.type !== "Pod" || isFulfilled(node)) return true;
      return node.synchronizationStatus?.waiting === undefined && !hasBegun(pass, node);
    });
    const first = other < 0 ? nodeIds : nodeIds.slice(0, other);
    if (first.length > 0) pods.set(id, first);
  }
  return shortenedSuccessors(pods);
}

function nameSuccessors({ draft }: Slice<StatusDraft>, successors: Successors): void {
  const text = successorsText(successors);
  const before = draft.workflow.metadata.annotations?.[ANNOTATION.nextHolders];
  if (text === (before ?? "")) return;
  draft.setAnnotations({ [ANNOTATION.nextHolders]: text === "" ? undefined : text });
}

/**
 * Reports whether the status must be written. A change of the holders of awaited locks is not sufficient: otherwise each grant would
 * cause a write of every waiting workflow.
 */
function isNews(
  before: SynchronizationStatus | undefined,
  after: SynchronizationStatus | undefined,
  tellsHolders: boolean,
): boolean {
  const essence = (status: SynchronizationStatus | undefined) =>
    JSON.stringify([
      status?.semaphore?.holding,
      status?.mutex?.holding,
      tellsHolders ? status?.semaphore?.waiting : status?.semaphore?.waiting?.map(({ semaphore }) => semaphore),
      tellsHolders ? status?.mutex?.waiting : [...new Set(status?.mutex?.waiting?.map(({ mutex }) => mutex))],
    ]);
  // Argo's controller leaves empty parts behind.
  return essence(before) !== essence(after) || (before === undefined) !== (after === undefined);
}

/** The nodes that release their locks, or their positions in the queue. A pass only evaluates changed nodes. */
function nodesThatAreDone(pass: Slice, answers: ReadonlyAnswers): string[] {
  const { draft: { nodes, workflow } } = pass;
  if (isCompletedPhase(workflow.status?.phase)) return [...answers.keys()];
  const mayBeDone = pass.select("needs its locks no more", answers.keys(), (id) => {
    const node = nodes.get(id);
    return answers.has(id) && (!node || isFulfilled(node));
  });
  const done = [...mayBeDone].filter((id) => answers.has(id) && isDone(pass, id, answers.get(id)!));
  return [...done, ...nodesHeldUp(pass, answers)];
}

/**
 * The nodes that have their locks but still wait for earlier nodes or a limit, which may in turn wait for these locks. They release
 * the locks, and request them again when they may start.
 */
function nodesHeldUp(pass: Slice, answers: ReadonlyAnswers): string[] {
  if (pass.currentLook.isPart) return [];
  const waits = (id: string) => {
    const node = pass.draft.nodes.get(id);
    return node?.synchronizationStatus?.waiting !== undefined && !hasBegun(pass, node);
  };
  return [...answers.held.keys()].filter(waits);
}

/** The locks that nodes other than these wait for, sorted by name. */
function stillWaitedFor(answers: ReadonlyAnswers, over: readonly string[]): LockRef[] {
  const leaving = new LockAnswers();
  for (const nodeId of over) leaving.set(nodeId, answers.get(nodeId)!);
  return [...answers.waitedFor].filter(([id, { claims }]) => claims > (leaving.waitedFor.get(id)?.claims ?? 0))
    .map(([, { ref }]) => ref).sort(({ key: a }, { key: b }) => a < b ? -1 : a > b ? 1 : 0);
}

/** Reports whether a holder no longer needs its locks. */
function isDone(pass: Slice, nodeId: string, { kind }: LockAnswer): boolean {
  if (nodeId === WHOLE_WORKFLOW) return false;
  const node = pass.draft.nodes.get(nodeId);
  if (node) return isFulfilled(node);
  // A call without a node may have been deferred to the next pass. Otherwise this pass did not reach it, and the next one requests
  // its locks again.
  return kind !== "heard" && !pass.currentLook.isPart;
}

/** Builds the status of locks, in the order in which they are added. */
class StatusOfLocks {
  readonly #holding = { semaphore: new Map<string, string[]>(), mutex: new Map<string, string[]>() };
  readonly #waiting = { semaphore: new Map<string, readonly string[]>(), mutex: new Map<string, readonly string[]>() };
  readonly #holders: ReadonlyMap<string, readonly string[]>;
  readonly #over: ReadonlySet<string>;

  /** `holders` are those of awaited locks. The nodes in `over` no longer need their locks. */
  constructor(holders: ReadonlyMap<string, readonly string[]>, over: ReadonlySet<string>) {
    this.#holders = holders;
    this.#over = over;
  }

  holds(holder: string, locks: readonly LockRef[]): void {
    for (const { type, key } of locks) {
      const holders = this.#holding[type].get(key);
      if (holders) holders.push(holder);
      else this.#holding[type].set(key, [holder]);
    }
  }

  waitsFor(locks: readonly LockRef[]): void {
    for (const { type, key } of locks) {
      if (this.#waiting[type].has(key)) continue;
      const holders = this.#holders.get(`${type} ${key}`) ?? [];
      this.#waiting[type].set(key, holders.filter((holder) => !this.#over.has(holder)));
    }
  }

  toStatus(): SynchronizationStatus | undefined {
    const semaphore = parts(this.#holding.semaphore, this.#waiting.semaphore, (semaphore, holders) => [
      { semaphore, ...(holders.length > 0 && { holders: [...holders] }) },
    ]);
    const mutex = parts(
      this.#holding.mutex,
      this.#waiting.mutex,
      (mutex, holders) => holders.length === 0 ? [{ mutex }] : holders.map((holder) => ({ holder, mutex })),
    );
    if (!semaphore && !mutex) return undefined;
    return { ...(semaphore && { semaphore }), ...(mutex && { mutex }) };
  }
}

type ByKey = ReadonlyMap<string, readonly string[]>;

function parts<E>(holding: ByKey, waiting: ByKey, entries: (key: string, holders: readonly string[]) => E[]) {
  if (holding.size + waiting.size === 0) return undefined;
  const listed = (locks: ByKey) => [...locks].flatMap(([key, holders]) => entries(key, holders));
  return {
    ...(holding.size > 0 && { holding: listed(holding) }),
    ...(waiting.size > 0 && { waiting: listed(waiting) }),
  };
}
