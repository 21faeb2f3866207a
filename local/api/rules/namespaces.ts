/** Namespaces: some exist initially, and the others are created with the first object in them. */

import { NAMESPACES, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import { forbidden } from "../status_error.ts";
import { collectionName } from "../store.ts";

/** The namespaces that the server creates when it starts. */
export const INITIAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "argo"];

/**
 * Creates a namespace with its default service account, if it does not exist and this is not a dry run.
 * @throws {StatusError} 403 if the namespace is being deleted.
 */
export function ensureNamespace(context: ApiContext, name: string, dryRun = false): void {
  const namespace = context.store.get(collectionName(NAMESPACES), name);
  if (namespace?.object.metadata.deletionTimestamp) {
    const why = `unable to create new content in namespace ${name} because it is being terminated`;
    throw forbidden(NAMESPACES, name, why);
  }
  if (dryRun || namespace) return;
  createDefaultAccount(context, name);
  context.store.put(collectionName(NAMESPACES), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      uid: crypto.randomUUID(),
      creationTimestamp: timeText(context.now()),
      labels: { [NAME_LABEL]: name },
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
}

/** The label that every namespace has. */
export const NAME_LABEL = "kubernetes.io/metadata.name";

/**
 * Creates the default service account of a namespace. It is created before its namespace, so that no namespace lacks it
 * if the process ends, or the disk is full, in between.
 */
export function createDefaultAccount(context: ApiContext, namespace: string): void {
  if (context.store.get(collectionName(SERVICE_ACCOUNTS), `${namespace}/default`)) return;
  const creationTimestamp = timeText(context.now());
  context.store.put(collectionName(SERVICE_ACCOUNTS), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace, uid: crypto.randomUUID(), creationTimestamp },
  });
}
