/** Caches of memoization as they are stored: a ConfigMap with Argo's label, an entry as JSON under each key. */
import { z } from "zod";
import { parseJson } from "@tiphys/base/bounded_json";
import { isProblem, object, Outputs, parseWith, readAs, Time } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { JsonError, unmarshalJson } from "@tiphys/base/go/json";
import { shortened } from "@tiphys/base/limits";

/** The parts of a ConfigMap that matter for a cache: its labels, and its data with one entry under each key. */
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

/** An entry of a cache: the outputs that are remembered under one key. */
export interface MemoEntry {
  /** The node whose outputs they are. */
  readonly nodeID: string;
  readonly outputs: Outputs | undefined;
  readonly creationTimestamp: string;
  readonly lastHitTimestamp: string;
}

/** The result of a look-up: an entry, no entry, or the reason, in Argo's words, why the cache cannot be used. */
export type MemoFound = { readonly entry?: MemoEntry | undefined } | { readonly problem: string };

/** The result of the look-up for one node. */
export interface MemoAnswer {
  readonly cache: string;
  readonly key: string;
  readonly found: MemoFound;
}

/** The value of the label that makes a ConfigMap a cache. */
export const CACHE_TYPE = "Cache";

/** Keys that may stand in a cache. */
const KEY = /^[a-zA-Z0-9][-a-zA-Z0-9]*$/;

/** Whether something may be remembered under this key. */
export function isCacheKey(key: string): boolean {
  return KEY.test(key);
}

/** The reason, in Argo's words, why a ConfigMap is no cache; undefined when it is one. */
export function whyNoCache({ metadata: { labels } }: CacheMap): string | undefined {
  const type = labels?.[LABEL.configMapType];
  if (type === CACHE_TYPE) return undefined;
  return type === undefined
    ? `memoization configmap doesn't have ${LABEL.configMapType} label, refusing to use it`
    : `memoization configmap doesn't have label ${LABEL.configMapType} = ${CACHE_TYPE}, refusing to use it`;
}

/** Looks a key up in a cache; undefined stands for a ConfigMap that is not there. */
export function lookUpIn(map: CacheMap | undefined, key: string): MemoFound {
  if (!map) return {};
  const problem = whyNoCache(map);
  if (problem !== undefined) return { problem };
  const text = ownValue(map.data, key);
  if (!text) return {};
  const entry = readEntry(text);
  return entry ? { entry } : {
    problem: shortened(`malformed cache entry: could not unmarshal JSON; unable to parse: ${whyNoEntry(text)}`),
  };
}

/** What is wrong with a text that is no entry: Argo's words where it is no JSON. */
function whyNoEntry(text: string): string {
  try {
    unmarshalJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
  return `it is no entry: ${text}`;
}

/** An entry as it is stored; undefined when it is none. */
export function readEntry(text: string): MemoEntry | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  const read = readAs(parseWith(Entry, value, "lenient"), "");
  if (isProblem(read)) return undefined;
  const { nodeID = "", outputs, creationTimestamp, lastHitTimestamp } = read;
  return {
    nodeID,
    outputs: outputs ?? undefined,
    creationTimestamp: creationTimestamp ?? "",
    lastHitTimestamp: lastHitTimestamp ?? creationTimestamp ?? "",
  };
}

/** An entry as it is stored. */
export function entryText({ nodeID, outputs, creationTimestamp, lastHitTimestamp }: MemoEntry): string {
  return JSON.stringify({ nodeID, outputs: outputs ?? null, creationTimestamp, lastHitTimestamp });
}

function ownValue(data: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return data && Object.hasOwn(data, key) ? data[key] : undefined;
}
