/**
 * The objects, their versions and their recent history.
 *
 * Everything is served from memory; a journal, where there is one, is written before a change is visible to anybody,
 * so what was acknowledged is on disk. All methods are synchronous: between reading an object and writing it, nothing
 * else happens, and that is what makes the optimistic concurrency of the API real.
 */

import { isObject } from "@tiphys/base/fields_of";
import { keyOf, type KubeObject, type Resource } from "@tiphys/kube";

/** An object as it stands at one version. Never changed: a write makes a new one. */
export interface Stored {
  readonly resource: string;
  readonly key: string;
  readonly object: KubeObject;
  /** The object as JSON: what is sent, kept on disk and watched. */
  readonly text: string;
  readonly version: number;
}

/** One entry of the history. `before` is what the change replaced. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly after: Stored;
  readonly before: Stored | undefined;
}

/** The error for a change that could not be kept, as on a full disk: it did not happen, and may be asked for again. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/**
 * The journal in which changes survive the process. Writing throws JournalError when it cannot be done; nothing is
 * changed then.
 */
export interface Journal {
  load(): { version: number; objects: { resource: string; text: string }[] };
  put(stored: Stored): void;
  remove(stored: Stored): void;
  close(): void;
}

type Listener = (event: StoreEvent) => void;

/** The limits of the history that is kept of a resource for watches that come back. */
export interface HistoryLimits {
  readonly events: number;
  readonly bytes: number;
}

const defaultLimits: HistoryLimits = { events: 4096, bytes: 16 * 1024 * 1024 };

/** The objects of one resource, their history and the watches of them. */
interface Collection {
  readonly objects: Map<string, Stored>;
  readonly history: StoreEvent[];
  readonly listeners: Set<Listener>;
  historyBytes: number;
  /** Events up to this version are forgotten. */
  forgotten: number;
}

/** The name a resource's objects are kept under. */
export function collectionName(resource: Pick<Resource, "group" | "plural">): string {
  return `${resource.group}/${resource.plural}`;
}

/** @throws {Error} for a text that this program did not write. */
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
  readonly #byUid = new Map<string, Stored>();
  readonly #dependents = new Map<string, Map<string, Stored>>();
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
      this.#keep({ resource, key: keyOf(object), object, text, version: Number(object.metadata.resourceVersion) });
    }
  }

  /** The version of the newest write of all. */
  get version(): number {
    return this.#version;
  }

  get(resource: string, key: string): Stored | undefined {
    return this.#collection(resource).objects.get(key);
  }

  byUid(uid: string): Stored | undefined {
    return this.#byUid.get(uid);
  }

  /** The objects that name this uid as an owner. */
  dependentsOf(uid: string): Stored[] {
    return [...this.#dependents.get(uid)?.values() ?? []];
  }

  /** The objects of a namespace (of all, without one), ordered by key. */
  list(resource: string, namespace?: string): Stored[] {
    const prefix = namespace === undefined ? "" : `${namespace}/`;
    const found: Stored[] = [];
    for (const stored of this.#collection(resource).objects.values()) {
      if (stored.key.startsWith(prefix)) found.push(stored);
    }
    return found.sort((a, b) => a.key < b.key ? -1 : 1);
  }

  /** Every object, whatever its resource. */
  *all(): Generator<Stored> {
    for (const { objects } of this.#collections.values()) yield* objects.values();
  }

  /** Writes an object under the next version. The caller has checked whatever there was to check. */
  put(resource: string, object: KubeObject): Stored {
    const version = ++this.#version;
    const next: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const stored: Stored = { resource, key: keyOf(next), object: next, text: JSON.stringify(next), version };
    const before = this.get(resource, stored.key);
    this.#journal?.put(stored);
    if (before) this.#release(before);
    this.#keep(stored);
    this.#publish({ type: before ? "MODIFIED" : "ADDED", after: stored, before });
    return stored;
  }

  /** Removes an object; its last state is published under the version of its removal. */
  remove(stored: Stored): Stored {
    const version = ++this.#version;
    const object = { ...stored.object, metadata: { ...stored.object.metadata, resourceVersion: String(version) } };
    const last: Stored = { ...stored, object, text: JSON.stringify(object), version };
    this.#journal?.remove(last);
    this.#release(stored);
    this.#publish({ type: "DELETED", after: last, before: stored });
    return last;
  }

  /** The events of a resource after a version; undefined when some of them are forgotten. */
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

  /** Calls the listener for each change of anything. */
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

  #keep(stored: Stored): void {
    this.#collection(stored.resource).objects.set(stored.key, stored);
    const { uid, ownerReferences = [] } = stored.object.metadata;
    if (uid) this.#byUid.set(uid, stored);
    for (const owner of ownerReferences) {
      const dependents = this.#dependents.get(owner.uid);
      if (dependents) dependents.set(uid ?? "", stored);
      else this.#dependents.set(owner.uid, new Map([[uid ?? "", stored]]));
    }
  }

  #release(stored: Stored): void {
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
