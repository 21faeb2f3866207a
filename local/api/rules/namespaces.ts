/** Namespaces: some are always there, the others come into being when something is created in them. */

import { NAMESPACES, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import { forbidden } from "../status_error.ts";
import { collectionName } from "../store.ts";

/** Made when the server starts. */
export const INITIAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "argo"];

/**
 * Makes a namespace with its default service account, unless it is there. A dry run makes nothing.
 * @throws {StatusError} 403 when the namespace is being deleted.
 */
export function ensureNamespace(context: ApiContext, name: string, dryRun = false): void {
  const namespace = context.store.get(collectionName(NAMESPACES), name);
  if (namespace?.object.metadata.deletionTimestamp) {
    const why = `unable to create new content in namespace ${name} because it is being terminated`;
    throw forbidden(NAMESPACES, name, why);
  }
  if (dryRun || namespace) return;
  furnishNamespace(context, name);
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
 * Makes the object that is in every namespace: the service account of pods that name none. It comes before its namespace,
 * so that there is none without it when the process ends, or the disk is full, between the two.
 */
export function furnishNamespace(context: ApiContext, namespace: string): void {
  if (context.store.get(collectionName(SERVICE_ACCOUNTS), `${namespace}/default`)) return;
  const creationTimestamp = timeText(context.now());
  context.store.put(collectionName(SERVICE_ACCOUNTS), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace, uid: crypto.randomUUID(), creationTimestamp },
  });
}
