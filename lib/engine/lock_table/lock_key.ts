/** The keys of locks and of their holders, in statuses and messages. */
import { UserError } from "@tiphys/base/user_error";

/** Whether a lock has several holders or one. */
export type LockType = "semaphore" | "mutex";

/** The parts of a lock's key. */
export interface LockName {
  readonly namespace: string;
  readonly kind: "ConfigMap" | "Mutex" | "Database";
  /** For a semaphore in a ConfigMap, the name of the ConfigMap. */
  readonly name: string;
  /** The key in the ConfigMap; undefined for other kinds. */
  readonly key?: string;
}

/** Formats the key of a lock: `NS/ConfigMap/NAME/KEY`, `NS/Mutex/NAME`, `NS/Database/NAME`. */
export function lockKey({ namespace, kind, name, key }: LockName): string {
  return key === undefined ? `${namespace}/${kind}/${name}` : `${namespace}/${kind}/${name}/${key}`;
}

/**
 * Parses the key of a lock.
 * @throws {UserError} when it is invalid.
 */
export function parseLockKey(text: string): LockName {
  const [, namespace, kind, rest] = /^([^/]*)\/([^/]*)\/(.*)$/s.exec(text) ?? [];
  if (namespace === undefined || rest === undefined) throw invalid(text, "it has no namespace, kind and name");
  if (namespace === "") throw invalid(text, "the namespace is missing");
  if (kind !== "ConfigMap" && kind !== "Mutex" && kind !== "Database") {
    throw invalid(text, `the kind is ConfigMap, Mutex or Database, and not ${JSON.stringify(kind)}`);
  }
  if (kind !== "ConfigMap") {
    if (rest === "") throw invalid(text, "the name is missing");
    return { namespace, kind, name: rest };
  }
  const parts = rest.split("/");
  const [name = "", key = ""] = parts;
  if (name === "" || key === "" || parts.length !== 2) throw invalid(text, "a ConfigMap has a name and a key");
  return { namespace, kind, name, key };
}

function invalid(text: string, reason: string): UserError {
  return new UserError(`Invalid lock key: ${JSON.stringify(text)}: ${reason}`);
}

/** Formats the key of a holder. `nodeId` is empty for the workflow itself, whose key is `namespace/name`. */
export function holderKey(workflow: string, nodeId: string): string {
  return nodeId === "" ? workflow : `${workflow}/${nodeId}`;
}

/** Parses the key of a holder. Undefined for the older format, a bare name of a workflow or node. */
export function parseHolderKey(text: string): { readonly workflow: string; readonly nodeId: string } | undefined {
  const [namespace, name, nodeId = "", ...others] = text.split("/");
  if (!namespace || !name || others.length) return undefined;
  return { workflow: `${namespace}/${name}`, nodeId };
}
