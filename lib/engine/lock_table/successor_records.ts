/**
 * The successors of a lock table: the nodes that statuses of workflows name as next holders, and those named before a
 * restart. Only reads claims and locks; the table changes them.
 */
import { byPrecedence, type Claim, isSimple } from "./claim.ts";
import type { Claims } from "./claims.ts";
import { isInDatabase, lockIdOf } from "./lock_item.ts";
import type { Lock, Locks } from "./locks.ts";
import { maxSuccessors, type Successors } from "./successors.ts";

/** Claims that release their locks, and the claims that get them. */
export interface TransferClaims {
  readonly releasing: readonly Claim[];
  readonly receiving: readonly Claim[];
}

/** The successors of all workflows. */
export class SuccessorRecords {
  readonly #claims: Claims;
  readonly #locks: Locks;
  /** The successors in the statuses of workflows, without those that hold their locks. */
  readonly #named = new Map<string, Successors>();
  /** The claims that statuses named as successors before a restart, and that have no lock yet. */
  readonly #restored = new Map<string, Set<Claim>>();

  constructor(claims: Claims, locks: Locks) {
    this.#claims = claims;
    this.#locks = locks;
  }

  /** Sets the successors in the status of a workflow. */
  setNamed(workflow: string, successors: Successors): void {
    if (successors.size > 0 && this.#claims.byNode(workflow)) this.#named.set(workflow, successors);
    else this.#named.delete(workflow);
  }

  /** Removes the successors of a workflow, because its status may name others now. */
  removeNamed(workflow: string): void {
    this.#named.delete(workflow);
  }

  /** Adds a successor that was recorded before a restart and has no lock yet. */
  addRestored(claim: Claim): void {
    const restored = this.#restored.get(claim.workflow);
    if (restored) restored.add(claim);
    else this.#restored.set(claim.workflow, new Set([claim]));
  }

  /** Removes a successor that has its lock or no longer exists. */
  removeRestored(claim: Claim): void {
    const restored = this.#restored.get(claim.workflow);
    if (restored?.delete(claim) && restored.size === 0) this.#restored.delete(claim.workflow);
  }

  /** Groups successors recorded before a restart that have no lock yet by lock ID, in order of precedence. */
  #restoredOf(workflow: string): Map<string, Claim[]> {
    const restored = [...this.#restored.get(workflow) ?? []].sort(byPrecedence);
    return Map.groupBy(restored, ({ locks: [item] }) => lockIdOf(item!));
  }

  /**
   * Returns the nodes of a workflow that are next for locks which other nodes of it hold, if no other workflow's claims
   * come between. When the status names them, they may get the lock without being recorded first. Up to a few per
   * holder. Successors named before a restart stay named until they have their lock, because the previous process may
   * have granted it.
   */
  successorsOf(workflow: string, isOpen: boolean): Successors {
    const found = new Map<string, readonly string[]>();
    const restored = this.#restored.has(workflow) ? this.#restoredOf(workflow) : undefined;
    for (const [id, claims] of restored ?? []) {
      const max = maxSuccessors(countHolds(workflow, this.#locks.get(id)!));
      if (max > 0) found.set(id, claims.slice(0, max).map(({ nodeId }) => nodeId));
    }
    if (!isOpen) return found;
    for (const id of this.#claims.answersOf(workflow)?.waitedFor.keys() ?? []) {
      const lock = this.#locks.get(id);
      if (restored?.has(id) || lock?.queue.at(0)?.workflow !== workflow || lock.limit === undefined) continue;
      if (lock.poison.size > 0 || isInDatabase(lock.item)) continue;
      const next: string[] = [];
      for (const max = maxSuccessors(countHolds(workflow, lock)); next.length < max;) {
        const claim = lock.queue.at(next.length);
        if (claim?.workflow !== workflow || !isSimple(claim)) break;
        next.push(claim.nodeId);
      }
      if (next.length > 0) found.set(id, next);
    }
    return found;
  }

  /** Whether a lock has fewer named successors than holders of the workflow, although more could be named. */
  needsMoreSuccessors(workflow: string, isOpen: boolean): boolean {
    const named = this.#named.get(workflow);
    for (const [id, next] of named ? this.successorsOf(workflow, isOpen) : []) {
      const remaining = named?.get(id)?.length ?? 0;
      if (remaining < countHolds(workflow, this.#locks.get(id)!) && remaining < next.length) return true;
    }
    return false;
  }

  /**
   * Whether the status of a workflow names these claims in this order. A table that is rebuilt from the status grants
   * them in the same way.
   */
  areNamed(workflow: string, claims: readonly Claim[]): boolean {
    const named = this.#named.get(workflow);
    if (!named) return false;
    const positions = new Map<string, number>();
    return claims.every(({ nodeId, locks: [item] }) => {
      const id = lockIdOf(item!);
      const position = positions.get(id) ?? 0;
      positions.set(id, position + 1);
      return named.get(id)?.[position] === nodeId;
    });
  }

  /** Records that named successors have their locks, which counts as recorded. */
  recordTransfer(workflow: string, claims: readonly Claim[]): void {
    const taken = new Set<string>();
    for (const claim of claims) {
      claim.isRecorded = claim.isUnrecordedSuccessor = true;
      taken.add(claim.nodeId);
    }
    const remaining = [...this.#named.get(workflow) ?? []].map(([id, nodeIds]): [string, string[]] => [
      id,
      nodeIds.filter((nodeId) => !taken.has(nodeId)),
    ]);
    this.#named.set(workflow, new Map(remaining));
  }

  /**
   * Returns the claims that would be granted if these nodes released their locks. Undefined if not all of the locks
   * would stay in the workflow, or if a claim is for several locks, or for locks of a database.
   */
  findTransfer(workflow: string, nodeIds: readonly string[]): TransferClaims | undefined {
    const released = new Map<Lock, number>();
    const releasing: Claim[] = [];
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held" || !isSimple(claim)) return undefined;
      const lock = this.#locks.get(lockIdOf(claim.locks[0]!));
      if (!lock) return undefined;
      released.set(lock, (released.get(lock) ?? 0) + 1);
      releasing.push(claim);
    }
    const receiving: Claim[] = [];
    for (const [{ holders, limit, poison, queue }, count] of released) {
      if (limit === undefined || poison.size > 0) return undefined;
      const room = limit - holders.size + count;
      for (let index = 0; index < room; index++) {
        const claim = queue.at(index);
        if (claim?.workflow !== workflow || !isSimple(claim)) return undefined;
        receiving.push(claim);
      }
    }
    return receiving.length > 0 ? { releasing, receiving } : undefined;
  }

  /** Returns the claims named before a restart that get the locks of these nodes; undefined if no claim gets them. */
  findTransferToRestored(workflow: string, nodeIds: readonly string[]): TransferClaims | undefined {
    if (!this.#restored.has(workflow)) return undefined;
    const releasedIds = new Set(nodeIds);
    const restored = this.#restoredOf(workflow);
    const holderCounts = new Map<Lock, number>();
    const releasing: Claim[] = [];
    const receiving: Claim[] = [];
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held" || !isSimple(claim)) continue;
      const id = lockIdOf(claim.locks[0]!);
      const lock = this.#locks.get(id)!;
      const holderCount = holderCounts.get(lock) ?? lock.holders.size;
      const { limit = Infinity, poison } = lock;
      // The limit has become smaller, so this hold is not passed on.
      if (holderCount > limit) holderCounts.set(lock, holderCount - 1);
      if (holderCount > limit || poison.size > 0) continue;
      const next = restored.get(id)?.findIndex((heir) => !releasedIds.has(heir.nodeId)) ?? -1;
      if (next < 0) continue;
      releasing.push(claim);
      receiving.push(...restored.get(id)!.splice(next, 1));
    }
    return receiving.length > 0 ? { releasing, receiving } : undefined;
  }
}

/** Returns how many times nodes of a workflow hold a lock. */
function countHolds(workflow: string, { holders }: Lock): number {
  let count = 0;
  for (const claim of holders.values()) if (claim.workflow === workflow && isSimple(claim)) count++;
  return count;
}
