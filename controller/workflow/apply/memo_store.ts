/** The memoization caches that workflows use: each is handled separately, and unused ones are forgotten. */
import type { KubeClient } from "@tiphys/kube";
import type { Clock } from "../../loop/clock.ts";
import { MemoCache } from "./memo_cache.ts";

/** The client that reads and writes caches, and the namespace for new ones. */
export interface MemoStoreOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The namespace of the controller: caches are created there. */
  readonly namespace: () => string | undefined;
}

/** All caches of a controller. */
export class MemoStore {
  readonly #options: MemoStoreOptions;
  readonly #caches = new Map<string, MemoCache>();

  constructor(options: MemoStoreOptions) {
    this.#options = options;
  }

  /** The cache for a workflow of this namespace: one in that namespace, otherwise one in the controller's. */
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
