/** Deletes objects: after a grace period, after finalizers, or immediately. */

import { type KubeObject, NAMESPACES } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, conflict, forbidden } from "../status_error.ts";
import type { StoredObject } from "../store.ts";
import { isDryRun } from "./write_request.ts";

/** The policy for the objects that a deleted object owns. */
export type Propagation = "Background" | "Foreground" | "Orphan";

/** The finalizers of the garbage collector. */
export const FOREGROUND = "foregroundDeletion";
export const ORPHAN = "orphan";

/** The namespaces that cannot be deleted. */
const UNDELETABLE_NAMESPACES = ["default", "kube-system", "kube-public"];

/** The options of a deletion, from its body and query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  /** If undefined, the policy of an earlier request for deletion applies, otherwise Background. */
  readonly propagation?: Propagation | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly dryRun: boolean;
}

interface DeleteBody {
  gracePeriodSeconds?: number | null;
  propagationPolicy?: string | null;
  orphanDependents?: boolean | null;
  preconditions?: { uid?: string; resourceVersion?: string } | null;
  dryRun?: string[] | null;
}

/** Parses DeleteOptions from a body and a query. The body takes precedence. */
export function parseDeleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  const given = (body ?? {}) as DeleteBody;
  const grace = given.gracePeriodSeconds ?? query.get("gracePeriodSeconds") ?? undefined;
  const policy = given.propagationPolicy ?? query.get("propagationPolicy") ??
    (given.orphanDependents ? "Orphan" : undefined);
  if (policy !== undefined && policy !== "Background" && policy !== "Foreground" && policy !== "Orphan") {
    throw badRequest(`propagationPolicy: Unsupported value: "${policy}"`);
  }
  return {
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    propagation: policy,
    uid: given.preconditions?.uid,
    resourceVersion: given.preconditions?.resourceVersion,
    dryRun: isDryRun([...(given.dryRun ?? []), ...query.getAll("dryRun")]),
  };
}

/** An object after a request to delete it. `gone` means that it has been removed. */
export interface Deletion {
  readonly text: string;
  readonly gone: boolean;
}

/**
 * Deletes an object, or marks it for deletion.
 * @throws {StatusError} 409 if a precondition fails.
 */
export function deleteObject(
  context: ApiContext,
  resource: ServedResource,
  stored: StoredObject,
  options: DeleteOptions,
): Deletion {
  checkPreconditions(resource, stored, options);
  if (resource.builtIn && resource.plural === "namespaces") return endNamespace(context, stored, options);
  const grace = gracePeriod(resource, stored.object, options);
  const finalizers = finalizersFor(stored.object, options.propagation);
  if (grace === 0 && finalizers.length === 0) {
    return { text: options.dryRun ? stored.text : context.store.remove(stored).text, gone: true };
  }
  const next = markDeleted(context, stored.object, finalizers, grace);
  if (next === stored.object || options.dryRun) return { text: stored.text, gone: false };
  return { text: context.store.put(stored.resource, next).text, gone: false };
}

/** A namespace is removed after the garbage collector has emptied it. */
function endNamespace(context: ApiContext, stored: StoredObject, options: DeleteOptions): Deletion {
  const { name = "" } = stored.object.metadata;
  if (UNDELETABLE_NAMESPACES.includes(name)) throw forbidden(NAMESPACES, name, "this namespace may not be deleted");
  if (stored.object.metadata.deletionTimestamp || options.dryRun) return { text: stored.text, gone: false };
  const next = { ...markDeleted(context, stored.object, [], 0), status: { phase: "Terminating" } };
  return { text: context.store.put(stored.resource, next).text, gone: false };
}

function checkPreconditions(resource: ServedResource, stored: StoredObject, options: DeleteOptions): void {
  const { name = "", uid, resourceVersion } = stored.object.metadata;
  if (options.uid && options.uid !== uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`,
    );
  }
  if (options.resourceVersion && options.resourceVersion !== resourceVersion) {
    throw conflict(
      resource,
      name,
      `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ` +
        `ResourceVersion in object meta: ${resourceVersion}`,
    );
  }
}

/** The grace period in seconds: only a pod that a kubelet may be running has one. */
function gracePeriod(resource: ServedResource, object: KubeObject, options: DeleteOptions): number {
  if (resource.plural !== "pods" || !resource.builtIn) return 0;
  const spec = (object.spec ?? {}) as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const { phase } = (object.status ?? {}) as { phase?: string };
  if (!spec.nodeName || phase === "Succeeded" || phase === "Failed") return 0;
  return Math.max(0, options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30);
}

function finalizersFor(object: KubeObject, propagation: Propagation | undefined): string[] {
  if (propagation === undefined) return object.metadata.finalizers ?? [];
  const kept = (object.metadata.finalizers ?? []).filter((name) => name !== FOREGROUND && name !== ORPHAN);
  if (propagation === "Foreground") return [...kept, FOREGROUND];
  return propagation === "Orphan" ? [...kept, ORPHAN] : kept;
}

/**
 * Marks the object for deletion. Returns the same object if it is already marked, and the grace period is not shorter
 * now.
 */
function markDeleted(
  context: ApiContext,
  object: KubeObject,
  finalizers: readonly string[],
  grace: number,
): KubeObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers: had = [] } = object.metadata;
  if (deletionTimestamp && deletionGracePeriodSeconds <= grace) return object;
  const { finalizers: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      deletionTimestamp: timeText(new Date(context.now().getTime() + grace * 1000)),
      deletionGracePeriodSeconds: grace,
      ...((finalizers.length > 0 || had.length > 0) && { finalizers: deletionTimestamp ? had : [...finalizers] }),
    },
  };
}
