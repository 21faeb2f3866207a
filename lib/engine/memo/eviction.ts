/**
 * Determines the entries to evict from a cache: those without recent hits, and those that must make room for new ones.
 */
import { LIMITS } from "@tiphys/base/limits";
import { parseEntry } from "./cache_map.ts";

type Data = Readonly<Record<string, string>>;

/**
 * The keys of entries whose last hit was before a time, in milliseconds since the epoch. Invalid entries are ignored.
 */
export function keysNotHitSince(data: Data, before: number): string[] {
  return Object.entries(data).flatMap(([key, text]) => {
    const time = lastHit(text);
    return time !== undefined && time < before ? [key] : [];
  });
}

/**
 * The keys to evict so that the content fits into a ConfigMap: invalid entries first, then those with the oldest last
 * hit. `keptKeys` are never evicted; the result is undefined if these alone are too large. `hits` caches the last hits
 * of parsed texts, so that entries are parsed once for several calls, and not at all if everything fits. `otherBytes`
 * is the size of the rest of the ConfigMap.
 */
export function keysToEvict(
  data: Data,
  keptKeys: ReadonlySet<string>,
  hits: Map<string, number> = new Map(),
  otherBytes = 0,
): string[] | undefined {
  let bytes = otherBytes;
  for (const [key, text] of Object.entries(data)) bytes += bytesOf(key, text);
  const evicted: string[] = [];
  if (bytes <= LIMITS.configMapBytes) return evicted;
  const hitOf = (text: string) => {
    const time = hits.get(text) ?? lastHit(text) ?? -Infinity;
    hits.set(text, time);
    return time;
  };
  const others = Object.entries(data).filter(([key]) => !keptKeys.has(key))
    .map(([key, text]) => ({ key, text, at: hitOf(text) }))
    .sort((a, b) => a.at - b.at);
  for (const { key, text } of others) {
    if (bytes <= LIMITS.configMapBytes) break;
    evicted.push(key);
    bytes -= bytesOf(key, text);
  }
  return bytes <= LIMITS.configMapBytes ? evicted : undefined;
}

/** The last hit in milliseconds since the epoch; undefined if the entry is invalid or does not contain it. */
function lastHit(text: string): number | undefined {
  const entry = parseEntry(text);
  const time = entry ? Date.parse(entry.lastHitTimestamp) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

function bytesOf(key: string, text: string): number {
  return UTF8.encode(text).length + key.length;
}

const UTF8 = new TextEncoder();
