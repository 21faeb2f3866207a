/** Namespaces: some are always there, the others come into being when something is created in them. */

import { NAMESPACES, SERVICE_ACCOUNTS } from "../../lib/kube/mod.ts";
import { type ApiContext, timestamp } from "./context.ts";
import { forbidden } from "./status_error.ts";
import { collectionName } from "./store.ts";

/** Made when the server starts. */
export const INITIAL_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "argo"];

/**
 * Makes a namespace and its default service account, unless they are there. A dry run makes nothing.
 * Throws StatusError 403 when the namespace is being deleted.
 */
export function ensureNamespace(context: ApiContext, name: string, dryRun = false): void {
  const namespace = context.store.get(collectionName(NAMESPACES), name);
  if (namespace?.object.metadata.deletionTimestamp) {
    const why = `unable to create new content in namespace ${name} because it is being terminated`;
    throw forbidden(NAMESPACES, name, why);
  }
  if (dryRun || namespace) return;
  const creationTimestamp = timestamp(context.now());
  context.store.put(collectionName(NAMESPACES), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      uid: crypto.randomUUID(),
      creationTimestamp,
      labels: { "kubernetes.io/metadata.name": name },
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
  context.store.put(collectionName(SERVICE_ACCOUNTS), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: name, uid: crypto.randomUUID(), creationTimestamp },
  });
}
