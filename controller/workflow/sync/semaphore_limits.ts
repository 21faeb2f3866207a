/**
 * Limits of semaphores in ConfigMaps: read on first use, and watched while a claim holds the lock or waits for it. A
 * limit that can no longer be read keeps its last value.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, CONFIGMAPS, type KubeClient, type KubeObject } from "@tiphys/kube";
import { throwBug } from "@tiphys/kube/errors";
import { Informer } from "@tiphys/kube/informers";
import { type LockItem, parseLimit } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { logWatchFailure } from "../../loop/watch_failure.ts";

/** The settings for reading limits. */
export interface LimitSettings {
  /** Whether ConfigMaps are watched. Otherwise a limit is read on each request or release. */
  readonly isWatched: boolean;
  /** The validity of a limit that was read without a watch, in seconds. */
  readonly cacheSeconds: number;
}

export interface SemaphoreLimitsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => LimitSettings;
  /** Called for each limit that was read. */
  readonly onLimit: (item: LockItem, limit: number) => void;
  /** Called when a watch has delivered limits. */
  readonly onChange: () => void;
}

/** A limit with the time when it was read (milliseconds since the epoch), or the reason why it is unknown. */
export type LimitAnswer = { readonly limit: number; readonly readAt: number } | { readonly problem: string };

/** The maximum number of watched ConfigMaps; others are read on request. */
const MAX_WATCHED = 200;

interface Source {
  /** By key. */
  readonly items: Map<string, LockItem>;
  watch: AbortController | undefined;
  /** Milliseconds since 1970. */
  readAt: number;
}

type InConfigMap = LockItem & { readonly source: { readonly kind: "configMap" } };

/** The limits that are in use. */
export class SemaphoreLimits {
  readonly #options: SemaphoreLimitsOptions;
  readonly #sources = new Map<string, Source>();
  #watched = 0;

  constructor(options: SemaphoreLimitsOptions) {
    this.#options = options;
  }

  /** Whether the known limit of a lock is outdated. */
  isStale(item: LockItem): boolean {
    if (!isInConfigMap(item)) return false;
    const source = this.#sources.get(placeOf(item));
    if (source?.watch) return false;
    const { clock, settings } = this.#options;
    return !source || clock.now() >= source.readAt + settings().cacheSeconds * 1000;
  }

  /**
   * Reads the limit of a lock once.
   * @throws {KubeError} a transient error.
   */
  async read(item: LockItem): Promise<LimitAnswer> {
    if (!isInConfigMap(item)) return { problem: `lock ${item.key} has no limit` };
    const { client, clock } = this.#options;
    const { namespace, name, key } = item.source;
    let configMap: KubeObject;
    try {
      configMap = await client.get<KubeObject>(CONFIGMAPS, namespace, name);
    } catch (error) {
      throwBug(error);
      const sort = classifyError(error);
      // A conflict is not a result.
      if (sort === "transient" || sort === "conflict") throw error;
      return { problem: (error as Error).message };
    }
    const answer = limitIn(configMap, key);
    return "limit" in answer ? { ...answer, readAt: clock.now() } : answer;
  }

  /** Follows the limit of a lock in use, which was read at `readAt`, until it is forgotten. */
  follow(item: LockItem, readAt: number): void {
    if (isInConfigMap(item)) this.#sourceOf(item).readAt = readAt;
  }

  /** Forgets a lock that is no longer used. */
  forget(item: LockItem): void {
    if (!isInConfigMap(item)) return;
    const place = placeOf(item);
    const source = this.#sources.get(place);
    if (!source) return;
    source.items.delete(item.source.key);
    if (source.items.size > 0) return;
    this.#sources.delete(place);
    this.#end(source);
  }

  close(): void {
    for (const source of this.#sources.values()) this.#end(source);
    this.#sources.clear();
  }

  #sourceOf(item: InConfigMap): Source {
    const place = placeOf(item);
    let source = this.#sources.get(place);
    if (!source) this.#sources.set(place, source = { items: new Map(), watch: undefined, readAt: 0 });
    source.items.set(item.source.key, item);
    if (!source.watch && this.#options.settings().isWatched && this.#watched < MAX_WATCHED) {
      this.#watch(source, item.source);
    }
    return source;
  }

  #watch(source: Source, { namespace, name }: InConfigMap["source"]): void {
    const { client, log, onLimit, onChange } = this.#options;
    const watch = source.watch = new AbortController();
    this.#watched++;
    const informer = new Informer<KubeObject>(client, CONFIGMAPS, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      onError: (error) => logWatchFailure(log, error),
    });
    informer.onChange((type, configMap) => {
      for (const [key, item] of source.items) {
        const answer = type === "deleted" ? { problem: `configmaps "${name}" not found` } : limitIn(configMap, key);
        if ("limit" in answer) onLimit(item, answer.limit);
        else {log.warn("The limit of a semaphore cannot be read; the previous one remains in effect", {
            lock: item.key,
            ...answer,
          });}
      }
      onChange();
    });
    informer.start(watch.signal).catch((error) => {
      if (!watch.signal.aborted) log.warn("Watching a ConfigMap failed", { configMap: name, error: String(error) });
    });
  }

  #end({ watch }: Source): void {
    if (!watch) return;
    this.#watched--;
    watch.abort(new DOMException("its limits are no longer needed", "AbortError"));
  }
}

function isInConfigMap(item: LockItem): item is InConfigMap {
  return item.source.kind === "configMap";
}

function placeOf({ source: { namespace, name } }: InConfigMap): string {
  return `${namespace}/${name}`;
}

function limitIn({ data }: KubeObject, key: string): ReturnType<typeof parseLimit> {
  const texts = fieldsOf(data);
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return typeof text === "string"
    ? parseLimit(text)
    : { problem: `Sync configuration key '${key}' not found in ConfigMap` };
}
