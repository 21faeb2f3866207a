/**
 * Detects deadlocks between workflows: a cycle of holders, in each of which everything waits for a lock of the next
 * one. Workflows report their stalled holders. Detection is incremental: it starts from what has changed.
 */
import { shortened } from "@tiphys/base/limits";
import type { Claim } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { idOf, isInDatabase, type LockItem } from "./lock_item.ts";
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

/** A claim, or a lock without room. */
type Step = Claim | Lock;

/** Maximum number of claims and locks that are visited from one claim. A longer cycle is not reported. */
const MOST_WALKED = 10_000;

/** Maximum number of holders of a cycle that a message names. */
const MOST_NAMED = 4;

/** The path of a claim into a cycle. */
interface CyclePath {
  /** Holders, and claims that wait in them or before them, each followed by the one it waits for. */
  readonly ring: readonly Claim[];
  /** The index at which the path enters the cycle. */
  readonly entry: number;
  /** Number of claims that are named separately: all but those that wait in a holder of the cycle. */
  readonly size: number;
}

/** The claims that can never continue. */
interface BlockedClaims {
  readonly claims: readonly Claim[];
  /** The claims, and locks between them, that wait for another workflow, directly or through others. */
  readonly abroad: ReadonlySet<Step>;
}

/** The state of a lock when one of its claims was found to be blocked. */
interface LockSnapshot {
  readonly changedAt: number;
  readonly limit: number | undefined;
  readonly isPoisoned: boolean;
  /** The first claim of its queue, if the lock has room. Without room, the queue does not matter. */
  readonly first: Claim | undefined;
}

type Words = Map<string, Map<string, string>>;

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
  readonly #abroad = new Set<Claim>();
  readonly #blockedAt = new Map<string, LockSnapshot>();
  #isTouched = false;
  /** The messages of affected claims, by workflow and node ID. */
  #words: Words = new Map();

  constructor(claims: Claims, locks: Locks, onChange: (workflow: string, nodeId: string) => void) {
    this.#claims = claims;
    this.#locks = locks;
    this.#onChange = onChange;
  }

  /** Returns the messages for the nodes of a workflow that wait in a deadlock with others, or behind one. */
  of(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#words.get(workflow);
  }

  /**
   * Returns the messages for those claims that wait in a deadlock of others, or behind one, without being in a holder.
   * Computed on demand.
   */
  behind(claims: Iterable<Claim>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const ways = new Map<Claim, CyclePath>();
    for (const claim of claims) {
      if (claim.answer.kind !== "waiting" || this.#words.get(claim.workflow)?.has(claim.nodeId)) continue;
      const isStuck = this.#blocked.has(claim) || this.#neverGoOn([claim]).claims.includes(claim);
      if (isStuck) found.set(claim.nodeId, this.#inWords(this.#wayOf(claim, ways), claim));
    }
    return found;
  }

  /** Sets the stalled holders of a workflow, by node ID. */
  report(workflow: string, stalled: ReadonlyMap<string, StalledHolder>): void {
    const before = this.#stalledOf.get(workflow);
    if (!before && stalled.size === 0) return;
    const found = new Map<Claim, Stall>();
    for (const [nodeId, { waiters, ...names }] of stalled) {
      const holder = this.#claims.get(workflow, nodeId);
      const claims = waiters.flatMap((id) => this.#claims.get(workflow, id) ?? []);
      if (holder && claims.length === waiters.length) found.set(holder, { ...names, waiters: claims });
    }
    for (const holder of before ?? []) if (!found.has(holder)) this.#drop(holder);
    for (const [holder, stall] of found) {
      const old = this.#stalls.get(holder)?.waiters;
      this.#stalls.set(holder, stall);
      if (old?.length === stall.waiters.length && old.every((claim, at) => claim === stall.waiters[at])) continue;
      this.#roots.add(holder);
      this.#isTouched ||= this.#blocked.has(holder);
    }
    if (found.size > 0) this.#stalledOf.set(workflow, new Set(found.keys()));
    else this.#stalledOf.delete(workflow);
  }

  /** Removes a claim. */
  forget(claim: Claim): void {
    this.#roots.delete(claim);
    this.#isTouched ||= this.#blocked.has(claim);
    if (!this.#stalls.has(claim)) return;
    this.#drop(claim);
    const rest = new Set([...this.#stalledOf.get(claim.workflow) ?? []].filter((one) => one !== claim));
    if (rest.size > 0) this.#stalledOf.set(claim.workflow, rest);
    else this.#stalledOf.delete(claim.workflow);
  }

  #drop(holder: Claim): void {
    this.#stalls.delete(holder);
    this.#isTouched ||= this.#blocked.has(holder);
  }

  /** Records that the holders, the queue or the limit of a lock have changed. */
  changed(lockId: string): void {
    if (this.#stalls.size === 0) return;
    const lock = this.#locks.get(lockId);
    const known = this.#blockedAt.get(lockId);
    this.#isTouched ||= known !== undefined && !(lock && isAs(known, standingOf(lock)));
    const [holder] = lock?.holders.values() ?? [];
    for (const claim of [holder, lock?.queue.at(0)]) if (claim) this.#roots.add(claim);
  }

  /** Whether anything has changed since the last detection. */
  get hasToLook(): boolean {
    return this.#isTouched || this.#roots.size > 0;
  }

  /** Runs the detection for what has changed, and reports claims whose message is different. */
  look(): void {
    if (!this.hasToLook) return;
    const before = this.#words;
    // All stalled claims are checked only if others may wait for a new one. Most changes block nobody.
    let from: Iterable<Claim> = this.#stalls.keys();
    if (this.#isTouched) {
      for (const known of [this.#blocked, this.#abroad, this.#blockedAt]) known.clear();
      this.#words = new Map();
    } else {
      const { claims } = this.#neverGoOn(this.#roots);
      if (!this.#hasOthersBehind(claims)) from = claims.filter((claim) => this.#stalls.has(claim));
    }
    this.#roots.clear();
    this.#isTouched = false;
    const { claims: added, abroad } = this.#neverGoOn(from);
    for (const claim of added) {
      this.#blocked.add(claim);
      if (abroad.has(claim)) this.#abroad.add(claim);
    }
    const ways = new Map<Claim, CyclePath>();
    for (const claim of added) if (claim.answer.kind === "waiting") this.#say(claim, ways, before);
    if (before === this.#words) return;
    for (const [workflow, words] of before) {
      for (const nodeId of words.keys()) if (!this.#words.get(workflow)?.has(nodeId)) this.#onChange(workflow, nodeId);
    }
  }

  /**
   * Whether other claims may wait for these: for the locks they hold, behind them in a queue, or as holders that
   * contain them.
   */
  #hasOthersBehind(claims: readonly Claim[]): boolean {
    const isInQueue = (claim: Claim) =>
      claim.locks.some((item) => {
        const queue = this.#locks.get(idOf(item))?.queue;
        if (!queue || queue.size === 0) return false;
        return claim.answer.kind === "held" || queue.at(0) === claim && queue.size > 1;
      });
    if (claims.some(isInQueue)) return true;
    const found = new Set(claims);
    const holders = [...new Set(claims.map(({ workflow }) => workflow))].flatMap((one) => [
      ...this.#stalledOf.get(one) ?? [],
    ]);
    return holders.some((one) => !found.has(one) && this.#stalls.get(one)?.waiters.some((claim) => found.has(claim)));
  }

  /**
   * Returns the claims among `roots`, and among everything they wait for, that can never continue and are not yet
   * known.
   */
  #neverGoOn(roots: Iterable<Claim>): BlockedClaims {
    const seen = new Set<Step>();
    const order: Step[] = [];
    const behind = new Map<Step, Step[]>();
    const going = new Set<Step>();
    const abroad = new Set<Step>();
    let at = 0;
    for (const root of roots) {
      if (this.#blocked.has(root) || seen.has(root)) continue;
      seen.add(root);
      order.push(root);
      // Everything that one root waits for is visited before the next root, because each root has its own limit.
      for (const end = at + MOST_WALKED; at < order.length; at++) {
        const step = order[at]!;
        const next = at < end ? this.#before(step) : undefined;
        if (!next) going.add(step);
        for (const one of next ?? []) {
          const isKnown = "nodeId" in one && this.#blocked.has(one);
          if (workflowOf(one) !== workflowOf(step) || isKnown && this.#abroad.has(one)) abroad.add(step);
          if (isKnown) continue;
          if (!seen.has(one)) order.push(one);
          seen.add(one);
          const others = behind.get(one);
          if (others) others.push(step);
          else behind.set(one, [step]);
        }
      }
    }
    // Both sets grow during the iteration.
    for (const some of [going, abroad]) {
      for (const step of some) for (const one of behind.get(step) ?? []) some.add(one);
    }
    return { claims: order.filter((step): step is Claim => !going.has(step) && "nodeId" in step), abroad };
  }

  /** Returns the steps of which one must continue before this one can; undefined if it can continue without others. */
  #before(step: Step): Iterable<Step> | undefined {
    if (!("nodeId" in step)) {
      const holders = [...step.holders.values()];
      return holders.every((holder) => this.#stalls.has(holder)) ? holders : undefined;
    }
    if (!this.#claims.has(step)) return undefined;
    if (step.answer.kind === "held") return this.#stalls.get(step)?.waiters;
    const item = step.answer.kind === "waiting" ? this.#waitedFor(step) : undefined;
    const lock = item && this.#locks.get(idOf(item));
    if (lock && isInDatabase(item)) return this.#isHeldHere(step, lock) ? [lock] : undefined;
    if (!lock?.limit || lock.poison.size > 0) return undefined;
    if (lock.holders.size >= lock.limit) return [lock];
    const first = lock.queue.at(0);
    return first && first.workflow !== step.workflow ? [first] : undefined;
  }

  /** Returns the first lock that a claim may not have, in this table or else by the last answer of a database. */
  #waitedFor(claim: Claim): LockItem | undefined {
    return this.#locks.firstRefused(claim) ?? claim.locks.find(({ key }) => key === claim.refusal?.refused);
  }

  /**
   * Whether a lock of a database has no room and all its holders belong to this controller. Of other holders, and of
   * claims that precede this one there, only the names are known.
   */
  #isHeldHere({ refusal }: Claim, { item, holders }: Lock): boolean {
    if (!refusal?.isFull || refusal.refused !== item.key) return false;
    const told = refusal.holders.get(idOf(item)) ?? [];
    return told.length > 0 && told.every((key) => holders.has(key));
  }

  /** Records the message of a claim that waits forever, if other workflows are involved. */
  #say(claim: Claim, ways: Map<Claim, CyclePath>, before: Words): void {
    const { workflow, nodeId } = claim;
    for (const item of claim.locks) {
      const lock = this.#locks.get(idOf(item));
      if (lock) this.#blockedAt.set(idOf(item), standingOf(lock));
    }
    // A workflow reports a deadlock within itself separately.
    if (!this.#abroad.has(claim)) return;
    const words = this.#inWords(this.#wayOf(claim, ways), claim);
    if (before.get(workflow)?.get(nodeId) !== words) this.#onChange(workflow, nodeId);
    let own = this.#words.get(workflow);
    if (!own) this.#words.set(workflow, own = new Map());
    own.set(nodeId, words);
  }

  #wayOf(start: Claim, ways: Map<Claim, CyclePath>): CyclePath {
    const path = new Set<Claim>();
    let claim = start;
    for (; !ways.has(claim) && !path.has(claim); claim = this.#next(claim)) path.add(claim);
    const walked = [...path];
    const from = path.has(claim) ? walked.indexOf(claim) : walked.length;
    const ring = walked.slice(from);
    const size = ring.filter((one, at) => !this.#isInHolder(one, ring.at(at - 1)!)).length;
    for (const [entry, one] of ring.entries()) ways.set(one, { ring, entry, size });
    for (const one of walked.slice(0, from)) ways.set(one, ways.get(claim)!);
    return ways.get(start)!;
  }

  /** Whether a claim waits in the holder before it, and is described together with it. */
  #isInHolder(claim: Claim, before: Claim): boolean {
    return claim.answer.kind === "waiting" && before.answer.kind === "held";
  }

  /** Returns the first claim that must continue before a blocked one. */
  #next(claim: Claim): Claim {
    const [step] = this.#before(claim)!;
    if ("nodeId" in step!) return step;
    const [holder] = step!.holders.values();
    return holder!;
  }

  #inWords({ ring, entry, size }: CyclePath, reader: Claim): string {
    const parts: string[] = [];
    for (let step = 0; step < ring.length && parts.length < MOST_NAMED; step++) {
      const at = (entry + step) % ring.length;
      const [claim, before] = [ring[at]!, ring.at(at - 1)!];
      if (this.#isInHolder(claim, before)) continue;
      const isHolder = claim.answer.kind === "held";
      const waiter = isHolder ? this.#next(claim) : claim;
      const [has, wants] = [before, waiter].map((one) => shortened(this.#waitedFor(one)!.key));
      const { name, waiterName } = this.#namesOf(claim, reader);
      parts.push(
        isHolder
          ? `${name} holds ${has}, and ${waiterName} in it waits for ${wants}`
          : `${name} is next for ${has}, and waits for ${wants}`,
      );
    }
    return parts.join("; ") + (size > MOST_NAMED ? ` and ${size - MOST_NAMED} more` : "");
  }

  /**
   * Returns the names of a holder and its first waiting node. In another namespace, returns their keys, because names
   * may contain parameters.
   */
  #namesOf(claim: Claim, reader: Claim): Pick<StalledHolder, "name" | "waiterName"> {
    const stall = this.#stalls.get(claim);
    const isNear = claim.precedence.namespace === reader.precedence.namespace;
    if (!stall || !isNear) return { name: claim.key, waiterName: (stall?.waiters[0] ?? claim).key };
    return { name: shortened(stall.name), waiterName: shortened(stall.waiterName) };
  }
}

/** Returns the workflow of a claim, or of the first holder of a lock. */
function workflowOf(step: Step): string | undefined {
  if ("nodeId" in step) return step.workflow;
  const [holder] = step.holders.values();
  return holder?.workflow;
}

function standingOf({ changedAt, limit, poison, holders, queue }: Lock): LockSnapshot {
  const first = limit !== undefined && holders.size < limit ? queue.at(0) : undefined;
  return { changedAt, limit, isPoisoned: poison.size > 0, first };
}

function isAs(one: LockSnapshot, other: LockSnapshot): boolean {
  return one.changedAt === other.changedAt && one.limit === other.limit && one.isPoisoned === other.isPoisoned &&
    one.first === other.first;
}
