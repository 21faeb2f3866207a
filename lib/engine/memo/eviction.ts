/** The entries that leave a cache: those that nobody has hit for long, and those that must make room for others. */
import { LIMITS } from "@tiphys/base/limits";
import { readEntry } from "./cache_map.ts";

type Data = Readonly<Record<string, string>>;

/** The keys of entries whose last hit was before a moment (milliseconds since 1970); what is no entry is left alone. */
export function notHitSince(data: Data, before: number): string[] {
  return Object.entries(data).flatMap(([key, text]) => {
    const at = lastHit(text);
    return at !== undefined && at < before ? [key] : [];
  });
}

/**
 * The keys that leave a cache so that what it holds fits into a ConfigMap: those that were hit longest ago first, and
 * before them what is no entry at all. `kept` stay; undefined when these alone are too large. `hits` are the last hits of
 * texts that were read already: entries are read once for many questions, and not at all while everything fits. `bytesBeside` are those
 * of the ConfigMap that are no entries.
 */
export function evictedFor(
  data: Data,
  kept: ReadonlySet<string>,
  hits: Map<string, number> = new Map(),
  bytesBeside = 0,
): string[] | undefined {
  let bytes = bytesBeside;
  for (const [key, text] of Object.entries(data)) bytes += bytesOf(key, text);
  const evicted: string[] = [];
  if (bytes <= LIMITS.configMapBytes) return evicted;
  const hitOf = (text: string) => {
    const at = hits.get(text) ?? lastHit(text) ?? -Infinity;
    hits.set(text, at);
    return at;
  };
  const others = Object.entries(data).filter(([key]) => !kept.has(key))
    .map(([key, text]) => ({ key, text, at: hitOf(text) }))
    .sort((a, b) => a.at - b.at);
  for (const { key, text } of others) {
    if (bytes <= LIMITS.configMapBytes) break;
    evicted.push(key);
    bytes -= bytesOf(key, text);
  }
  return bytes <= LIMITS.configMapBytes ? evicted : undefined;
}

/** Milliseconds since 1970; undefined for what is no entry, or does not say. */
function lastHit(text: string): number | undefined {
  const entry = readEntry(text);
  const at = entry ? Date.parse(entry.lastHitTimestamp) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function bytesOf(key: string, text: string): number {
  return UTF8.encode(text).length + key.length;
}

const UTF8 = new TextEncoder();
