/**
 * The successors of a lock table: the nodes that statuses of workflows name as next holders, and those named before a
 * restart. Only reads claims and locks; the table changes them.
 */
import { byPrecedence, type Claim, isSimple } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { idOf, isInDatabase } from "./lock_item.ts";
import type { Lock, Locks } from "./locks.ts";
import { mostSuccessors, type Successors } from "./successors.ts";

/** Claims that release their locks, and the claims that get them. */
export interface Passing {
  readonly leaving: readonly Claim[];
  readonly followers: readonly Claim[];
}

/** The successors of all workflows. */
export class Succession {
  readonly #claims: Claims;
  readonly #locks: Locks;
  /** The successors in the statuses of workflows, without those that hold their locks. */
  readonly #named = new Map<string, Successors>();
  /** The claims that statuses named as successors before a restart, and that have no lock yet. */
  readonly #heirs = new Map<string, Set<Claim>>();

  constructor(claims: Claims, locks: Locks) {
    this.#claims = claims;
    this.#locks = locks;
  }

  /** Sets the successors in the status of a workflow. */
  name(workflow: string, successors: Successors): void {
    if (successors.size > 0 && this.#claims.byNode(workflow)) this.#named.set(workflow, successors);
    else this.#named.delete(workflow);
  }

  /** Removes the successors of a workflow, because its status may name others now. */
  forget(workflow: string): void {
    this.#named.delete(workflow);
  }

  /** Adds a claim that was named before a restart and has no lock. */
  addHeir(claim: Claim): void {
    const heirs = this.#heirs.get(claim.workflow);
    if (heirs) heirs.add(claim);
    else this.#heirs.set(claim.workflow, new Set([claim]));
  }

  /** Removes a claim that has its lock or is gone. */
  removeHeir(claim: Claim): void {
    const heirs = this.#heirs.get(claim.workflow);
    if (heirs?.delete(claim) && heirs.size === 0) this.#heirs.delete(claim.workflow);
  }

  /** Returns the claims that were named before a restart and have no lock yet, by the ID of the lock, in order. */
  #heirsOf(workflow: string): Map<string, Claim[]> {
    const heirs = [...this.#heirs.get(workflow) ?? []].sort(byPrecedence);
    return Map.groupBy(heirs, ({ locks: [item] }) => idOf(item!));
  }

  /**
   * Returns the nodes of a workflow that are next for locks which other nodes of it hold, if no other workflow's claims
   * come between. When the status names them, they may get the lock without being recorded first. Up to a few per
   * holder. Successors named before a restart stay named until they have their lock, because the previous process may
   * have granted it.
   */
  of(workflow: string, isOpen: boolean): Successors {
    const found = new Map<string, readonly string[]>();
    const heirs = this.#heirs.has(workflow) ? this.#heirsOf(workflow) : undefined;
    for (const [id, claims] of heirs ?? []) {
      const most = mostSuccessors(placesOf(workflow, this.#locks.get(id)!));
      if (most > 0) found.set(id, claims.slice(0, most).map(({ nodeId }) => nodeId));
    }
    if (!isOpen) return found;
    for (const id of this.#claims.answersOf(workflow)?.waitedFor.keys() ?? []) {
      const lock = this.#locks.get(id);
      if (heirs?.has(id) || lock?.queue.at(0)?.workflow !== workflow || lock.limit === undefined) continue;
      if (lock.poison.size > 0 || isInDatabase(lock.item)) continue;
      const next: string[] = [];
      for (const most = mostSuccessors(placesOf(workflow, lock)); next.length < most;) {
        const claim = lock.queue.at(next.length);
        if (claim?.workflow !== workflow || !isSimple(claim)) break;
        next.push(claim.nodeId);
      }
      if (next.length > 0) found.set(id, next);
    }
    return found;
  }

  /** Whether a lock has fewer named successors than places of the workflow, although more could be named. */
  runsShort(workflow: string, isOpen: boolean): boolean {
    const named = this.#named.get(workflow);
    for (const [id, next] of named ? this.of(workflow, isOpen) : []) {
      const left = named?.get(id)?.length ?? 0;
      if (left < placesOf(workflow, this.#locks.get(id)!) && left < next.length) return true;
    }
    return false;
  }

  /**
   * Whether the status of a workflow names these claims in this order. A table that is rebuilt from the status grants
   * them in the same way.
   */
  areNamed(workflow: string, followers: readonly Claim[]): boolean {
    const named = this.#named.get(workflow);
    if (!named) return false;
    const places = new Map<string, number>();
    return followers.every(({ nodeId, locks: [item] }) => {
      const id = idOf(item!);
      const place = places.get(id) ?? 0;
      places.set(id, place + 1);
      return named.get(id)?.[place] === nodeId;
    });
  }

  /** Records that named successors have their locks, which counts as recorded. */
  succeed(workflow: string, followers: readonly Claim[]): void {
    const taken = new Set<string>();
    for (const claim of followers) {
      claim.isWritten = claim.isAhead = true;
      taken.add(claim.nodeId);
    }
    const left = [...this.#named.get(workflow) ?? []].map(([id, nodeIds]): [string, string[]] => [
      id,
      nodeIds.filter((nodeId) => !taken.has(nodeId)),
    ]);
    this.#named.set(workflow, new Map(left));
  }

  /**
   * Returns the claims that would be granted if these nodes released their locks. Undefined if not all of the locks
   * would stay in the workflow, or if a claim is for several locks, or for locks of a database.
   */
  followers(workflow: string, nodeIds: readonly string[]): Passing | undefined {
    const given = new Map<Lock, number>();
    const leaving: Claim[] = [];
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held" || !isSimple(claim)) return undefined;
      const lock = this.#locks.get(idOf(claim.locks[0]!));
      if (!lock) return undefined;
      given.set(lock, (given.get(lock) ?? 0) + 1);
      leaving.push(claim);
    }
    const followers: Claim[] = [];
    for (const [{ holders, limit, poison, queue }, count] of given) {
      if (limit === undefined || poison.size > 0) return undefined;
      const room = limit - holders.size + count;
      for (let place = 0; place < room; place++) {
        const claim = queue.at(place);
        if (claim?.workflow !== workflow || !isSimple(claim)) return undefined;
        followers.push(claim);
      }
    }
    return followers.length > 0 ? { leaving, followers } : undefined;
  }

  /** Returns the claims named before a restart that get the locks of these nodes; undefined if no claim gets them. */
  heirsTo(workflow: string, nodeIds: readonly string[]): Passing | undefined {
    if (!this.#heirs.has(workflow)) return undefined;
    const over = new Set(nodeIds);
    const heirs = this.#heirsOf(workflow);
    const kept = new Map<Lock, number>();
    const leaving: Claim[] = [];
    const followers: Claim[] = [];
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held" || !isSimple(claim)) continue;
      const id = idOf(claim.locks[0]!);
      const lock = this.#locks.get(id)!;
      const places = kept.get(lock) ?? lock.holders.size;
      const { limit = Infinity, poison } = lock;
      // The limit has become smaller, so this place is not passed on.
      if (places > limit) kept.set(lock, places - 1);
      if (places > limit || poison.size > 0) continue;
      const next = heirs.get(id)?.findIndex((heir) => !over.has(heir.nodeId)) ?? -1;
      if (next < 0) continue;
      leaving.push(claim);
      followers.push(...heirs.get(id)!.splice(next, 1));
    }
    return followers.length > 0 ? { leaving, followers } : undefined;
  }
}

/** Returns the number of places of a lock that a workflow holds. */
function placesOf(workflow: string, { holders }: Lock): number {
  let places = 0;
  for (const claim of holders.values()) if (claim.workflow === workflow && isSimple(claim)) places++;
  return places;
}
