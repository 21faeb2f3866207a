/** The limits of semaphores in a simulation, from its ConfigMaps. */
import { type LockItem, type LockRequest, parseLimit } from "@tiphys/engine/lock_table";
import type { ConfigMap } from "@tiphys/model/api";

/** The limits, and the controller's messages for invalid ones. */
export class SemaphoreLimits {
  readonly #configMaps: ReadonlyMap<string, ConfigMap>;

  /** ConfigMaps by name. */
  constructor(configMaps: ReadonlyMap<string, ConfigMap>) {
    this.#configMaps = configMaps;
  }

  /** Returns the limit of a lock; undefined if it has no valid limit here. */
  limitOf({ source }: LockItem): number | undefined {
    if (source.kind !== "configMap") return source.kind === "one" ? 1 : undefined;
    const read = parseLimit(this.#configMaps.get(source.name)?.data?.[source.key] ?? "");
    return "limit" in read ? read.limit : undefined;
  }

  /** Returns the reason why locks cannot be acquired at all; undefined if they can. */
  problemOf({ locks }: LockRequest): string | undefined {
    for (const { key, source } of locks) {
      if (source.kind === "database") return "synchronization database session is not available";
      const cause = source.kind === "configMap" ? this.#causeOf(source) : undefined;
      if (cause !== undefined) return `failed to initialize semaphore ${key} with limit: ${cause}`;
    }
    return undefined;
  }

  #causeOf({ name, key }: Extract<LockItem["source"], { kind: "configMap" }>): string | undefined {
    const configMap = this.#configMaps.get(name);
    if (!configMap) return `configmaps "${name}" not found`;
    const text = configMap.data?.[key];
    if (text === undefined) return `Sync configuration key '${key}' not found in ConfigMap`;
    const read = parseLimit(text);
    return "problem" in read ? read.problem : undefined;
  }
}
