/** How many workflows may be at work: in all, and in each namespace (`parallelism`, `namespaceParallelism`). */
import { keyOf, type KubeObject } from "../lib/kube/mod.ts";

/** The limits; none or 0 for no limit. */
export interface Limits {
  readonly parallelism?: number;
  readonly namespaceParallelism?: number;
}

interface Candidate {
  readonly namespace: string;
  readonly priority: number;
  readonly created: string;
}

/**
 * Says which workflows may start: those of higher priority first, of equal ones the older. What has started goes on
 * whatever the limits become. It must hear of every workflow before it is asked about the first.
 */
export class Throttle {
  readonly #limits: () => Limits;
  readonly #onAdmitted: (key: string) => void;
  /** Workflows at work, and those that may begin, with their namespaces. */
  readonly #admitted = new Map<string, string>();
  readonly #perNamespace = new Map<string, number>();
  readonly #waiting = new Map<string, Candidate>();

  /** `limits` is read anew whenever it matters; `onAdmitted` is told of workflows that had to wait and may start now. */
  constructor(limits: () => Limits, onAdmitted: (key: string) => void) {
    this.#limits = limits;
    this.#onAdmitted = onAdmitted;
  }

  /** A workflow was seen in this state. */
  see(workflow: KubeObject): void {
    const key = keyOf(workflow);
    const { namespace = "", creationTimestamp = "", deletionTimestamp } = workflow.metadata;
    const phase = (workflow.status as { phase?: string } | undefined)?.phase || "Pending";
    if (deletionTimestamp || (phase !== "Pending" && phase !== "Running")) return this.forget(key);
    if (this.#admitted.has(key)) return;
    if (phase === "Running") return this.#admit(key, namespace);
    const priority = Number((workflow.spec as { priority?: number } | undefined)?.priority ?? 0);
    this.#waiting.set(key, { namespace, priority, created: creationTimestamp });
  }

  /** A workflow is over or gone: others may start in its place. */
  forget(key: string): void {
    this.#waiting.delete(key);
    const namespace = this.#admitted.get(key);
    if (namespace === undefined) return;
    this.#admitted.delete(key);
    this.#perNamespace.set(namespace, this.#atWorkIn(namespace) - 1);
    this.reconsider();
  }

  /** Whether the workflow may be at work now. One that was never seen may: nothing is known against it. */
  mayRun(key: string): boolean {
    const candidate = this.#waiting.get(key);
    if (candidate && this.#hasRoom(candidate.namespace)) this.#admitWhatMay();
    return !this.#waiting.has(key);
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
    const { namespaceParallelism = 0 } = this.#limits();
    return !this.#isFull() && (namespaceParallelism <= 0 || this.#atWorkIn(namespace) < namespaceParallelism);
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
