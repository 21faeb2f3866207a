/** Semaphore limits in ConfigMaps: one key each. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { classifyError, CONFIGMAPS, type KubeClient, type KubeObject } from "@tiphys/kube";
import { parseLimit } from "@tiphys/engine/lock_table";
import { type LimitStorage, type SyncLimit, SyncLimitError, type SyncLimitName } from "./sync_limits.ts";

/** Maximum number of attempts of a write that conflicts with others. */
const MAX_TRIES = 10;

/** Returns the keeper of limits with the permissions of a client. */
export function configMapLimits(client: KubeClient): LimitStorage {
  return new ConfigMapLimits(client);
}

class ConfigMapLimits implements LimitStorage {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async create(limit: SyncLimit): Promise<SyncLimit> {
    const name = mapOf(limit);
    return await retryConflicts(async () => {
      const found = await this.#find(limit, name, "create");
      if (!found) return await this.#createLimit(limit, name);
      if (textIn(found, limit.key) !== undefined) {
        throw new SyncLimitError("AlreadyExists", "sync limit cannot be created as it already exists");
      }
      return await this.#write(found, limit, "create");
    });
  }

  async get(name: SyncLimitName): Promise<SyncLimit> {
    const found = await this.#find(name, mapOf(name), "get");
    const text = found && textIn(found, name.key);
    if (text === undefined) throw missingError(name);
    const read = parseLimit(text);
    if ("limit" in read) return { ...name, limit: read.limit };
    throw new SyncLimitError("InvalidArgument", `invalid limit format for ${describeKey(name)}`);
  }

  async update(limit: SyncLimit): Promise<SyncLimit> {
    const name = mapOf(limit);
    return await retryConflicts(async () => {
      const found = await this.#find(limit, name, "update");
      if (!found || textIn(found, limit.key) === undefined) throw missingError(limit, " - please create it first");
      return await this.#write(found, limit, "update");
    });
  }

  async delete(limit: SyncLimitName): Promise<void> {
    const name = mapOf(limit);
    await retryConflicts(async () => {
      const found = await this.#find(limit, name, "update");
      if (!found || textIn(found, limit.key) === undefined) return;
      const { [limit.key]: _, ...others } = fieldsOf(found.data);
      await this.#put(found, limit, others, "update");
    });
  }

  async #find({ namespace }: SyncLimitName, name: string, verb: string): Promise<KubeObject | undefined> {
    try {
      return await this.#client.get<KubeObject>(CONFIGMAPS, namespace, name);
    } catch (error) {
      if (classifyError(error) === "notFound") return undefined;
      throw translatedError(error, verb, namespace);
    }
  }

  async #createLimit(limit: SyncLimit, name: string): Promise<SyncLimit> {
    const { namespace, key } = limit;
    const metadata = { name, namespace };
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [key]: String(limit.limit) } };
    try {
      await this.#client.create(CONFIGMAPS, namespace, configMap);
      return limit;
    } catch (error) {
      throw translatedError(error, "create", namespace);
    }
  }

  async #write(current: KubeObject, limit: SyncLimit, verb: string): Promise<SyncLimit> {
    await this.#put(current, limit, { ...fieldsOf(current.data), [limit.key]: String(limit.limit) }, verb);
    return limit;
  }

  /** Replaces exactly the version that was read, so that no other key is lost. Argo's roles do not allow patches. */
  async #put(
    current: KubeObject,
    { namespace }: SyncLimitName,
    data: Record<string, unknown>,
    verb: string,
  ): Promise<void> {
    try {
      await this.#client.replace(CONFIGMAPS, namespace, { ...current, data });
    } catch (error) {
      throw translatedError(error, verb, namespace);
    }
  }
}

/** Retries after conflicts with other writers. */
async function retryConflicts<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await act();
    } catch (error) {
      const sort = classifyError(error);
      const isBetween = sort === "conflict" || sort === "alreadyExists" || sort === "notFound";
      if (error instanceof SyncLimitError || !isBetween || tries >= MAX_TRIES) throw error;
    }
  }
}

function translatedError(error: unknown, verb: string, namespace: string): unknown {
  if (classifyError(error) !== "forbidden") return error;
  const message = `Permission denied, you are not allowed to ${verb} configmaps in namespace "${namespace}".`;
  return new SyncLimitError("PermissionDenied", message, { cause: error });
}

function mapOf({ cmName = "" }: SyncLimitName): string {
  if (cmName === "") throw new SyncLimitError("InvalidArgument", "ConfigMap name is required");
  return cmName;
}

function missingError(name: SyncLimitName, hint = ""): SyncLimitError {
  const { key, namespace, cmName } = name;
  return new SyncLimitError("NotFound", `key ${key} not found in configmap ${namespace}/${cmName}${hint}`);
}

function describeKey({ key, namespace, cmName }: SyncLimitName): string {
  return `key ${key} in configmap ${namespace}/${cmName}`;
}

function textIn({ data }: KubeObject, key: string): string | undefined {
  const texts = fieldsOf(data);
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return typeof text === "string" ? text : undefined;
}
