/**
 * Deadlocks between workflows: a ring of holders, in each of which nothing goes on but waiting for a lock of the next. Who
 * may be in one is known from the workflows, who say which of their holders only wait, and from the locks; it is looked at
 * anew from what changed on.
 */
import { shortened } from "../limits.ts";
import type { Claim } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { idOf, isInDatabase, type LockItem } from "./lock_item.ts";
import type { Lock, Locks } from "./locks.ts";

/** A holder in which nothing goes on: all that lies in it waits for locks. */
export interface Stalled {
  readonly name: string;
  /** The IDs of the nodes in it that wait. */
  readonly waiters: readonly string[];
  /** The name of the first of them. */
  readonly waiterName: string;
}

/** A holder that is stalled, with the claims that wait in it. */
interface Stall extends Pick<Stalled, "name" | "waiterName"> {
  readonly waiters: readonly Claim[];
}

/** One that waits or holds, or a lock that has no room. */
type Step = Claim | Lock;

/** The most claims and locks that are walked through from one claim: a longer ring is not told. */
const MOST_WALKED = 10_000;

/** The most holders of a ring that are named. */
const MOST_NAMED = 4;

/** The way of a claim into a ring. */
interface Way {
  /** Holders, and those who wait in them or before them, each followed by the one it waits for. */
  readonly ring: readonly Claim[];
  /** The place in it that one comes to first. */
  readonly entry: number;
  /** How many of them are named each by itself: not those who wait in a holder of it. */
  readonly size: number;
}

/** Those who never will go on. */
interface Stuck {
  readonly claims: readonly Claim[];
  /** Those of them, and of the locks between them, that wait for another workflow, themselves or through others. */
  readonly abroad: ReadonlySet<Step>;
}

/** What a lock had when somebody who asks for it was found to be blocked. */
interface Standing {
  readonly changedAt: number;
  readonly limit: number | undefined;
  readonly isPoisoned: boolean;
  /** The first of its queue, where there is room: for a lock without room nobody there matters. */
  readonly first: Claim | undefined;
}

type Words = Map<string, Map<string, string>>;

/** Finds who waits in a deadlock, or behind one. `onChange` is told of a claim of which something else is said. */
export class Deadlocks {
  readonly #claims: Claims;
  readonly #locks: Locks;
  readonly #onChange: (workflow: string, nodeId: string) => void;
  readonly #stalls = new Map<Claim, Stall>();
  readonly #stalledOf = new Map<string, ReadonlySet<Claim>>();
  /** Claims from which a deadlock may be found. */
  readonly #roots = new Set<Claim>();
  /** The claims that never will go on, those of them that wait for other workflows, and all locks that they ask for, by ID. */
  readonly #blocked = new Set<Claim>();
  readonly #abroad = new Set<Claim>();
  readonly #blockedAt = new Map<string, Standing>();
  #isTouched = false;
  /** The words about those that are to say so: by workflow, by node ID. */
  #words: Words = new Map();

  constructor(claims: Claims, locks: Locks, onChange: (workflow: string, nodeId: string) => void) {
    this.#claims = claims;
    this.#locks = locks;
    this.#onChange = onChange;
  }

  /** The words about the nodes of a workflow that wait in a deadlock with others, or behind one. */
  of(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#words.get(workflow);
  }

  /**
   * The words about those of some claims that wait in a deadlock of others, or behind one, and say nothing of it: looked for
   * when somebody asks.
   */
  behind(claims: Iterable<Claim>): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const ways = new Map<Claim, Way>();
    for (const claim of claims) {
      if (claim.answer.kind !== "waiting" || this.#words.get(claim.workflow)?.has(claim.nodeId)) continue;
      const isStuck = this.#blocked.has(claim) || this.#neverGoOn([claim]).claims.includes(claim);
      if (isStuck) found.set(claim.nodeId, this.#inWords(this.#wayOf(claim, ways), claim));
    }
    return found;
  }

  /** Notes which holders of a workflow are stalled: all of them, by node ID. */
  report(workflow: string, stalled: ReadonlyMap<string, Stalled>): void {
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

  /** Forgets a claim that is gone. */
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

  /** Notes that a lock has other holders, another queue, or another limit. */
  changed(lockId: string): void {
    if (this.#stalls.size === 0) return;
    const lock = this.#locks.get(lockId);
    const known = this.#blockedAt.get(lockId);
    this.#isTouched ||= known !== undefined && !(lock && isAs(known, standingOf(lock)));
    const [holder] = lock?.holders.values() ?? [];
    for (const claim of [holder, lock?.queue.at(0)]) if (claim) this.#roots.add(claim);
  }

  /** Whether something changed since it was looked at. */
  get hasToLook(): boolean {
    return this.#isTouched || this.#roots.size > 0;
  }

  /** Looks at what changed, and tells of whom something else is said. */
  look(): void {
    if (!this.hasToLook) return;
    const before = this.#words;
    // From all who are stalled only where others may wait for what is new: of most changes nobody is blocked.
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
    const ways = new Map<Claim, Way>();
    for (const claim of added) if (claim.answer.kind === "waiting") this.#say(claim, ways, before);
    if (before === this.#words) return;
    for (const [workflow, words] of before) {
      for (const nodeId of words.keys()) if (!this.#words.get(workflow)?.has(nodeId)) this.#onChange(workflow, nodeId);
    }
  }

  /** Whether others may wait for some claims: for what they hold, behind them, or as a holder of them. */
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

  /** Those who never will go on among some claims and all that they wait for, beside those who are known. */
  #neverGoOn(roots: Iterable<Claim>): Stuck {
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
      // All that it waits for is walked through before the next one is: it has a bound of its own.
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
    // Both sets are walked through to what is added meanwhile.
    for (const some of [going, abroad]) {
      for (const step of some) for (const one of behind.get(step) ?? []) some.add(one);
    }
    return { claims: order.filter((step): step is Claim => !going.has(step) && "nodeId" in step), abroad };
  }

  /** Those of which one has to go on before this one does; undefined where it goes on by itself. */
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

  /** The first lock of a claim that it may not have: of this table, else of a database, as that said last. */
  #waitedFor(claim: Claim): LockItem | undefined {
    return this.#locks.firstRefused(claim) ?? claim.locks.find(({ key }) => key === claim.refusal?.refused);
  }

  /**
   * Whether a lock of a database has no room, and all who hold it are of this controller: of others, and of who waits before
   * a claim there, nothing is known but the name.
   */
  #isHeldHere({ refusal }: Claim, { item, holders }: Lock): boolean {
    if (!refusal?.isFull || refusal.refused !== item.key) return false;
    const told = refusal.holders.get(idOf(item)) ?? [];
    return told.length > 0 && told.every((key) => holders.has(key));
  }

  /** Notes what is said of a claim that waits for ever, where another than its own workflow has to do with it. */
  #say(claim: Claim, ways: Map<Claim, Way>, before: Words): void {
    const { workflow, nodeId } = claim;
    for (const item of claim.locks) {
      const lock = this.#locks.get(idOf(item));
      if (lock) this.#blockedAt.set(idOf(item), standingOf(lock));
    }
    // A deadlock that lies in one workflow that tells by itself.
    if (!this.#abroad.has(claim)) return;
    const words = this.#inWords(this.#wayOf(claim, ways), claim);
    if (before.get(workflow)?.get(nodeId) !== words) this.#onChange(workflow, nodeId);
    let own = this.#words.get(workflow);
    if (!own) this.#words.set(workflow, own = new Map());
    own.set(nodeId, words);
  }

  #wayOf(start: Claim, ways: Map<Claim, Way>): Way {
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

  /** Whether a claim is told with the one before it, as it waits in that. */
  #isInHolder(claim: Claim, before: Claim): boolean {
    return claim.answer.kind === "waiting" && before.answer.kind === "held";
  }

  /** The first that has to go on before a claim that never will. */
  #next(claim: Claim): Claim {
    const [step] = this.#before(claim)!;
    if ("nodeId" in step!) return step;
    const [holder] = step!.holders.values();
    return holder!;
  }

  #inWords({ ring, entry, size }: Way, reader: Claim): string {
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

  /** The names of a holder and of who waits in it; in another namespace the keys, as names may quote its parameters. */
  #namesOf(claim: Claim, reader: Claim): Pick<Stalled, "name" | "waiterName"> {
    const stall = this.#stalls.get(claim);
    const isNear = claim.precedence.namespace === reader.precedence.namespace;
    if (!stall || !isNear) return { name: claim.key, waiterName: (stall?.waiters[0] ?? claim).key };
    return { name: shortened(stall.name), waiterName: shortened(stall.waiterName) };
  }
}

/** The workflow of a claim, or of the first holder of a lock. */
function workflowOf(step: Step): string | undefined {
  if ("nodeId" in step) return step.workflow;
  const [holder] = step.holders.values();
  return holder?.workflow;
}

function standingOf({ changedAt, limit, poison, holders, queue }: Lock): Standing {
  const first = limit !== undefined && holders.size < limit ? queue.at(0) : undefined;
  return { changedAt, limit, isPoisoned: poison.size > 0, first };
}

function isAs(one: Standing, other: Standing): boolean {
  return one.changedAt === other.changedAt && one.limit === other.limit && one.isPoisoned === other.isPoisoned &&
    one.first === other.first;
}
