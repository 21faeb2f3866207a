/** Limits on the number of objects in progress: in total, and per namespace (`parallelism`, `namespaceParallelism`). */
import { Heap } from "./heap.ts";

/** The limits; absent or 0 for no limit. */
export interface Limits {
  readonly parallelism?: number;
  readonly namespaceParallelism?: number;
}

/** Whether an object has not started, is in progress, or is completed. */
export type WorkState = "waiting" | "working" | "completed";

/** An object that is in progress or ready to start. */
export interface Candidate {
  readonly namespace: string;
  readonly priority: number;
  /** Its creation timestamp, in the format of Kubernetes. */
  readonly created: string;
}

/** A limit that has been reached, and how many objects wait for it ahead of a given one. */
export interface ReachedLimit {
  readonly of: "all" | "namespace";
  readonly max: number;
  readonly before: number;
}

/** A waiting object with its key. When its priority changes, it gets another entry. */
type Entry = readonly [key: string, candidate: Candidate];

/** The waiting objects of a namespace: their entries (some of them outdated), and their number. */
interface Line {
  readonly entries: Heap<Entry>;
  count: number;
}

/**
 * Decides which objects may start: by descending priority, then by age. Started objects continue even if a limit is
 * lowered. The throttle must see every object before its first decision.
 *
 * The cost of a decision does not depend on the number of waiting objects: each namespace has a heap, and another heap
 * contains the first objects of the namespaces that may have room. Outdated entries stay until they are first, or until
 * they outnumber the others.
 */
export class Throttle {
  readonly #limits: () => Limits;
  readonly #onAdmitted: (key: string) => void;
  readonly #limitOf: (namespace: string) => number | undefined;
  /** The admitted objects with their namespaces. */
  readonly #admitted = new Map<string, string>();
  readonly #perNamespace = new Map<string, number>();
  readonly #waiting = new Map<string, Entry>();
  readonly #lines = new Map<string, Line>();
  /**
   * The first entries of the namespaces that may have room. Entries of other namespaces are dropped when they come up.
   */
  readonly #heads = new Heap<Entry>(precedes);

  /**
   * `limits` is read before each decision. `onAdmitted` is called when a waiting object may start. `limitOf` returns
   * the limit of a namespace that overrides `namespaceParallelism`.
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

  /** Records the state of an object. */
  recordState(key: string, state: WorkState, candidate: Candidate): void {
    if (state === "completed") return this.forget(key);
    if (this.#admitted.has(key)) return;
    if (state === "working") return this.#admit(key, candidate.namespace);
    const known = this.#waiting.get(key);
    if (known && known[1].priority === candidate.priority && known[1].created === candidate.created) return;
    if (known) this.#removeWaiting(known);
    const entry: Entry = [key, candidate];
    this.#waiting.set(key, entry);
    const line = this.#line(candidate.namespace);
    line.entries.add(entry);
    line.count++;
    if (this.#firstOf(candidate.namespace) === entry) this.#addHead(candidate.namespace);
  }

  /** Removes an object that is completed or gone; others may start in its place. */
  forget(key: string): void {
    const entry = this.#waiting.get(key);
    if (entry) this.#removeWaiting(entry);
    const namespace = this.#admitted.get(key);
    if (namespace === undefined) return;
    this.#admitted.delete(key);
    const working = this.#admittedIn(namespace) - 1;
    if (working > 0) this.#perNamespace.set(namespace, working);
    else this.#perNamespace.delete(namespace);
    this.#addHead(namespace);
    for (const admitted of this.#admitWaiting()) this.#onAdmitted(admitted);
  }

  /** Whether an object may be in progress. True for one that was never seen. */
  mayRun(key: string): boolean {
    const [, candidate] = this.#waiting.get(key) ?? [];
    if (candidate && this.#hasRoom(candidate.namespace)) {
      this.#addHead(candidate.namespace);
      this.#admitWaiting();
    }
    return !this.#waiting.has(key);
  }

  /** The limit for which an object waits, and how many objects are ahead of it; undefined if it does not wait. */
  reachedLimitOf(key: string): ReachedLimit | undefined {
    const own = this.#waiting.get(key);
    if (!own || this.#hasRoom(own[1].namespace)) return undefined;
    const { namespace } = own[1];
    const ofAll = this.#isFull();
    const { parallelism = 0, namespaceParallelism = 0 } = this.#limits();
    const max = ofAll ? parallelism : this.#limitOf(namespace) ?? namespaceParallelism;
    let before = 0;
    for (const entry of this.#waiting.values()) {
      if ((ofAll || entry[1].namespace === namespace) && precedes(entry, own)) before++;
    }
    return { of: ofAll ? "all" : "namespace", max, before };
  }

  /** Admits waiting objects after the limits have changed. */
  reconsider(): void {
    this.#collectHeads();
    for (const key of this.#admitWaiting()) this.#onAdmitted(key);
  }

  #admitWaiting(): string[] {
    const admitted: string[] = [];
    while (!this.#isFull()) {
      const entry = this.#heads.first;
      if (!entry) break;
      this.#heads.removeFirst();
      const [key, { namespace }] = entry;
      const first = this.#firstOf(namespace);
      if (first && first !== entry && this.#waiting.get(key) !== entry) this.#heads.add(first);
      if (first !== entry || !this.#hasRoom(namespace)) continue;
      this.#admit(key, namespace);
      admitted.push(key);
      this.#addHead(namespace);
    }
    return admitted;
  }

  #line(namespace: string): Line {
    let line = this.#lines.get(namespace);
    if (!line) this.#lines.set(namespace, line = { entries: new Heap(precedes), count: 0 });
    return line;
  }

  /**
   * Removes a waiting entry. It stays in the heap of its namespace until it is first, or is removed with
   * many others.
   */
  #removeWaiting(entry: Entry): void {
    const [key, { namespace }] = entry;
    this.#waiting.delete(key);
    const line = this.#line(namespace);
    if (--line.count === 0) this.#lines.delete(namespace);
    else if (line.entries.size > 2 * line.count + MAX_OUTDATED_ENTRIES) {
      line.entries.retain((entry) => this.#waiting.get(entry[0]) === entry);
    }
  }

  /** The first waiting object of a namespace. */
  #firstOf(namespace: string): Entry | undefined {
    const entries = this.#lines.get(namespace)?.entries;
    for (let entry = entries?.first; entries && entry; entry = entries.first) {
      if (this.#waiting.get(entry[0]) === entry) return entry;
      entries.removeFirst();
    }
    return undefined;
  }

  #addHead(namespace: string): void {
    const first = this.#firstOf(namespace);
    if (first) this.#heads.add(first);
    if (this.#heads.size > 2 * this.#lines.size + MAX_OUTDATED_ENTRIES) this.#collectHeads();
  }

  #collectHeads(): void {
    this.#heads.reset([...this.#lines.keys()].flatMap((namespace) => {
      const first = this.#firstOf(namespace);
      return first ? [first] : [];
    }));
  }

  #admit(key: string, namespace: string): void {
    const entry = this.#waiting.get(key);
    if (entry) this.#removeWaiting(entry);
    this.#admitted.set(key, namespace);
    this.#perNamespace.set(namespace, this.#admittedIn(namespace) + 1);
  }

  #isFull(): boolean {
    const { parallelism = 0 } = this.#limits();
    return parallelism > 0 && this.#admitted.size >= parallelism;
  }

  #hasRoom(namespace: string): boolean {
    const limit = this.#limitOf(namespace) ?? this.#limits().namespaceParallelism ?? 0;
    return !this.#isFull() && (limit <= 0 || this.#admittedIn(namespace) < limit);
  }

  #admittedIn(namespace: string): number {
    return this.#perNamespace.get(namespace) ?? 0;
  }
}

/** The maximum number of outdated entries before they are removed. */
const MAX_OUTDATED_ENTRIES = 64;

function precedes([aKey, a]: Entry, [bKey, b]: Entry): boolean {
  return (b.priority - a.priority || compare(a.created, b.created) || compare(aKey, bKey)) < 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
