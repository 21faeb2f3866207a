/** The locks of a `synchronization` block, in the order in which they are requested. */
import type { Mutex, SemaphoreRef, Synchronization } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { UserError } from "@tiphys/base/user_error";
import { lockKey, type LockName, type LockType, parseLockKey } from "./lock_key.ts";

/** The source of a lock's limit, and where its holders are stored. */
export type LockSource =
  | { readonly kind: "one" }
  | { readonly kind: "configMap"; readonly namespace: string; readonly name: string; readonly key: string }
  /** Its holders are rows. `name` is `NS/NAME`. */
  | { readonly kind: "database"; readonly name: string };

/** A requested lock. */
export interface LockItem {
  readonly type: LockType;
  readonly key: string;
  readonly source: LockSource;
}

/**
 * Parses a block: the semaphores, then the mutexes. `namespace` is the workflow's, for locks without one.
 * @throws {UserError} when the block is invalid.
 */
export function parseLockItems({ semaphores = [], mutexes = [] }: Synchronization, namespace: string): LockItem[] {
  if (semaphores.length + mutexes.length > LIMITS.locksAtOnce) {
    throw new UserError(`one holder may request up to ${LIMITS.locksAtOnce} locks at once, and this one requests more`);
  }
  const items = [
    ...semaphores.map((semaphore) => itemOf("semaphore", semaphoreName(semaphore, namespace))),
    ...mutexes.map((mutex) => itemOf("mutex", mutexName(mutex, namespace))),
  ];
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(lockIdOf(item))) {
      throw new UserError("requested configuration is invalid: duplicate synchronization item found");
    }
    seen.add(lockIdOf(item));
  }
  return items;
}

/**
 * Returns the ID of a lock. It includes the type, because a mutex and a semaphore of a database may have the same key.
 */
export function lockIdOf({ type, key }: Pick<LockItem, "type" | "key">): string {
  return `${type} ${key}`;
}

/** Whether the holders of a lock are rows of a database. */
export function isInDatabase({ source }: Pick<LockItem, "source">): boolean {
  return source.kind === "database";
}

/** Returns the name of a lock's rows in a database: `sem/NS/KEY` or `mtx/NS/NAME`. */
export function rowNameOf({ type, source }: LockItem): string {
  const name = source.kind === "database" ? source.name : "";
  return type === "mutex" ? `mtx/${name}` : `sem/${name}`;
}

/**
 * Parses the key of a lock, as recorded in a status.
 * @throws {UserError} when it is not a lock key, or the key of another type.
 */
export function parseLockItem(type: LockType, key: string): LockItem {
  const name = parseLockKey(key);
  const isOfType = name.kind === "Database" || (name.kind === "Mutex") === (type === "mutex");
  if (!isOfType) throw new UserError(`Invalid lock key: ${JSON.stringify(key)} is not the key of a ${type}`);
  return itemOf(type, name);
}

function itemOf(type: LockType, name: LockName): LockItem {
  const key = lockKey(name);
  // A name with a slash would be parsed as another lock.
  parseLockKey(key);
  return { type, key, source: sourceOf(name) };
}

function sourceOf({ namespace, kind, name, key = "" }: LockName): LockSource {
  switch (kind) {
    case "Mutex":
      return { kind: "one" };
    case "ConfigMap":
      return { kind: "configMap", namespace, name, key };
    case "Database":
      return { kind: "database", name: `${namespace}/${name}` };
  }
}

function semaphoreName(
  { configMapKeyRef, database, namespace: own }: SemaphoreRef,
  workflowNamespace: string,
): LockName {
  const namespace = own || workflowNamespace;
  if (configMapKeyRef && database) {
    throw new UserError("requested configuration is invalid: invalid semaphore with both ConfigMapKeyRef and Database");
  }
  if (configMapKeyRef) {
    return { namespace, kind: "ConfigMap", name: configMapKeyRef.name ?? "", key: configMapKeyRef.key };
  }
  if (database) return { namespace, kind: "Database", name: database.key };
  throw new UserError(
    "requested configuration is invalid: cannot get LockName for a Semaphore without a ConfigMapRef or Database",
  );
}

function mutexName({ name = "", namespace, database }: Mutex, workflowNamespace: string): LockName {
  return { namespace: namespace || workflowNamespace, kind: database ? "Database" : "Mutex", name };
}
