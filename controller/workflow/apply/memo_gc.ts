/** Deletes old cache entries at intervals: those that were not hit for a while. */
import { LABEL } from "@tiphys/base/constants";
import { classifyError, CONFIGMAPS, type KubeClient, type KubeObject } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import { CACHE_TYPE, type CacheMap, keysNotHitSince, parseEntry } from "@tiphys/engine/memo";
import { changeCache } from "./change_cache.ts";
import { OURS } from "./memo_cache.ts";

/** The lifetime of entries in caches. */
export interface MemoLifetime {
  /** The interval between two rounds, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
  /** The time for which an entry without a hit is kept, in milliseconds. */
  readonly afterNotHitMillis: number;
}

/** The lifetime of entries, and the local copy that finds caches. */
export interface MemoGcOptions extends MemoLifetime {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The ConfigMaps with a type label, from the local copy. */
  readonly configMaps: () => readonly KubeObject[];
}

/** Creates the rounds through all caches. */
export function memoRounds(options: MemoGcOptions): Rounds {
  const { clock, everyMillis } = options;
  return new Rounds({ clock, everyMillis, round: () => collectMemos(options) });
}

/** Runs one round. The next round retries what failed. */
export async function collectMemos(options: MemoGcOptions): Promise<void> {
  const { configMaps, log } = options;
  for (const map of configMaps()) {
    if (map.metadata.labels?.[LABEL.configMapType] !== CACHE_TYPE) continue;
    try {
      await removeUnusedEntries(options, map);
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "conflict" || sort === "notFound") continue;
      const { namespace, name } = map.metadata;
      log.warn("Could not remove old entries of a cache", {
        cache: `${namespace}/${name}`,
        error: String(error),
      });
    }
  }
}

async function removeUnusedEntries(
  { client, clock, log, afterNotHitMillis }: MemoGcOptions,
  map: KubeObject & CacheMap,
): Promise<void> {
  const { namespace, name = "", uid, resourceVersion } = map.metadata;
  const data = map.data ?? {};
  const old = keysNotHitSince(data, clock.now() - afterNotHitMillis);
  if (old.length === 0) return;
  for (const [key, text] of Object.entries(data)) {
    if (!parseEntry(text)) log.warn("An entry of a cache cannot be parsed", { cache: `${namespace}/${name}`, key });
  }
  const isOurs = map.metadata.labels?.[LABEL.managedBy] === OURS;
  if (isOurs && old.length === Object.keys(data).length) {
    try {
      return await client.delete(CONFIGMAPS, namespace, name, { uid, resourceVersion });
    } catch (error) {
      // Without permission to delete it, it stays as an empty object.
      if (classifyError(error) !== "forbidden") throw error;
    }
  }
  const change = Object.fromEntries(old.map((key) => [key, null]));
  await changeCache(client, { metadata: map.metadata, isConditional: true }, change);
}
