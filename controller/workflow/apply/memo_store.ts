/** The caches of memoization that workflows ask for: each is worked by itself, those that nobody asks for are forgotten. */
import type { KubeClient } from "@tiphys/kube";
import type { Clock } from "../../loop/clock.ts";
import { MemoCache } from "./memo_cache.ts";

/** The client that reads and writes caches, and the namespace in which they are made. */
export interface MemoStoreOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The namespace of the controller: caches are made there. */
  readonly namespace: () => string | undefined;
}

/** All caches of a controller. */
export class MemoStore {
  readonly #options: MemoStoreOptions;
  readonly #caches = new Map<string, MemoCache>();

  constructor(options: MemoStoreOptions) {
    this.#options = options;
  }

  /** The cache that a workflow of this namespace means: one there, else one of the controller's namespace. */
  cache(workflowNamespace: string, name: string): MemoCache {
    const { namespace, ...options } = this.#options;
    const namespaces = [...new Set([workflowNamespace, namespace() ?? workflowNamespace])];
    const key = `${workflowNamespace}/${name}`;
    let cache = this.#caches.get(key);
    if (!cache) {
      cache = new MemoCache({ ...options, namespaces, name }, () => this.#caches.delete(key));
      this.#caches.set(key, cache);
    }
    return cache;
  }
}
