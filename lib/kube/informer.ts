/** A local copy of a collection that keeps itself current: list, watch, and again. */

import { pause, systemClock } from "../clock/mod.ts";
import { KubeError } from "./errors.ts";
import type { KubeClient } from "./client.ts";
import { isServerSideApplied } from "./field_owners.ts";
import { type HasMetadata, keyOf } from "./object.ts";
import type { Resource } from "./resources.ts";

/** The change of an object since the informer last spoke of it. */
export type ChangeType = "added" | "modified" | "deleted";

/** Told of every change, in order; `old` is what the copy held before. */
export type ChangeHandler<T> = (type: ChangeType, object: T, old?: T) => void;

export interface InformerOptions<T> {
  /** All namespaces when absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Named functions that say under which keys an object is found. */
  readonly indexers?: Readonly<Record<string, (object: T) => readonly string[]>>;
  /**
   * Reads an object of any shape as it enters, also one that goes; what it was given is its own. It must not throw.
   */
  readonly enter?: (object: object) => T;
  /**
   * Cuts an object, as it enters, to the part that is kept; all of it is when absent. The metadata that identifies the
   * object must stay.
   */
  readonly keep?: (object: T) => T;
  /** Told of lists and watches that failed (they are tried again) and of handlers that threw. */
  readonly onError?: (error: unknown) => void;
  /** A watch that is silent for longer is opened anew. */
  readonly inactivityMs?: number;
  /** The pause before a failed list or watch is tried again, by the number of failures in a row. */
  readonly backoffMs?: (failures: number) => number;
}

/** The objects under one key of an index, by their own key; one that is there alone stands by itself, which takes less memory. */
type Found<T> = T | Map<string, T>;

/** The number of failures whose pause is the one between two lists, where watches are not allowed. */
const MOST_PAUSES_BETWEEN_LISTS = 5;
const PAGE = 500;

/**
 * Holds every object of a resource that matches the options. What it gives out is shared with it: read, never change.
 * After a relist, objects that vanished meanwhile are reported as deleted with their last known state.
 */
export class Informer<T extends HasMetadata> {
  readonly #client: KubeClient;
  readonly #resource: Resource;
  readonly #options: InformerOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Map<string, Found<T>>>();
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
   * Resolves when the first list is in and its handlers were called; goes on in the background until the signal is
   * aborted. Troubles are retried and told to `onError`; rejects only when the signal is aborted before the first list.
   */
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#run(signal, resolve).then(() => {
        if (!this.#synced) reject(signal.reason);
      }, reject);
    });
  }

  /** Whether the first list is in. */
  get synced(): boolean {
    return this.#synced;
  }

  /** The newest version that the copy holds, from which a watch would go on; undefined before the first list is in. */
  get version(): string | undefined {
    return this.#synced && this.#seen > 0n ? String(this.#seen) : undefined;
  }

  /** The object of a key (`namespace/name`, or the name of a cluster-scoped object). */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  /** The objects that an indexer put under `key`. */
  byIndex(index: string, key: string): T[] {
    const found = this.#indexes.get(index);
    if (!found) throw new TypeError(`Expected an index of the informer, got "${index}"`);
    const under = found.get(key);
    if (under === undefined) return [];
    return under instanceof Map ? [...under.values()] : [under];
  }

  /** The keys under which an indexer put something. */
  indexKeys(index: string): string[] {
    return [...this.#indexes.get(index)?.keys() ?? []];
  }

  /** The resourceVersion the copy holds of an object. */
  resourceVersionOf(key: string): string | undefined {
    return this.#objects.get(key)?.metadata?.resourceVersion;
  }

  /**
   * Whether a write that was answered with this resourceVersion is in the copy, as itself or under a newer change.
   * This is the fence between our own writes and the reading of the copy.
   */
  hasSeen(resourceVersion: string): boolean {
    return this.#seen >= BigInt(resourceVersion);
  }

  /** Adds a handler; objects held already are told to it as added. */
  onChange(handler: ChangeHandler<T>): void {
    this.#handlers.push(handler);
    for (const object of this.#objects.values()) this.#tell(handler, "added", object);
  }

  async #run(signal: AbortSignal, synced: () => void): Promise<void> {
    let failures = 0;
    let from: string | undefined;
    while (!signal.aborted) {
      try {
        // Also a watch that the server ended at once, again and again, must not spin.
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
            const last = this.#entered(event.object);
            this.#remove(keyOf(last), last);
          } else if (event.type !== "BOOKMARK") this.#put(this.#kept(event.object));
        }
        // A watch that the server ended is opened anew where it stopped.
        failures++;
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        const status = error instanceof KubeError ? error.status : undefined;
        if (status === 410) {
          from = undefined;
          continue;
        }
        // Without the right to watch the copy is made anew after each pause, which is kept bearable.
        if (status === 403 && from !== undefined) {
          from = undefined;
          failures = Math.min(failures, MOST_PAUSES_BETWEEN_LISTS);
        }
        this.#options.onError?.(error);
      }
    }
  }

  #watch(resourceVersion: string, signal: AbortSignal) {
    const { namespace, labelSelector, fieldSelector, inactivityMs } = this.#options;
    // Spread over minutes, so that the watches of a restarted server do not all end together.
    const timeoutSeconds = 300 + Math.floor(Math.random() * 300);
    return this.#client.watch<T>(
      this.#resource,
      namespace,
      { resourceVersion, labelSelector, fieldSelector, timeoutSeconds, inactivityMs },
      signal,
    );
  }

  /** Reads the whole collection, page by page, and tells what differs from the copy. */
  async #relist(signal: AbortSignal): Promise<string> {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    const items: T[] = [];
    let version = "0";
    let next: string | undefined;
    do {
      const page = await this.#client.listEach<T>(
        this.#resource,
        namespace,
        { labelSelector, fieldSelector, limit: PAGE, continue: next },
        (item) => void items.push(this.#kept(item)),
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

  #entered(object: T): T {
    return this.#options.enter?.(object) ?? object;
  }

  #kept(object: T): T {
    forgetManagedFields(object);
    const entered = this.#entered(object);
    return this.#options.keep?.(entered) ?? entered;
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
    this.#tellAll(old ? "modified" : "added", object, old);
  }

  #remove(key: string, last: T | undefined): void {
    const old = this.#objects.get(key);
    if (!old) return;
    this.#unindex(key, old);
    this.#objects.delete(key);
    this.#tellAll("deleted", last ?? old, old);
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

  #tellAll(type: ChangeType, object: T, old: T | undefined): void {
    for (const handler of this.#handlers) this.#tell(handler, type, object, old);
  }

  /** A handler's mistake must not stop the copy from being current, nor the other handlers. */
  #tell(handler: ChangeHandler<T>, type: ChangeType, object: T, old?: T): void {
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
 * Takes away the record of who wrote which field: it is as large as the object, and nobody here reads it. It stays where
 * somebody applies the object server-side, so that one can see that. The metadata is made anew, for an object of which a
 * field was deleted takes half as much memory again.
 */
function forgetManagedFields(object: HasMetadata): void {
  const holder = object.metadata as { readonly managedFields?: readonly unknown[] } | undefined;
  if (!holder?.managedFields || isServerSideApplied(holder)) return;
  const { managedFields: _, ...metadata } = holder;
  Object.assign(object, { metadata });
}

/** From 200 ms, doubling to half a minute, each up to half longer so that clients do not come in step. */
function defaultBackoff(failures: number): number {
  return Math.min(200 * 2 ** (failures - 1), 30_000) * (1 + Math.random() / 2);
}
