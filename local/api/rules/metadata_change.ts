/** The changes of metadata that a request may make. */

import type { ObjectMeta } from "@tiphys/kube/object";
import type { Cause } from "../status_error.ts";

/** The metadata after a request. Fields that the server manages do not change. */
export function changedMetadata(before: ObjectMeta, changed: ObjectMeta): ObjectMeta {
  const { managedFields = before.managedFields, selfLink: _link, ...metadata } = changed;
  return withoutUndefined({
    ...metadata,
    // Clients that do not send managedFields keep them; an empty list clears them.
    managedFields,
    name: before.name,
    namespace: before.namespace,
    uid: before.uid,
    generation: before.generation,
    generateName: before.generateName,
    creationTimestamp: before.creationTimestamp,
    deletionTimestamp: before.deletionTimestamp,
    deletionGracePeriodSeconds: before.deletionGracePeriodSeconds,
    resourceVersion: before.resourceVersion,
    labels: undefinedIfEmpty(metadata.labels),
    annotations: undefinedIfEmpty(metadata.annotations),
    finalizers: undefinedIfEmpty(metadata.finalizers),
    ownerReferences: undefinedIfEmpty(metadata.ownerReferences),
  });
}

function undefinedIfEmpty<T extends object>(value: T | undefined): T | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}

/** The error for new finalizers on an object that is being deleted: they may only be removed. */
export function finalizerCauses(before: ObjectMeta, next: ObjectMeta): Cause[] {
  if (!before.deletionTimestamp) return [];
  const known = new Set(before.finalizers);
  const added = (next.finalizers ?? []).filter((name) => !known.has(name));
  if (added.length === 0) return [];
  const message = "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers " +
    `[]string{${added.map((name) => JSON.stringify(name)).join(", ")}}`;
  return [{ reason: "FieldValueForbidden", field: "metadata.finalizers", message }];
}

function withoutUndefined(metadata: ObjectMeta): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)) as ObjectMeta;
}
