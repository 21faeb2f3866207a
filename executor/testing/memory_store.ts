/** An artifact store in memory with hooks for tests. */
import { type Driver, type Place, StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import type { Bytes } from "@tiphys/base/net";

/** The store, as a test sees it. */
export interface MemoryStore {
  /** The contents of the objects in it, by key. */
  readonly objects: Map<string, Bytes>;
  /** The events so far, in order: `load KEY` at the start, `loaded KEY`, `stopped KEY`, `save KEY`, `saved KEY`. */
  readonly events: string[];
  /** The locations that drivers were requested for. */
  readonly places: Place[];
  /** Called in the middle of a load or save. */
  during?: (event: string, stop: AbortSignal) => Promise<void> | void;
  /** Returns this store's driver for every location except raw artifacts, which have the real driver. */
  driverFor(location: Place): Promise<Driver | TreeDriver>;
}

/** Creates an empty store. */
export function memoryStore(): MemoryStore {
  const store: MemoryStore = {
    objects: new Map(),
    events: [],
    places: [],
    async driverFor(location) {
      store.places.push(location);
      if (location.store === "raw") {
        return (await import("../../lib/stores/raw/mod.ts")).makeDriver(location, throwUnused());
      }
      return driver;
    },
  };
  const below = (key: string) => key === "" || key.endsWith("/") ? key : `${key}/`;
  const driver: Driver = {
    can: { save: true, folders: true, list: true, remove: true },
    async find({ key }, stop) {
      store.events.push(`load ${key}`);
      try {
        await store.during?.(`load ${key}`, stop);
      } catch (error) {
        store.events.push(`stopped ${key}`);
        throw error;
      }
      const content = store.objects.get(key);
      if (content) return { kind: "file", size: content.length, etag: etagOf(content) };
      if ([...store.objects.keys()].some((other) => other.startsWith(below(key)))) return { kind: "folder" };
      throw new StoreError(`no such key: ${key}`, "missing");
    },
    read({ key }, { from = 0, to }) {
      const content = store.objects.get(key);
      if (!content) return Promise.reject(new StoreError(`no such key: ${key}`, "missing"));
      store.events.push(`loaded ${key}`);
      return Promise.resolve(ReadableStream.from([content.slice(from, to)]));
    },
    async *list({ key }) {
      const keys = [...store.objects.keys()].filter((other) => other.startsWith(below(key)) && other !== below(key));
      for (const other of keys.sort()) {
        yield { name: other.slice(below(key).length), size: store.objects.get(other)!.length };
      }
    },
    async write({ key }, content, stop) {
      store.events.push(`save ${key}`);
      const stream = content instanceof ReadableStream ? content : content.open(0, content.size);
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      await store.during?.(`save ${key}`, stop);
      store.objects.set(key, bytes);
      store.events.push(`saved ${key}`);
      return { kind: "file", size: bytes.length, etag: etagOf(bytes) };
    },
    async append({ key }, there, { content }, stop) {
      store.events.push(`add ${content.size} to ${key}`);
      await store.during?.(`add ${key}`, stop);
      const before = store.objects.get(key);
      if (!before || etagOf(before) !== there.etag) throw new StoreError(`${key} was changed`, "changed");
      const added = new Uint8Array(await new Response(content.open(0, content.size)).arrayBuffer());
      const bytes = joinedBytes([before, added]);
      store.objects.set(key, bytes);
      return { size: bytes.length, etag: etagOf(bytes) };
    },
    remove({ key }) {
      return Promise.resolve({ removed: store.objects.delete(key) ? 1 : 0 });
    },
  };
  return store;
}

function etagOf(content: Bytes): string {
  return String(content.length);
}

/** The raw driver does not use its surroundings. */
function throwUnused(): never {
  return undefined as never;
}
