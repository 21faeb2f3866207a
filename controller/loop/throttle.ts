/** Limits on the objects at work: in all, and in each namespace (`parallelism`, `namespaceParallelism`). */

/** The limits; none or 0 for no limit. */
export interface Limits {
  readonly parallelism?: number;
  readonly namespaceParallelism?: number;
}

/** Whether an object has not begun, is at work, or will not be any more. */
export type WorkState = "waiting" | "working" | "over";

/** An object that is at work, or wants to be. */
export interface Candidate {
  readonly namespace: string;
  readonly priority: number;
  /** The time at which the object was made, in the form in which Kubernetes writes it. */
  readonly created: string;
}

/** A limit that is reached, and how many objects wait at it before another. */
export interface Hurdle {
  readonly of: "all" | "namespace";
  readonly most: number;
  readonly before: number;
}

/**
 * Says which objects may start: those of higher priority first, of equal ones the older. What has started goes on
 * whatever the limits become. It must hear of every object before it is asked about the first.
 */
export class Throttle {
  readonly #limits: () => Limits;
  readonly #onAdmitted: (key: string) => void;
  readonly #limitOf: (namespace: string) => number | undefined;
  /** Objects at work, and those that may begin, with their namespaces. */
  readonly #admitted = new Map<string, string>();
  readonly #perNamespace = new Map<string, number>();
  readonly #waiting = new Map<string, Candidate>();

  /**
   * `limits` is read anew whenever it matters; `onAdmitted` is told of objects that had to wait and may start now.
   * `limitOf` knows namespaces with a limit of their own, which counts instead of `namespaceParallelism`.
   */
  constructor(
    limits: () => Limits,
    onAdmitted: (key: string) => void,
    limitOf: (namespace: string) => number | undefined = () => undefined,
  ) {
    this.#limitOf = limitOf;
    this.#limits = limits;
    this.#onAdmitted = onAdmitted;
  }

  /** An object was seen in this state. */
  see(key: string, state: WorkState, candidate: Candidate): void {
    if (state === "over") return this.forget(key);
    if (this.#admitted.has(key)) return;
    if (state === "working") return this.#admit(key, candidate.namespace);
    this.#waiting.set(key, candidate);
  }

  /** An object is over or gone: others may start in its place. */
  forget(key: string): void {
    this.#waiting.delete(key);
    const namespace = this.#admitted.get(key);
    if (namespace === undefined) return;
    this.#admitted.delete(key);
    this.#perNamespace.set(namespace, this.#atWorkIn(namespace) - 1);
    this.reconsider();
  }

  /** Whether the object may be at work now. One that was never seen may: nothing is known against it. */
  mayRun(key: string): boolean {
    const candidate = this.#waiting.get(key);
    if (candidate && this.#hasRoom(candidate.namespace)) this.#admitWhatMay();
    return !this.#waiting.has(key);
  }

  /** The limit at which an object waits, and how many wait before it; undefined for one that does not wait. */
  hurdleOf(key: string): Hurdle | undefined {
    const candidate = this.#waiting.get(key);
    if (!candidate || this.#hasRoom(candidate.namespace)) return undefined;
    const { namespace } = candidate;
    const ofAll = this.#isFull();
    const { parallelism = 0, namespaceParallelism = 0 } = this.#limits();
    const most = ofAll ? parallelism : this.#limitOf(namespace) ?? namespaceParallelism;
    let before = 0;
    for (const entry of this.#waiting) {
      if ((ofAll || entry[1].namespace === namespace) && byPrecedence(entry, [key, candidate]) < 0) before++;
    }
    return { of: ofAll ? "all" : "namespace", most, before };
  }

  /** Lets start what may, after the limits have changed. */
  reconsider(): void {
    for (const key of this.#admitWhatMay()) this.#onAdmitted(key);
  }

  #admitWhatMay(): string[] {
    const admitted: string[] = [];
    if (this.#isFull()) return admitted;
    for (const [key, { namespace }] of [...this.#waiting].sort(byPrecedence)) {
      if (this.#isFull()) break;
      if (!this.#hasRoom(namespace)) continue;
      this.#admit(key, namespace);
      admitted.push(key);
    }
    return admitted;
  }

  #admit(key: string, namespace: string): void {
    this.#waiting.delete(key);
    this.#admitted.set(key, namespace);
    this.#perNamespace.set(namespace, this.#atWorkIn(namespace) + 1);
  }

  #isFull(): boolean {
    const { parallelism = 0 } = this.#limits();
    return parallelism > 0 && this.#admitted.size >= parallelism;
  }

  #hasRoom(namespace: string): boolean {
    const limit = this.#limitOf(namespace) ?? this.#limits().namespaceParallelism ?? 0;
    return !this.#isFull() && (limit <= 0 || this.#atWorkIn(namespace) < limit);
  }

  #atWorkIn(namespace: string): number {
    return this.#perNamespace.get(namespace) ?? 0;
  }
}

function byPrecedence([aKey, a]: [string, Candidate], [bKey, b]: [string, Candidate]): number {
  return b.priority - a.priority || compare(a.created, b.created) || compare(aKey, bKey);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
