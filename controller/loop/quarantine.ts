/**
 * Objects that cannot be worked. Each rests alone: for a second after its first failure, twice as long after each
 * further one, and never for less than ten times as long as the failed pass took, so that one that fails again and again
 * takes little of the controller. Somebody's change of it is looked at sooner; our own writes about it are no change.
 */
import type { Clock } from "./clock.ts";
import type { KubeObject } from "@tiphys/kube";

const FIRST_REST_MILLIS = 1000;
const LONGEST_REST_MILLIS = 600_000;
/** The length of a rest over that of the failed pass: an object that fails gets a tenth of the time at most. */
const REST_SHARE = 10;

interface Case {
  readonly uid: string | undefined;
  failures: number;
  /** Milliseconds since 1970, as are the following. */
  until: number;
  /** The earliest time at which somebody's change ends the rest. */
  soonest: number;
  /** The states of the object that are known to fail: the one that failed, and what we wrote about it. */
  readonly versions: Set<string>;
}

/** The quarantine of a controller: kept in memory, a restart tries everything anew. */
export class Quarantine {
  readonly #cases = new Map<string, Case>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of objects that rest. */
  get size(): number {
    return this.#cases.size;
  }

  /** The end of an object's rest, in milliseconds since 1970; undefined when a pass may be made. */
  restOf(key: string, seen: KubeObject): number | undefined {
    const found = this.#caseOf(key, seen);
    if (!found) return undefined;
    const isChanged = !found.versions.has(seen.metadata.resourceVersion ?? "");
    const until = isChanged ? Math.min(found.until, found.soonest) : found.until;
    return until > this.#clock.now() ? until : undefined;
  }

  /** A pass failed that took so many milliseconds. How often that has happened now, and until when the object rests. */
  add(key: string, seen: KubeObject, millis: number): { readonly failures: number; readonly until: number } {
    let found = this.#caseOf(key, seen);
    if (!found) {
      found = { uid: seen.metadata.uid, failures: 0, until: 0, soonest: 0, versions: new Set() };
      this.#cases.set(key, found);
    }
    const now = this.#clock.now();
    const least = Math.max(FIRST_REST_MILLIS, REST_SHARE * millis);
    const rest = Math.min(FIRST_REST_MILLIS * 2 ** found.failures, LONGEST_REST_MILLIS);
    found.failures++;
    found.soonest = now + least;
    found.until = now + Math.max(least, rest);
    // Versions that failed before are older than this one: none of them will be seen again.
    found.versions.clear();
    found.versions.add(seen.metadata.resourceVersion ?? "");
    return found;
  }

  /** We wrote something about a resting object: that is no reason to look at it again. */
  wrote(key: string, { metadata }: KubeObject): void {
    this.#cases.get(key)?.versions.add(metadata.resourceVersion ?? "");
  }

  /** A pass came to its end, or the object is gone. */
  release(key: string): void {
    this.#cases.delete(key);
  }

  #caseOf(key: string, seen: KubeObject): Case | undefined {
    const found = this.#cases.get(key);
    return found?.uid === seen.metadata.uid ? found : undefined;
  }
}
