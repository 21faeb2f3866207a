/** Limits on the objects at work: in all, and in each namespace (`parallelism`, `namespaceParallelism`). */
import { Heap } from "./heap.ts";

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

/** An object that waits, with its key. An object that is seen again with another precedence gets another entry. */
type Entry = readonly [key: string, candidate: Candidate];

/** The objects that wait in a namespace: their entries, besides those that are outdated, and how many there are. */
interface Line {
  readonly entries: Heap<Entry>;
  count: number;
}

/**
 * Decides which objects may start: those of higher priority first, of equal ones the older. An object that has started
 * continues whatever the limits become. The throttle must see every object before it is asked about the first.
 *
 * The cost of a decision does not depend on how many objects wait: each namespace has a heap of its own, and one heap has
 * the first objects of the namespaces that may have room. Entries of objects that no longer wait stay until they are
 * first, or until they outnumber the others.
 */
export class Throttle {
  readonly #limits: () => Limits;
  readonly #onAdmitted: (key: string) => void;
  readonly #limitOf: (namespace: string) => number | undefined;
  /** Objects at work, and those that may begin, with their namespaces. */
  readonly #admitted = new Map<string, string>();
  readonly #perNamespace = new Map<string, number>();
  readonly #waiting = new Map<string, Entry>();
  readonly #lines = new Map<string, Line>();
  /** Has the first of each line whose namespace may have room; entries of other lines are dropped when they come up. */
  readonly #heads = new Heap<Entry>(comesFirst);

  /**
   * `limits` is read whenever it matters; `onAdmitted` is called for objects that had to wait and may start now.
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
    const known = this.#waiting.get(key);
    if (known && known[1].priority === candidate.priority && known[1].created === candidate.created) return;
    if (known) this.#leave(known);
    const entry: Entry = [key, candidate];
    this.#waiting.set(key, entry);
    const line = this.#line(candidate.namespace);
    line.entries.add(entry);
    line.count++;
    if (this.#firstOf(candidate.namespace) === entry) this.#addHead(candidate.namespace);
  }

  /** An object is over or gone: others may start in its place. */
  forget(key: string): void {
    const entry = this.#waiting.get(key);
    if (entry) this.#leave(entry);
    const namespace = this.#admitted.get(key);
    if (namespace === undefined) return;
    this.#admitted.delete(key);
    const working = this.#atWorkIn(namespace) - 1;
    if (working > 0) this.#perNamespace.set(namespace, working);
    else this.#perNamespace.delete(namespace);
    this.#addHead(namespace);
    for (const admitted of this.#admitWhatMay()) this.#onAdmitted(admitted);
  }

  /** Whether the object may be at work now. One that was never seen may: nothing is known against it. */
  mayRun(key: string): boolean {
    const [, candidate] = this.#waiting.get(key) ?? [];
    if (candidate && this.#hasRoom(candidate.namespace)) {
      this.#addHead(candidate.namespace);
      this.#admitWhatMay();
    }
    return !this.#waiting.has(key);
  }

  /** The limit at which an object waits, and how many wait before it; undefined for one that does not wait. */
  hurdleOf(key: string): Hurdle | undefined {
    const own = this.#waiting.get(key);
    if (!own || this.#hasRoom(own[1].namespace)) return undefined;
    const { namespace } = own[1];
    const ofAll = this.#isFull();
    const { parallelism = 0, namespaceParallelism = 0 } = this.#limits();
    const most = ofAll ? parallelism : this.#limitOf(namespace) ?? namespaceParallelism;
    let before = 0;
    for (const entry of this.#waiting.values()) {
      if ((ofAll || entry[1].namespace === namespace) && comesFirst(entry, own)) before++;
    }
    return { of: ofAll ? "all" : "namespace", most, before };
  }

  /** Lets start what may, after the limits have changed. */
  reconsider(): void {
    this.#collectHeads();
    for (const key of this.#admitWhatMay()) this.#onAdmitted(key);
  }

  #admitWhatMay(): string[] {
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
    if (!line) this.#lines.set(namespace, line = { entries: new Heap(comesFirst), count: 0 });
    return line;
  }

  /** Takes an entry off the list of those that wait; its line forgets it when it is first, or with many others. */
  #leave(entry: Entry): void {
    const [key, { namespace }] = entry;
    this.#waiting.delete(key);
    const line = this.#line(namespace);
    if (--line.count === 0) this.#lines.delete(namespace);
    else if (line.entries.size > 2 * line.count + SPARE_ENTRIES) {
      line.entries.retain((one) => this.#waiting.get(one[0]) === one);
    }
  }

  /** The first object that waits in a namespace. */
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
    if (this.#heads.size > 2 * this.#lines.size + SPARE_ENTRIES) this.#collectHeads();
  }

  #collectHeads(): void {
    this.#heads.reset([...this.#lines.keys()].flatMap((namespace) => {
      const first = this.#firstOf(namespace);
      return first ? [first] : [];
    }));
  }

  #admit(key: string, namespace: string): void {
    const entry = this.#waiting.get(key);
    if (entry) this.#leave(entry);
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

/** The number of outdated entries that are kept before they are removed. */
const SPARE_ENTRIES = 64;

function comesFirst([aKey, a]: Entry, [bKey, b]: Entry): boolean {
  return (b.priority - a.priority || compare(a.created, b.created) || compare(aKey, bKey)) < 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
