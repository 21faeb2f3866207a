/** A store of artifacts in memory, with the doors that a test opens and shuts. */
import type { ArtifactLocation, Driver } from "../lib/artifact/mod.ts";
import { driverFor as realDriverFor } from "../lib/artifact/mod.ts";

/** What a test sees of its store. */
export interface MemoryStore {
  /** What lies in it, by key. */
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** What was done, in order: `load KEY` when it begins, `loaded KEY`, `stopped KEY`, `save KEY`, `saved KEY`. */
  readonly events: string[];
  /** Called in the middle of a load or save. */
  during?: (event: string, stop?: AbortSignal) => Promise<void> | void;
  /** Finds its own driver for `s3` and `plugin`, and the real one for all others. */
  driverFor(artifact: ArtifactLocation): Promise<Driver>;
}

function keyIn(artifact: ArtifactLocation): string {
  const { key } = (artifact.s3 ?? artifact.plugin) as { key: string };
  return key;
}

/** Makes an empty store. */
export function memoryStore(): MemoryStore {
  const store: MemoryStore = {
    objects: new Map(),
    events: [],
    driverFor: (artifact) => artifact.s3 || artifact.plugin ? Promise.resolve(driver) : realDriverFor(artifact),
  };
  const driver: Driver = {
    async load(artifact, path, stop) {
      const key = keyIn(artifact);
      store.events.push(`load ${key}`);
      try {
        await store.during?.(`load ${key}`, stop);
      } catch (error) {
        store.events.push(`stopped ${key}`);
        throw error;
      }
      const content = store.objects.get(key);
      if (!content) throw new Deno.errors.NotFound(`no such key: ${key}`);
      if (path.endsWith("/")) throw new Error(`not a file: ${path}`);
      await Deno.writeFile(path, content);
      store.events.push(`loaded ${key}`);
    },
    async save(path, artifact) {
      const key = keyIn(artifact);
      store.events.push(`save ${key}`);
      const content = await Deno.readFile(path);
      await store.during?.(`save ${key}`);
      store.objects.set(key, content);
      store.events.push(`saved ${key}`);
    },
    listObjects: (artifact) =>
      Promise.resolve([...store.objects.keys()].filter((key) => key.startsWith(keyIn(artifact)))),
  };
  return store;
}
