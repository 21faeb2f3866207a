/**
 * Detects deadlocks between workflows: a cycle of holders, in each of which everything waits for a lock of the next
 * one. Workflows report their stalled holders. Detection is incremental: it starts from what has changed.
 */
import { shortened } from "@tiphys/base/limits";
import type { Claim } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { isInDatabase, lockIdOf, type LockItem } from "./lock_item.ts";
import type { Lock, Locks } from "./locks.ts";

/** A holder in which nothing runs: everything in it waits for locks. */
export interface StalledHolder {
  readonly name: string;
  /** The IDs of the waiting nodes in it. */
  readonly waiters: readonly string[];
  /** The name of the first of them. */
  readonly waiterName: string;
}

/** A stalled holder, with the waiting claims in it. */
interface Stall extends Pick<StalledHolder, "name" | "waiterName"> {
  readonly waiters: readonly Claim[];
}

/** A claim, or a lock that has its maximum number of holders. */
type WaitStep = Claim | Lock;

/** Maximum number of claims and locks that are visited from one claim. A longer cycle is not reported. */
const MAX_VISITED = 10_000;

/** Maximum number of holders of a cycle that a message names. */
const MAX_NAMED_HOLDERS = 4;

/** The path of a claim into a cycle. */
interface CyclePath {
  /** Claims in order, each waiting for the next one. A claim inside a holder waits on behalf of that holder. */
  readonly cycle: readonly Claim[];
  /** The index at which the path enters the cycle. */
  readonly entry: number;
  /** Number of claims that are named separately: all but those that wait in a holder of the cycle. */
  readonly size: number;
}

/** The claims that can never continue. */
interface BlockedClaims {
  readonly claims: readonly Claim[];
  /** The claims, and locks between them, that wait for another workflow, directly or through others. */
  readonly waitingForOthers: ReadonlySet<WaitStep>;
}

/** The state of a lock when one of its claims was found to be blocked. */
interface LockSnapshot {
  readonly changedAt: number;
  readonly limit: number | undefined;
  readonly isPoisoned: boolean;
  /** The first claim of its queue, if the lock has room. Without room, the queue does not matter. */
  readonly first: Claim | undefined;
}

type DeadlockMessages = Map<string, Map<string, string>>;

/** Finds claims that wait in a deadlock, or behind one. `onChange` is called for a claim whose message has changed. */
export class Deadlocks {
  readonly #claims: Claims;
  readonly #locks: Locks;
  readonly #onChange: (workflow: string, nodeId: string) => void;
  readonly #stalls = new Map<Claim, Stall>();
  readonly #stalledOf = new Map<string, ReadonlySet<Claim>>();
  /** Claims from which a new deadlock may be found. */
  readonly #roots = new Set<Claim>();
  /**
   * The claims that can never continue, those of them that wait for other workflows, and all locks that they request,
   * by ID.
   */
  readonly #blocked = new Set<Claim>();
  readonly #waitingForOthers = new Set<Claim>();
  readonly #snapshots = new Map<string, LockSnapshot>();
  #isDirty = false;
  /** The messages of affected claims, by workflow and node ID. */
  #messages: DeadlockMessages = new Map();

  constructor(claims: Claims, locks: Locks, onChange: (workflow: string, nodeId: string) => void) {
    this.#claims = claims;
    this.#locks = locks;
    this.#onChange = onChange;
  }

  /** Returns the messages for the nodes of a workflow that wait in a deadlock with others, or behind one. */
  messagesOf(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#messages.get(workflow);
  }

  /**
   * Returns the messages for those claims, outside of any holder, that wait in a deadlock of others or behind one.
   * Computed on demand.
   */
  messagesBehind(claims: Iterable<Claim>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const paths = new Map<Claim, CyclePath>();
    for (const claim of claims) {
      if (claim.answer.kind !== "waiting" || this.#messages.get(claim.workflow)?.has(claim.nodeId)) continue;
      const isBlocked = this.#blocked.has(claim) || this.#findBlocked([claim]).claims.includes(claim);
      if (isBlocked) found.set(claim.nodeId, this.#describe(this.#pathOf(claim, paths), claim));
    }
    return found;
  }

  /** Sets the stalled holders of a workflow, by node ID. */
  setStalled(workflow: string, stalled: ReadonlyMap<string, StalledHolder>): void {
    const before = this.#stalledOf.get(workflow);
    if (!before && stalled.size === 0) return;
    const found = new Map<Claim, Stall>();
    for (const [nodeId, { waiters, ...names }] of stalled) {
      const holder = this.#claims.get(workflow, nodeId);
      const claims = waiters.flatMap((id) => this.#claims.get(workflow, id) ?? []);
      if (holder && claims.length === waiters.length) found.set(holder, { ...names, waiters: claims });
    }
    for (const holder of before ?? []) if (!found.has(holder)) this.#removeStall(holder);
    for (const [holder, stall] of found) {
      const old = this.#stalls.get(holder)?.waiters;
      this.#stalls.set(holder, stall);
      if (old?.length === stall.waiters.length && old.every((claim, index) => claim === stall.waiters[index])) continue;
      this.#roots.add(holder);
      this.#isDirty ||= this.#blocked.has(holder);
    }
    if (found.size > 0) this.#stalledOf.set(workflow, new Set(found.keys()));
    else this.#stalledOf.delete(workflow);
  }

  /** Removes a claim. */
  remove(claim: Claim): void {
    this.#roots.delete(claim);
    this.#isDirty ||= this.#blocked.has(claim);
    if (!this.#stalls.has(claim)) return;
    this.#removeStall(claim);
    const rest = new Set([...this.#stalledOf.get(claim.workflow) ?? []].filter((other) => other !== claim));
    if (rest.size > 0) this.#stalledOf.set(claim.workflow, rest);
    else this.#stalledOf.delete(claim.workflow);
  }

  #removeStall(holder: Claim): void {
    this.#stalls.delete(holder);
    this.#isDirty ||= this.#blocked.has(holder);
  }

  /** Records that the holders, the queue or the limit of a lock have changed. */
  noteLockChange(lockId: string): void {
    if (this.#stalls.size === 0) return;
    const lock = this.#locks.get(lockId);
    const known = this.#snapshots.get(lockId);
    this.#isDirty ||= known !== undefined && !(lock && isSameSnapshot(known, snapshotOf(lock)));
    const [holder] = lock?.holders.values() ?? [];
    for (const claim of [holder, lock?.queue.at(0)]) if (claim) this.#roots.add(claim);
  }

  /** Whether anything has changed since the last detection. */
  get needsDetection(): boolean {
    return this.#isDirty || this.#roots.size > 0;
  }

  /** Runs the detection for what has changed, and reports claims whose message is different. */
  detect(): void {
    if (!this.needsDetection) return;
    const before = this.#messages;
    // All stalled claims are checked only if others may wait for a new one. Most changes block nobody.
    let roots: Iterable<Claim> = this.#stalls.keys();
    if (this.#isDirty) {
      for (const known of [this.#blocked, this.#waitingForOthers, this.#snapshots]) known.clear();
      this.#messages = new Map();
    } else {
      const { claims } = this.#findBlocked(this.#roots);
      if (!this.#hasOthersBehind(claims)) roots = claims.filter((claim) => this.#stalls.has(claim));
    }
    this.#roots.clear();
    this.#isDirty = false;
    const { claims: added, waitingForOthers } = this.#findBlocked(roots);
    for (const claim of added) {
      this.#blocked.add(claim);
      if (waitingForOthers.has(claim)) this.#waitingForOthers.add(claim);
    }
    const paths = new Map<Claim, CyclePath>();
    for (const claim of added) if (claim.answer.kind === "waiting") this.#recordMessage(claim, paths, before);
    if (before === this.#messages) return;
    for (const [workflow, messages] of before) {
      for (const nodeId of messages.keys()) {
        if (!this.#messages.get(workflow)?.has(nodeId)) this.#onChange(workflow, nodeId);
      }
    }
  }

  /**
   * Whether other claims may wait for these: for the locks they hold, behind them in a queue, or as holders that
   * contain them.
   */
  #hasOthersBehind(claims: readonly Claim[]): boolean {
    const isInQueue = (claim: Claim) =>
      claim.locks.some((item) => {
        const queue = this.#locks.get(lockIdOf(item))?.queue;
        if (!queue || queue.size === 0) return false;
        return claim.answer.kind === "held" || queue.at(0) === claim && queue.size > 1;
      });
    if (claims.some(isInQueue)) return true;
    const found = new Set(claims);
    const holders = [...new Set(claims.map(({ workflow }) => workflow))].flatMap((holder) => [
      ...this.#stalledOf.get(holder) ?? [],
    ]);
    return holders.some((holder) =>
      !found.has(holder) && this.#stalls.get(holder)?.waiters.some((claim) => found.has(claim))
    );
  }

  /**
   * Returns the claims among `roots`, and among everything they wait for, that can never continue and are not yet
   * known.
   */
  #findBlocked(roots: Iterable<Claim>): BlockedClaims {
    const seen = new Set<WaitStep>();
    const order: WaitStep[] = [];
    const dependents = new Map<WaitStep, WaitStep[]>();
    const unblocked = new Set<WaitStep>();
    const waitingForOthers = new Set<WaitStep>();
    let index = 0;
    for (const root of roots) {
      if (this.#blocked.has(root) || seen.has(root)) continue;
      seen.add(root);
      order.push(root);
      // Everything that one root waits for is visited before the next root, because each root has its own limit.
      for (const end = index + MAX_VISITED; index < order.length; index++) {
        const step = order[index]!;
        const prerequisites = index < end ? this.#prerequisites(step) : undefined;
        if (!prerequisites) unblocked.add(step);
        for (const prerequisite of prerequisites ?? []) {
          const isKnown = "nodeId" in prerequisite && this.#blocked.has(prerequisite);
          if (workflowOf(prerequisite) !== workflowOf(step) || isKnown && this.#waitingForOthers.has(prerequisite)) {
            waitingForOthers.add(step);
          }
          if (isKnown) continue;
          if (!seen.has(prerequisite)) order.push(prerequisite);
          seen.add(prerequisite);
          const others = dependents.get(prerequisite);
          if (others) others.push(step);
          else dependents.set(prerequisite, [step]);
        }
      }
    }
    // Both sets grow during the iteration.
    for (const some of [unblocked, waitingForOthers]) {
      for (const step of some) for (const dependent of dependents.get(step) ?? []) some.add(dependent);
    }
    return {
      claims: order.filter((step): step is Claim => !unblocked.has(step) && "nodeId" in step),
      waitingForOthers,
    };
  }

  /** Returns the steps of which one must continue before this one can; undefined if it can continue without others. */
  #prerequisites(step: WaitStep): Iterable<WaitStep> | undefined {
    if (!("nodeId" in step)) {
      const holders = [...step.holders.values()];
      return holders.every((holder) => this.#stalls.has(holder)) ? holders : undefined;
    }
    if (!this.#claims.has(step)) return undefined;
    if (step.answer.kind === "held") return this.#stalls.get(step)?.waiters;
    const item = step.answer.kind === "waiting" ? this.#firstRefusedLock(step) : undefined;
    const lock = item && this.#locks.get(lockIdOf(item));
    if (lock && isInDatabase(item)) return this.#isHeldByThisController(step, lock) ? [lock] : undefined;
    if (!lock?.limit || lock.poison.size > 0) return undefined;
    if (lock.holders.size >= lock.limit) return [lock];
    const first = lock.queue.at(0);
    return first && first.workflow !== step.workflow ? [first] : undefined;
  }

  /** Returns the first lock that a claim may not have, in this table or else by the last answer of a database. */
  #firstRefusedLock(claim: Claim): LockItem | undefined {
    return this.#locks.firstRefused(claim) ?? claim.locks.find(({ key }) => key === claim.refusal?.refused);
  }

  /**
   * Whether a lock of a database has no room and all its holders belong to this controller. Of other holders, and of
   * claims that precede this one there, only the names are known.
   */
  #isHeldByThisController({ refusal }: Claim, { item, holders }: Lock): boolean {
    if (!refusal?.isFull || refusal.refused !== item.key) return false;
    const reported = refusal.holders.get(lockIdOf(item)) ?? [];
    return reported.length > 0 && reported.every((key) => holders.has(key));
  }

  /** Records the message of a claim that waits forever, if other workflows are involved. */
  #recordMessage(claim: Claim, paths: Map<Claim, CyclePath>, before: DeadlockMessages): void {
    const { workflow, nodeId } = claim;
    for (const item of claim.locks) {
      const lock = this.#locks.get(lockIdOf(item));
      if (lock) this.#snapshots.set(lockIdOf(item), snapshotOf(lock));
    }
    // A workflow reports a deadlock within itself separately.
    if (!this.#waitingForOthers.has(claim)) return;
    const message = this.#describe(this.#pathOf(claim, paths), claim);
    if (before.get(workflow)?.get(nodeId) !== message) this.#onChange(workflow, nodeId);
    let own = this.#messages.get(workflow);
    if (!own) this.#messages.set(workflow, own = new Map());
    own.set(nodeId, message);
  }

  #pathOf(start: Claim, paths: Map<Claim, CyclePath>): CyclePath {
    const path = new Set<Claim>();
    let claim = start;
    for (; !paths.has(claim) && !path.has(claim); claim = this.#next(claim)) path.add(claim);
    const walked = [...path];
    const from = path.has(claim) ? walked.indexOf(claim) : walked.length;
    const cycle = walked.slice(from);
    const size = cycle.filter((claim, index) => !this.#isInHolder(claim, cycle.at(index - 1)!)).length;
    for (const [entry, claim] of cycle.entries()) paths.set(claim, { cycle, entry, size });
    for (const earlier of walked.slice(0, from)) paths.set(earlier, paths.get(claim)!);
    return paths.get(start)!;
  }

  /** Whether a claim waits in the holder before it, and is described together with it. */
  #isInHolder(claim: Claim, before: Claim): boolean {
    return claim.answer.kind === "waiting" && before.answer.kind === "held";
  }

  /** Returns the first claim that the blocked `claim` waits for. */
  #next(claim: Claim): Claim {
    const [step] = this.#prerequisites(claim)!;
    if ("nodeId" in step!) return step;
    const [holder] = step!.holders.values();
    return holder!;
  }

  #describe({ cycle, entry, size }: CyclePath, reader: Claim): string {
    const parts: string[] = [];
    for (let step = 0; step < cycle.length && parts.length < MAX_NAMED_HOLDERS; step++) {
      const index = (entry + step) % cycle.length;
      const [claim, before] = [cycle[index]!, cycle.at(index - 1)!];
      if (this.#isInHolder(claim, before)) continue;
      const isHolder = claim.answer.kind === "held";
      const waiter = isHolder ? this.#next(claim) : claim;
      const [has, wants] = [before, waiter].map((claim) => shortened(this.#firstRefusedLock(claim)!.key));
      const { name, waiterName } = this.#namesOf(claim, reader);
      parts.push(
        isHolder
          ? `${name} holds ${has}, and ${waiterName} in it waits for ${wants}`
          : `${name} is next for ${has}, and waits for ${wants}`,
      );
    }
    return parts.join("; ") + (size > MAX_NAMED_HOLDERS ? ` and ${size - MAX_NAMED_HOLDERS} more` : "");
  }

  /**
   * Returns the names of a holder and its first waiting node. In another namespace, returns their keys, because names
   * may contain parameters.
   */
  #namesOf(claim: Claim, reader: Claim): Pick<StalledHolder, "name" | "waiterName"> {
    const stall = this.#stalls.get(claim);
    const isSameNamespace = claim.precedence.namespace === reader.precedence.namespace;
    if (!stall || !isSameNamespace) return { name: claim.key, waiterName: (stall?.waiters[0] ?? claim).key };
    return { name: shortened(stall.name), waiterName: shortened(stall.waiterName) };
  }
}

/** Returns the workflow of a claim, or of the first holder of a lock. */
function workflowOf(step: WaitStep): string | undefined {
  if ("nodeId" in step) return step.workflow;
  const [holder] = step.holders.values();
  return holder?.workflow;
}

function snapshotOf({ changedAt, limit, poison, holders, queue }: Lock): LockSnapshot {
  const first = limit !== undefined && holders.size < limit ? queue.at(0) : undefined;
  return { changedAt, limit, isPoisoned: poison.size > 0, first };
}

function isSameSnapshot(snapshot: LockSnapshot, other: LockSnapshot): boolean {
  return snapshot.changedAt === other.changedAt && snapshot.limit === other.limit &&
    snapshot.isPoisoned === other.isPoisoned &&
    snapshot.first === other.first;
}
