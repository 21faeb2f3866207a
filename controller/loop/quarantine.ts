/**
 * Quarantine of objects whose passes fail. Each waits for a second after its first failure and twice as long after each
 * further one, at least ten times as long as the failed pass took, so that repeated failures take little of the
 * controller's time. A change of the object by another client ends the wait early; the controller's own writes do not.
 */
import type { Clock } from "./clock.ts";
import type { KubeObject } from "@tiphys/kube";

const FIRST_REST_MILLIS = 1000;
const MAX_REST_MILLIS = 600_000;
/**
 * The minimum ratio of the wait to the duration of the failed pass: a failing object takes at most a tenth of the time.
 */
const REST_SHARE = 10;

interface Case {
  readonly uid: string | undefined;
  failures: number;
  /** Milliseconds since 1970, like the following times. */
  until: number;
  /** The earliest time at which a change ends the wait. */
  soonest: number;
  /**
   * The versions of the object that are known to fail: the one that failed, and those that the controller wrote about
   * the failure.
   */
  readonly versions: Set<string>;
}

/** The quarantine of a controller. It is kept in memory: after a restart every object is tried again. */
export class Quarantine {
  readonly #cases = new Map<string, Case>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of quarantined objects. */
  get size(): number {
    return this.#cases.size;
  }

  /** The end of an object's quarantine, in milliseconds since 1970; undefined if a pass may run. */
  quarantineEnd(key: string, seen: KubeObject): number | undefined {
    const found = this.#caseOf(key, seen);
    if (!found) return undefined;
    const isChanged = !found.versions.has(seen.metadata.resourceVersion ?? "");
    const until = isChanged ? Math.min(found.until, found.soonest) : found.until;
    return until > this.#clock.now() ? until : undefined;
  }

  /**
   * Records a failed pass and its duration in milliseconds. Returns the number of consecutive failures, and the end of
   * the quarantine.
   */
  add(key: string, seen: KubeObject, millis: number): { readonly failures: number; readonly until: number } {
    let found = this.#caseOf(key, seen);
    if (!found) {
      found = { uid: seen.metadata.uid, failures: 0, until: 0, soonest: 0, versions: new Set() };
      this.#cases.set(key, found);
    }
    const now = this.#clock.now();
    const min = Math.max(FIRST_REST_MILLIS, REST_SHARE * millis);
    const rest = Math.min(FIRST_REST_MILLIS * 2 ** found.failures, MAX_REST_MILLIS);
    found.failures++;
    found.soonest = now + min;
    found.until = now + Math.max(min, rest);
    // Versions that failed earlier are older than this one, and do not appear again.
    found.versions.clear();
    found.versions.add(seen.metadata.resourceVersion ?? "");
    return found;
  }

  /** Records a write by the controller, which is not a reason for another pass. */
  recordWrite(key: string, { metadata }: KubeObject): void {
    this.#cases.get(key)?.versions.add(metadata.resourceVersion ?? "");
  }

  /** Called when a pass succeeded or the object is gone. */
  release(key: string): void {
    this.#cases.delete(key);
  }

  #caseOf(key: string, seen: KubeObject): Case | undefined {
    const found = this.#cases.get(key);
    return found?.uid === seen.metadata.uid ? found : undefined;
  }
}
