/** A local copy of a collection that stays current by list and watch. */

import { pause, systemClock } from "@tiphys/base/clock";
import { KubeError } from "./errors.ts";
import type { KubeClient } from "./client.ts";
import { isServerSideApplied } from "./field_owners.ts";
import { type HasMetadata, keyOf } from "./object.ts";
import type { Resource } from "./resources.ts";

/** The kind of a change since the informer last reported the object. */
export type ChangeType = "added" | "modified" | "deleted";

/** Receives every change, in order. `old` is the previous object in the copy. */
export type ChangeHandler<T> = (type: ChangeType, object: T, old?: T) => void;

export interface InformerOptions<T> {
  /** All namespaces if undefined. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Functions by index name. Each returns the keys under which an object is found. */
  readonly indexers?: Readonly<Record<string, (object: T) => readonly string[]>>;
  /**
   * Converts an object of any shape when it enters, also one that is being deleted. The function owns its argument. It
   * must not throw.
   */
  readonly convert?: (object: object) => T;
  /**
   * Reduces an object, when it enters, to the part that is kept. Defaults to all of it. The metadata that identifies
   * the object must be kept.
   */
  readonly reduce?: (object: T) => T;
  /** Receives errors of lists and watches, which are retried, and errors thrown by handlers. */
  readonly onError?: (error: unknown) => void;
  /** A watch without events for longer than this is reopened. */
  readonly inactivityMs?: number;
  /** Returns the delay before a failed list or watch is retried, by the number of consecutive failures. */
  readonly backoffMs?: (failures: number) => number;
}

/** The objects under one key of an index, by their own key. A single object is stored without a map to save memory. */
type IndexEntry<T> = T | Map<string, T>;

/** Number of failures that determines the delay between two lists if watches are not allowed. */
const MAX_LIST_BACKOFF_FAILURES = 5;
const PAGE_SIZE = 500;

/**
 * Holds every object of a resource that matches the options. Returned objects are shared with the copy and must not be
 * modified. After a relist, objects that have disappeared are reported as deleted with their last known state.
 */
export class Informer<T extends HasMetadata> {
  readonly #client: KubeClient;
  readonly #resource: Resource;
  readonly #options: InformerOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Map<string, IndexEntry<T>>>();
  readonly #handlers: ChangeHandler<T>[] = [];
  /** The newest resourceVersion known, from an object, a list or a bookmark. */
  #seen = 0n;
  #synced = false;

  constructor(client: KubeClient, resource: Resource, options: InformerOptions<T> = {}) {
    this.#client = client;
    this.#resource = resource;
    this.#options = options;
    for (const index of Object.keys(options.indexers ?? {})) this.#indexes.set(index, new Map());
  }

  /**
   * Starts the informer. Resolves when the first list has been read and its handlers were called; continues in the
   * background until the signal is aborted. Errors are retried and passed to `onError`. Rejects only when the signal is
   * aborted before the first list.
   */
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#run(signal, resolve).then(() => {
        if (!this.#synced) reject(signal.reason);
      }, reject);
    });
  }

  /** Whether the first list has been read. */
  get isSynced(): boolean {
    return this.#synced;
  }

  /** The newest version of the copy, from which a watch would continue; undefined before the first list. */
  get version(): string | undefined {
    return this.#synced && this.#seen > 0n ? String(this.#seen) : undefined;
  }

  /** Returns the object of a key (`namespace/name`, or the name of a cluster-scoped object). */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  /** Returns the objects that an indexer put under `key`. */
  byIndex(index: string, key: string): T[] {
    const found = this.#indexes.get(index);
    if (!found) throw new TypeError(`Expected an index of the informer, got "${index}"`);
    const under = found.get(key);
    if (under === undefined) return [];
    return under instanceof Map ? [...under.values()] : [under];
  }

  /** Returns the keys of an index. */
  indexKeys(index: string): string[] {
    return [...this.#indexes.get(index)?.keys() ?? []];
  }

  /** Returns the resourceVersion of an object in the copy. */
  resourceVersionOf(key: string): string | undefined {
    return this.#objects.get(key)?.metadata?.resourceVersion;
  }

  /**
   * Whether the copy includes a write that returned this resourceVersion, or a newer change. Ensures that the copy is
   * read only after our own writes have arrived.
   */
  hasSeen(resourceVersion: string): boolean {
    return this.#seen >= BigInt(resourceVersion);
  }

  /** Adds a handler. Existing objects are reported to it as added. */
  onChange(handler: ChangeHandler<T>): void {
    this.#handlers.push(handler);
    for (const object of this.#objects.values()) this.#notify(handler, "added", object);
  }

  async #run(signal: AbortSignal, synced: () => void): Promise<void> {
    let failures = 0;
    let from: string | undefined;
    while (!signal.aborted) {
      try {
        // Must not spin if the server ends each watch immediately.
        if (failures > 1) await pause(systemClock, this.#backoff(failures - 1), signal);
        if (from === undefined) {
          from = await this.#relist(signal);
          this.#synced = true;
          synced();
        }
        for await (const event of this.#watch(from, signal)) {
          failures = 0;
          from = event.object.metadata?.resourceVersion ?? from;
          this.#advance(from);
          if (event.type === "DELETED") {
            const last = this.#converted(event.object);
            this.#remove(keyOf(last), last);
          } else if (event.type !== "BOOKMARK") this.#put(this.#reduced(event.object));
        }
        // A watch that the server ended is reopened where it stopped.
        failures++;
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        const status = error instanceof KubeError ? error.status : undefined;
        if (status === 410) {
          from = undefined;
          continue;
        }
        // Without the right to watch, the collection is listed again after each delay, which is limited.
        if (status === 403 && from !== undefined) {
          from = undefined;
          failures = Math.min(failures, MAX_LIST_BACKOFF_FAILURES);
        }
        this.#options.onError?.(error);
      }
    }
  }

  #watch(resourceVersion: string, signal: AbortSignal) {
    const { namespace, labelSelector, fieldSelector, inactivityMs } = this.#options;
    // Spread over minutes, so that the watches of a restarted server do not all end at the same time.
    const timeoutSeconds = 300 + Math.floor(Math.random() * 300);
    return this.#client.watch<T>(
      this.#resource,
      namespace,
      { resourceVersion, labelSelector, fieldSelector, timeoutSeconds, inactivityMs },
      signal,
    );
  }

  /** Reads the whole collection, page by page, and reports the differences to the copy. */
  async #relist(signal: AbortSignal): Promise<string> {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    const items: T[] = [];
    let version = "0";
    let next: string | undefined;
    do {
      const page = await this.#client.listEach<T>(
        this.#resource,
        namespace,
        { labelSelector, fieldSelector, limit: PAGE_SIZE, continue: next },
        (item) => void items.push(this.#reduced(item)),
        signal,
      );
      version = page.metadata.resourceVersion ?? version;
      next = page.metadata.continue;
    } while (next);
    const present = new Set(items.map(keyOf));
    for (const key of [...this.#objects.keys()]) {
      if (!present.has(key)) this.#remove(key, undefined);
    }
    for (const item of items) this.#put(item);
    this.#advance(version);
    return version;
  }

  #advance(resourceVersion: string | undefined): void {
    const version = BigInt(resourceVersion || "0");
    if (version > this.#seen) this.#seen = version;
  }

  #converted(object: T): T {
    return this.#options.convert?.(object) ?? object;
  }

  #reduced(object: T): T {
    dropManagedFields(object);
    const entered = this.#converted(object);
    return this.#options.reduce?.(entered) ?? entered;
  }

  #put(object: T): void {
    const key = keyOf(object);
    let old = this.#objects.get(key);
    if (old && old.metadata?.resourceVersion === object.metadata?.resourceVersion) return;
    if (old && old.metadata?.uid !== object.metadata?.uid) {
      this.#remove(key, undefined);
      old = undefined;
    }
    if (old) this.#unindex(key, old);
    this.#objects.set(key, object);
    for (const [index, keysOf] of Object.entries(this.#options.indexers ?? {})) {
      const entries = this.#indexes.get(index)!;
      for (const under of keysOf(object)) {
        const found = entries.get(under);
        if (found instanceof Map) found.set(key, object);
        else entries.set(under, found ? new Map([[keyOf(found), found], [key, object]]) : object);
      }
    }
    this.#notifyAll(old ? "modified" : "added", object, old);
  }

  #remove(key: string, last: T | undefined): void {
    const old = this.#objects.get(key);
    if (!old) return;
    this.#unindex(key, old);
    this.#objects.delete(key);
    this.#notifyAll("deleted", last ?? old, old);
  }

  #unindex(key: string, object: T): void {
    for (const [index, keysOf] of Object.entries(this.#options.indexers ?? {})) {
      const entries = this.#indexes.get(index)!;
      for (const under of keysOf(object)) {
        const found = entries.get(under);
        if (found instanceof Map) found.delete(key);
        if (found instanceof Map ? found.size === 0 : found && keyOf(found) === key) entries.delete(under);
      }
    }
  }

  #notifyAll(type: ChangeType, object: T, old: T | undefined): void {
    for (const handler of this.#handlers) this.#notify(handler, type, object, old);
  }

  /** Calls a handler. An error must not stop updates of the copy, nor other handlers. */
  #notify(handler: ChangeHandler<T>, type: ChangeType, object: T, old?: T): void {
    try {
      handler(type, object, old);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #backoff(failures: number): number {
    return this.#options.backoffMs?.(failures) ?? defaultBackoff(failures);
  }
}

/**
 * Removes the record of field owners, which is as large as the object and not used here. It is kept if somebody applies
 * the object server-side, so that this can be detected. The metadata is rebuilt, because an object with a deleted field
 * takes half as much memory again.
 */
function dropManagedFields(object: HasMetadata): void {
  const holder = object.metadata as { readonly managedFields?: readonly unknown[] } | undefined;
  if (!holder?.managedFields || isServerSideApplied(holder)) return;
  const { managedFields: _, ...metadata } = holder;
  Object.assign(object, { metadata });
}

/** Returns a delay from 200 ms, doubling up to 30 s, with up to 50 % jitter so that clients do not synchronize. */
function defaultBackoff(failures: number): number {
  return Math.min(200 * 2 ** (failures - 1), 30_000) * (1 + Math.random() / 2);
}
