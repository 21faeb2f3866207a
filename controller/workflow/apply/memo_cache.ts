/**
 * One cache of memoization. All concurrent requests share one read and at most one write; results are saved before
 * keys are looked up.
 */
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { pause } from "@tiphys/base/clock";
import { classifyError, CONFIGMAPS, type KubeClient, type KubeObject } from "@tiphys/kube";
import { isRetryable } from "@tiphys/kube/errors";
import { binaryDataOf, dataOf } from "@tiphys/kube/object_data";
import type { Clock } from "../../loop/clock.ts";
import { type CacheChange, changeCache } from "./change_cache.ts";
import type { Action } from "@tiphys/engine";
import {
  CACHE_TYPE,
  type CacheMap,
  cacheProblem,
  formatEntry,
  keysToEvict,
  lookUpEntry,
  type MemoLookupResult,
  parseEntry,
} from "@tiphys/engine/memo";

/** A result to remember. */
export type Memo = Pick<Extract<Action, { kind: "saveMemo" }>, "key" | "nodeId" | "outputs" | "at">;

/** The place of a cache. */
export interface CacheLocation {
  /** The namespaces to search in order; a new cache is created in the last one. */
  readonly namespaces: readonly string[];
  readonly name: string;
}

/** The location of a cache, and the client for it. */
export interface CacheOptions extends CacheLocation {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface MemoRequest<T> {
  readonly key: string;
  readonly answer: PromiseWithResolvers<T>;
}

/** The requests since the last read. */
class Batch {
  readonly lookUps: MemoRequest<MemoLookupResult>[] = [];
  readonly saves: (MemoRequest<void> & { readonly memo: Memo })[] = [];
  readonly hits: (MemoRequest<void> & { readonly at: string })[] = [];

  get isEmpty(): boolean {
    return this.lookUps.length + this.saves.length + this.hits.length === 0;
  }

  reject(error: unknown): void {
    for (const { answer } of [...this.lookUps, ...this.saves, ...this.hits]) answer.reject(error);
  }
}

/** The ConfigMap of a cache. */
interface CacheObject {
  readonly map: Pick<KubeObject, "metadata"> & CacheMap;
  /** The bytes of its `binaryData`, which belongs to another client and counts toward the size limit. */
  readonly binaryBytes: number;
}

/** The maximum number of characters of a ConfigMap's key. */
const MAX_KEY_CHARACTERS = 253;

const TRIES = 5;
const FIRST_PAUSE_MILLIS = 200;

/** A cache. */
export class MemoCache {
  readonly #options: CacheOptions;
  #batch = new Batch();
  #isRunning = false;
  readonly #onIdle: () => void;

  /** `onIdle` is called when no request is left. */
  constructor(options: CacheOptions, onIdle: () => void) {
    this.#options = options;
    this.#onIdle = onIdle;
  }

  /** @throws {unknown} the error of the request. */
  lookUp(key: string): Promise<MemoLookupResult> {
    const answer = Promise.withResolvers<MemoLookupResult>();
    this.#batch.lookUps.push({ key, answer });
    this.#start();
    return answer.promise;
  }

  /** @throws {Error} the reason why it cannot be remembered. */
  save(memo: Memo): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.#batch.saves.push({ key: memo.key, memo, answer });
    this.#start();
    return answer.promise;
  }

  /** Records that an entry was hit. @throws {unknown} the error of the request. */
  refresh(key: string, time: string): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.#batch.hits.push({ key, at: time, answer });
    this.#start();
    return answer.promise;
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    // Requests in one turn of the event loop are one batch.
    await Promise.resolve();
    while (!this.#batch.isEmpty) {
      const batch = this.#batch;
      this.#batch = new Batch();
      try {
        await this.#work(batch);
      } catch (error) {
        batch.reject(error);
      }
    }
    this.#isRunning = false;
    this.#onIdle();
  }

  async #work(batch: Batch): Promise<void> {
    let pauseMillis = FIRST_PAUSE_MILLIS;
    for (let tries = 1;; tries++) {
      const found = await this.#find();
      const data = found?.map.data ?? {};
      const problem = found && !isUnfinished(found.map) ? cacheProblem(found.map) : undefined;
      if (problem !== undefined) {
        for (const { answer } of batch.saves) answer.reject(new Error(problem));
        for (const { answer } of batch.hits) answer.resolve();
        return answerLookUps(batch, found?.map);
      }
      const { change, isOver } = changeOf(data, batch, found?.binaryBytes ?? 0);
      try {
        if (Object.keys(change).length) await this.#write(found, change, batch.hits.length > 0);
        for (const { answer } of [...batch.saves.filter((save) => !isOver.has(save.key)), ...batch.hits]) {
          answer.resolve();
        }
        const metadata = { labels: { [LABEL.configMapType]: CACHE_TYPE } };
        return answerLookUps(batch, { metadata, data: applyChange(data, change) });
      } catch (error) {
        const isAgain = tries < TRIES && (classifyError(error) === "alreadyExists" || isTransient(error));
        if (!isAgain) {
          // Lookups succeed although the entries could not be saved.
          for (const { answer } of [...batch.saves, ...batch.hits]) answer.reject(error);
          return answerLookUps(batch, found?.map);
        }
      }
      await pause(this.#options.clock, pauseMillis, this.#options.signal);
      pauseMillis *= 2;
    }
  }

  /** Finds the cache. One in a namespace that may not be read counts as missing. */
  async #find(): Promise<CacheObject | undefined> {
    const { client, namespaces, name } = this.#options;
    for (const namespace of namespaces) {
      try {
        const map = await client.get(CONFIGMAPS, namespace, name);
        return { map: { metadata: map.metadata, data: dataOf(map) }, binaryBytes: binaryBytesOf(map) };
      } catch (error) {
        const sort = classifyError(error);
        const isLast = namespace === namespaces.at(-1);
        if (sort === "notFound" || (sort === "forbidden" && !isLast)) continue;
        throw error;
      }
    }
    return undefined;
  }

  async #write(current: CacheObject | undefined, change: CacheChange, readsWhatItWrites: boolean): Promise<void> {
    const { client, namespaces, name } = this.#options;
    if (!current) {
      const data = applyChange({}, change);
      const labels = { [LABEL.configMapType]: CACHE_TYPE, [LABEL.managedBy]: OURS };
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data };
      return void await client.create(CONFIGMAPS, namespaces.at(-1)!, map, { answer: "metadata" });
    }
    const labels = isUnfinished(current.map) ? { [LABEL.configMapType]: CACHE_TYPE } : undefined;
    // An entry that is written unchanged must not undo a concurrent write.
    await changeCache(client, { metadata: current.map.metadata, labels, isConditional: readsWhatItWrites }, change);
  }
}

/** The value of the label on ConfigMaps that the controller created. */
export const OURS = "tiphys";

/**
 * Whether a ConfigMap is a cache that Argo's controller created but did not label, because it ended in between: it is
 * empty, has no labels, and was created by that program.
 */
function isUnfinished({ metadata, data }: CacheObject["map"]): boolean {
  const isEmpty = Object.keys(data ?? {}).length + Object.keys(metadata.labels ?? {}).length === 0;
  const fields: unknown = metadata.managedFields;
  return isEmpty && Array.isArray(fields) && fields.some((field) => fieldsOf(field).manager === "workflow-controller");
}

/** The number of bytes that the base64 text encodes. */
function binaryBytesOf(map: KubeObject): number {
  return Object.values(binaryDataOf(map)).reduce((sum, text) => sum + Math.ceil(text.length * 3 / 4), 0);
}

function isTransient(error: unknown): boolean {
  return isRetryable(error) && classifyError(error) !== "forbidden";
}

function answerLookUps({ lookUps }: Batch, map: CacheMap | undefined): void {
  for (const { key, answer } of lookUps) answer.resolve(lookUpEntry(map, key));
}

function applyChange(data: Readonly<Record<string, string>>, change: CacheChange): Record<string, string> {
  const all = Object.entries({ ...data, ...change });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/**
 * Computes the change of a batch to a cache. A result that does not fit, or whose key is invalid in a ConfigMap, is
 * refused, and its key is in `isOver`.
 */
function changeOf(
  data: Readonly<Record<string, string>>,
  { saves, hits }: Batch,
  binaryBytes: number,
): { readonly change: CacheChange; readonly isOver: ReadonlySet<string> } {
  const change: Record<string, string | null> = {};
  const isOver = new Set<string>();
  for (const { key, at } of hits) {
    const entry = Object.hasOwn(data, key) ? parseEntry(data[key]!) : undefined;
    if (entry && entry.lastHitTimestamp < at) change[key] = formatEntry({ ...entry, lastHitTimestamp: at });
  }
  const kept = new Set<string>();
  const lastHits = new Map<string, number>();
  for (const { key, memo: { nodeId, outputs, at }, answer } of saves) {
    if (key.length > MAX_KEY_CHARACTERS) {
      // The API server would refuse the whole write, including the results of other nodes.
      isOver.add(key);
      answer.reject(
        new Error(`a key of a ConfigMap has at most ${MAX_KEY_CHARACTERS} characters, this one ${key.length}`),
      );
      continue;
    }
    const before = Object.hasOwn(data, key) ? parseEntry(data[key]!) : undefined;
    const text = formatEntry({ nodeID: nodeId, outputs, creationTimestamp: at, lastHitTimestamp: at });
    if (before?.nodeID === nodeId && JSON.stringify(before.outputs) === JSON.stringify(outputs)) continue;
    const evicted = keysToEvict(
      { ...applyChange(data, change), [key]: text },
      new Set([...kept, key]),
      lastHits,
      binaryBytes,
    );
    if (!evicted) {
      isOver.add(key);
      answer.reject(new Error(`the outputs of this node do not fit into a ConfigMap: ${text.length} bytes`));
      continue;
    }
    kept.add(key);
    change[key] = text;
    for (const gone of evicted) {
      if (Object.hasOwn(data, gone)) change[gone] = null;
      else delete change[gone];
    }
  }
  return { change, isOver };
}
