/**
 * Stores objects with their versions and recent history.
 *
 * Everything is served from memory. If there is a journal, it is written before a change becomes visible, so
 * acknowledged changes are on disk. All methods are synchronous: nothing else happens between reading and writing an
 * object, which guarantees the optimistic concurrency of the API.
 */

import { isObject } from "@tiphys/base/fields_of";
import { keyOf, type KubeObject, type Resource } from "@tiphys/kube";

/** An object at one version. Immutable: a write creates a new one. */
export interface StoredObject {
  readonly resource: string;
  readonly key: string;
  readonly object: KubeObject;
  /** The object as JSON, which is sent, written to disk and watched. */
  readonly text: string;
  readonly version: number;
}

/** An entry of the history. `before` is the object that was replaced. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly after: StoredObject;
  readonly before: StoredObject | undefined;
}

/** A change could not be written, for example on a full disk. It has no effect, and may be retried. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/**
 * The journal that makes changes durable. Writing throws JournalError if it fails, in which case nothing has changed.
 */
export interface Journal {
  load(): { version: number; objects: { resource: string; text: string }[] };
  put(stored: StoredObject): void;
  remove(stored: StoredObject): void;
  close(): void;
}

type Listener = (event: StoreEvent) => void;

/** The limits of the history of a resource, which is kept for watches that reconnect. */
export interface HistoryLimits {
  readonly events: number;
  readonly bytes: number;
}

const defaultLimits: HistoryLimits = { events: 4096, bytes: 16 * 1024 * 1024 };

/** The objects of one resource, with their history and watches. */
interface Collection {
  readonly objects: Map<string, StoredObject>;
  readonly history: StoreEvent[];
  readonly listeners: Set<Listener>;
  historyBytes: number;
  /** Events up to this version have been discarded. */
  forgotten: number;
}

/** The name of a resource's collection. */
export function collectionName(resource: Pick<Resource, "group" | "plural">): string {
  return `${resource.group}/${resource.plural}`;
}

/** @throws {Error} if the text was not written by this program. */
function storedObject(resource: string, text: string): KubeObject {
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch { /* reported below */ }
  if (isObject(object) && isObject(object.metadata)) return { ...object, metadata: object.metadata };
  throw new Error(`The store holds an invalid object of ${resource}: ${JSON.stringify(text.slice(0, 100))}`);
}

export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #byUid = new Map<string, StoredObject>();
  readonly #dependents = new Map<string, Map<string, StoredObject>>();
  readonly #everything = new Set<Listener>();
  readonly #journal: Journal | undefined;
  readonly #limits: HistoryLimits;
  #version = 1;
  #start: number;

  constructor(journal?: Journal, limits: HistoryLimits = defaultLimits) {
    this.#journal = journal;
    this.#limits = limits;
    const { version, objects } = journal?.load() ?? { version: 1, objects: [] };
    this.#version = version;
    this.#start = version;
    for (const { resource, text } of objects) {
      const object = storedObject(resource, text);
      this.#index({ resource, key: keyOf(object), object, text, version: Number(object.metadata.resourceVersion) });
    }
  }

  /** The version of the last write. */
  get version(): number {
    return this.#version;
  }

  get(resource: string, key: string): StoredObject | undefined {
    return this.#collection(resource).objects.get(key);
  }

  byUid(uid: string): StoredObject | undefined {
    return this.#byUid.get(uid);
  }

  /** The objects with this UID among their owner references. */
  dependentsOf(uid: string): StoredObject[] {
    return [...this.#dependents.get(uid)?.values() ?? []];
  }

  /** The objects of a namespace, or of all namespaces, ordered by key. */
  list(resource: string, namespace?: string): StoredObject[] {
    const prefix = namespace === undefined ? "" : `${namespace}/`;
    const found: StoredObject[] = [];
    for (const stored of this.#collection(resource).objects.values()) {
      if (stored.key.startsWith(prefix)) found.push(stored);
    }
    return found.sort((a, b) => a.key < b.key ? -1 : 1);
  }

  /** All objects of all resources. */
  *all(): Generator<StoredObject> {
    for (const { objects } of this.#collections.values()) yield* objects.values();
  }

  /**
   * Writes an object with the next version. The caller must have validated it, except for its size: `check` throws for
   * a text that is too large.
   */
  put(resource: string, object: KubeObject, check?: (text: string) => void): StoredObject {
    const version = ++this.#version;
    const next: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const stored: StoredObject = { resource, key: keyOf(next), object: next, text: JSON.stringify(next), version };
    check?.(stored.text);
    const before = this.get(resource, stored.key);
    this.#journal?.put(stored);
    if (before) this.#unindex(before);
    this.#index(stored);
    this.#publish({ type: before ? "MODIFIED" : "ADDED", after: stored, before });
    return stored;
  }

  /** Removes an object. Its last state is published with the version of the removal. */
  remove(stored: StoredObject): StoredObject {
    const version = ++this.#version;
    const object = { ...stored.object, metadata: { ...stored.object.metadata, resourceVersion: String(version) } };
    const last: StoredObject = { ...stored, object, text: JSON.stringify(object), version };
    this.#journal?.remove(last);
    this.#unindex(stored);
    this.#publish({ type: "DELETED", after: last, before: stored });
    return last;
  }

  /** The events of a resource after a version; undefined if some of them have been discarded. */
  eventsAfter(resource: string, version: number): StoreEvent[] | undefined {
    const { forgotten, history } = this.#collection(resource);
    if (version < forgotten) return undefined;
    let first = history.length;
    while (first > 0 && history[first - 1]!.after.version > version) first--;
    return history.slice(first);
  }

  /** Calls the listener for each change of a resource, until the returned function is called. */
  listen(resource: string, listener: Listener): () => void {
    const { listeners } = this.#collection(resource);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Calls the listener for each change of any resource. */
  listenToAll(listener: Listener): () => void {
    this.#everything.add(listener);
    return () => this.#everything.delete(listener);
  }

  close(): void {
    this.#journal?.close();
  }

  #collection(resource: string): Collection {
    let collection = this.#collections.get(resource);
    if (!collection) {
      collection = { objects: new Map(), history: [], listeners: new Set(), historyBytes: 0, forgotten: this.#start };
      this.#collections.set(resource, collection);
    }
    return collection;
  }

  #index(stored: StoredObject): void {
    this.#collection(stored.resource).objects.set(stored.key, stored);
    const { uid, ownerReferences = [] } = stored.object.metadata;
    if (uid) this.#byUid.set(uid, stored);
    for (const owner of ownerReferences) {
      const dependents = this.#dependents.get(owner.uid);
      if (dependents) dependents.set(uid ?? "", stored);
      else this.#dependents.set(owner.uid, new Map([[uid ?? "", stored]]));
    }
  }

  #unindex(stored: StoredObject): void {
    this.#collection(stored.resource).objects.delete(stored.key);
    const { uid = "", ownerReferences = [] } = stored.object.metadata;
    this.#byUid.delete(uid);
    for (const owner of ownerReferences) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }

  #publish(event: StoreEvent): void {
    const collection = this.#collection(event.after.resource);
    collection.history.push(event);
    collection.historyBytes += event.after.text.length;
    while (collection.history.length > this.#limits.events || collection.historyBytes > this.#limits.bytes) {
      const oldest = collection.history.shift();
      if (!oldest) break;
      collection.historyBytes -= oldest.after.text.length;
      collection.forgotten = oldest.after.version;
    }
    for (const listener of collection.listeners) listener(event);
    for (const listener of this.#everything) listener(event);
  }
}
