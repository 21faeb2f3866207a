/**
 * Deadlocks between workflows: a ring of holders, in each of which nothing goes on but waiting for a lock of the next. Who
 * may be in one is known from the workflows, who say which of their holders only wait, and from the locks; it is looked at
 * anew from what changed on.
 */
import { shortened } from "../limits.ts";
import type { Claim } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { idOf, type LockItem } from "./lock_item.ts";
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

/** The most claims and locks that are walked through at a time: a longer ring is not told. */
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
  readonly workflows: ReadonlySet<string>;
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
  /** The claims that never will go on, and the IDs of all locks that those among them ask for. */
  readonly #blocked = new Set<Claim>();
  readonly #blockedAt = new Set<string>();
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
    this.#isTouched ||= this.#blockedAt.has(lockId);
    const lock = this.#locks.get(lockId);
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
    // From all who are stalled only where something new is known: of most changes nobody is blocked.
    const hasFound = this.#isTouched || this.#neverGoOn(this.#roots).length > 0;
    if (this.#isTouched) {
      this.#blocked.clear();
      this.#blockedAt.clear();
      this.#words = new Map();
    }
    this.#roots.clear();
    this.#isTouched = false;
    const added = hasFound ? this.#neverGoOn(this.#stalls.keys()) : [];
    for (const claim of added) this.#blocked.add(claim);
    const ways = new Map<Claim, Way>();
    for (const claim of added) if (claim.answer.kind === "waiting") this.#say(claim, ways, before);
    if (before === this.#words) return;
    for (const [workflow, words] of before) {
      for (const nodeId of words.keys()) if (!this.#words.get(workflow)?.has(nodeId)) this.#onChange(workflow, nodeId);
    }
  }

  /** Those who never will go on among some claims and all that they wait for, beside those who are known. */
  #neverGoOn(roots: Iterable<Claim>): Claim[] {
    const seen = new Set<Step>();
    for (const root of roots) if (!this.#blocked.has(root)) seen.add(root);
    const behind = new Map<Step, Step[]>();
    const going = new Set<Step>();
    let walked = 0;
    // Both sets are walked through to what is added meanwhile.
    for (const step of seen) {
      const next = walked++ < MOST_WALKED ? this.#before(step) : undefined;
      if (!next) going.add(step);
      for (const one of next ?? []) {
        if ("nodeId" in one && this.#blocked.has(one)) continue;
        seen.add(one);
        const others = behind.get(one);
        if (others) others.push(step);
        else behind.set(one, [step]);
      }
    }
    for (const step of going) for (const one of behind.get(step) ?? []) going.add(one);
    const found: Claim[] = [];
    for (const step of seen) if (!going.has(step) && "nodeId" in step) found.push(step);
    return found;
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
    if (!lock?.limit || lock.poison.size > 0) return undefined;
    if (lock.holders.size >= lock.limit) return [lock];
    const first = lock.queue.at(0);
    return first && first.workflow !== step.workflow ? [first] : undefined;
  }

  /** The first lock of a claim that it may not have; of one in a database this table does not know enough. */
  #waitedFor(claim: Claim): LockItem | undefined {
    return this.#locks.firstRefused(claim);
  }

  /** Notes what is said of a claim that waits for ever, where another than its own workflow has to do with it. */
  #say(claim: Claim, ways: Map<Claim, Way>, before: Words): void {
    const { workflow, nodeId } = claim;
    for (const item of claim.locks) this.#blockedAt.add(idOf(item));
    const way = this.#wayOf(claim, ways);
    // Of one that lies in a single workflow that tells it by itself.
    if (way.workflows.size === 1 && way.workflows.has(workflow)) return;
    const words = this.#inWords(way, claim);
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
    const workflows = new Set(ring.map(({ workflow }) => workflow));
    for (const [entry, one] of ring.entries()) ways.set(one, { ring, entry, size, workflows });
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
