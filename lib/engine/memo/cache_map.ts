/** Memoization caches in their stored form: a ConfigMap with Argo's label, with one JSON entry per key. */
import { z } from "zod";
import { parseJson } from "@tiphys/base/bounded_json";
import { isProblem, object, Outputs, parseWith, readAs, Time } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { JsonError, unmarshalJson } from "@tiphys/base/go/json";
import { shortened } from "@tiphys/base/limits";

/** The parts of a ConfigMap that a cache uses: its labels, and its data with one entry per key. */
export interface CacheMap {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined };
  readonly data?: Readonly<Record<string, string>> | undefined;
}

const Entry = object({
  nodeID: z.string().optional(),
  outputs: Outputs.nullish(),
  creationTimestamp: Time.nullish(),
  lastHitTimestamp: Time.nullish(),
});

/** An entry of a cache: the outputs stored under one key. */
export interface MemoEntry {
  /** The node that produced the outputs. */
  readonly nodeID: string;
  readonly outputs: Outputs | undefined;
  readonly creationTimestamp: string;
  readonly lastHitTimestamp: string;
}

/** The result of a lookup: an entry, no entry, or Argo's message why the cache cannot be used. */
export type MemoLookupResult = { readonly entry?: MemoEntry | undefined } | { readonly problem: string };

/** The result of the lookup for one node. */
export interface MemoLookup {
  readonly cache: string;
  readonly key: string;
  readonly result: MemoLookupResult;
}

/** The value of the label that marks a ConfigMap as a cache. */
export const CACHE_TYPE = "Cache";

/** Valid keys. */
const KEY = /^[a-zA-Z0-9][-a-zA-Z0-9]*$/;

/** Reports whether a key is valid. */
export function isCacheKey(key: string): boolean {
  return KEY.test(key);
}

/** Argo's message why a ConfigMap is not a cache; undefined if it is one. */
export function cacheProblem({ metadata: { labels } }: CacheMap): string | undefined {
  const type = labels?.[LABEL.configMapType];
  if (type === CACHE_TYPE) return undefined;
  return type === undefined
    ? `memoization configmap doesn't have ${LABEL.configMapType} label, refusing to use it`
    : `memoization configmap doesn't have label ${LABEL.configMapType} = ${CACHE_TYPE}, refusing to use it`;
}

/** Looks up a key in a cache. `map` is undefined if the ConfigMap does not exist. */
export function lookUpEntry(map: CacheMap | undefined, key: string): MemoLookupResult {
  if (!map) return {};
  const problem = cacheProblem(map);
  if (problem !== undefined) return { problem };
  const text = ownValue(map.data, key);
  if (!text) return {};
  const entry = parseEntry(text);
  return entry ? { entry } : {
    problem: shortened(`malformed cache entry: could not unmarshal JSON; unable to parse: ${entryProblem(text)}`),
  };
}

/** The error of a text that is not an entry; Argo's message if it is not JSON. */
function entryProblem(text: string): string {
  try {
    unmarshalJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
  return `not a cache entry: ${text}`;
}

/** Parses a stored entry; undefined if it is invalid. */
export function parseEntry(text: string): MemoEntry | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  const parsed = readAs(parseWith(Entry, value, "lenient"), "");
  if (isProblem(parsed)) return undefined;
  const { nodeID = "", outputs, creationTimestamp, lastHitTimestamp } = parsed;
  return {
    nodeID,
    outputs: outputs ?? undefined,
    creationTimestamp: creationTimestamp ?? "",
    lastHitTimestamp: lastHitTimestamp ?? creationTimestamp ?? "",
  };
}

/** Serializes an entry. */
export function formatEntry({ nodeID, outputs, creationTimestamp, lastHitTimestamp }: MemoEntry): string {
  return JSON.stringify({ nodeID, outputs: outputs ?? null, creationTimestamp, lastHitTimestamp });
}

function ownValue(data: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return data && Object.hasOwn(data, key) ? data[key] : undefined;
}
