/** The garbage collector: deletes the objects of deleted owners. */

import { type Clock, systemClock } from "@tiphys/base/clock";
import { type KubeObject, NAMESPACES } from "@tiphys/kube";
import type { ApiContext } from "../context.ts";
import { deleteObject, FOREGROUND, ORPHAN, type Propagation } from "./delete.ts";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { collectionName, JournalError, type Store, type StoredObject, type StoreEvent } from "../store.ts";
import { writeChange } from "./update.ts";

/** Returns the resource of a collection by name. */
export type FindResource = (collection: string) => ServedResource | undefined;

const namespaces = collectionName(NAMESPACES);

/** The pause before a failed write is retried. */
const LOOK_AGAIN_MS = 1000;

/**
 * Watches the store. After a request, it deletes objects without a living owner, and orphans or deletes the dependents
 * of objects that wait for it. It is level-triggered: if it starts with a store in an intermediate state, it continues
 * there.
 */
export function startGarbageCollector(
  context: ApiContext,
  find: FindResource,
  clock: Clock = systemClock,
): () => void {
  const { store } = context;
  const queue = new Set<string>();
  let scheduled = false;
  let isStopped = false;
  let cancelTimer: (() => void) | undefined;

  const work = () => {
    scheduled = false;
    for (const uid of queue) {
      if (isStopped) return;
      queue.delete(uid);
      const stored = store.byUid(uid);
      const resource = stored && find(stored.resource);
      try {
        if (resource) collect(context, resource, stored, find);
      } catch (error) {
        // No client waits for this, so it is retried here.
        if (!(error instanceof JournalError)) throw error;
        queue.add(uid);
        cancelTimer ??= clock.after(LOOK_AGAIN_MS, () => {
          cancelTimer = undefined;
          work();
        });
        return;
      }
    }
  };

  const look = (uid: string | undefined) => {
    if (!uid) return;
    queue.add(uid);
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(work);
  };

  const notice = ({ type, after }: StoreEvent) => {
    const { uid, ownerReferences = [], deletionTimestamp } = after.object.metadata;
    if (type !== "DELETED") {
      if (ownerReferences.length > 0 || deletionTimestamp) look(uid);
      return;
    }
    for (const dependent of store.dependentsOf(uid ?? "")) look(dependent.object.metadata.uid);
    for (const owner of ownerReferences) look(owner.uid);
    const namespace = store.get(namespaces, after.object.metadata.namespace ?? "");
    if (namespace?.object.metadata.deletionTimestamp) look(namespace.object.metadata.uid);
  };

  for (const stored of store.all()) notice({ type: "ADDED", after: stored, before: undefined });
  const unlisten = store.listenToAll(notice);
  return () => {
    isStopped = true;
    cancelTimer?.();
    unlisten();
  };
}

function collect(
  context: ApiContext,
  resource: ServedResource,
  stored: StoredObject,
  find: FindResource,
): void {
  const { store } = context;
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = stored.object.metadata;
  if (deletionTimestamp && stored.resource === namespaces) {
    emptyNamespace(context, stored, find);
    return;
  }
  if (deletionTimestamp && finalizers.includes(ORPHAN)) {
    for (const dependent of store.dependentsOf(stored.object.metadata.uid ?? "")) removeOwner(store, dependent, stored);
    dropFinalizer(context, stored, ORPHAN);
    return;
  }
  if (deletionTimestamp && finalizers.includes(FOREGROUND)) {
    const dependents = store.dependentsOf(stored.object.metadata.uid ?? "");
    for (const dependent of dependents) remove(context, dependent, find);
    const blocking = store.dependentsOf(stored.object.metadata.uid ?? "").some((dependent) =>
      blocksOwner(dependent, stored)
    );
    if (!blocking) dropFinalizer(context, stored, FOREGROUND);
    return;
  }
  if (ownerReferences.length === 0 || deletionTimestamp) return;
  const living = ownerReferences.filter((owner) => store.byUid(owner.uid));
  if (living.length === 0) {
    deleteDependent(context, resource, stored, "Background");
  } else if (living.length < ownerReferences.length) {
    store.put(stored.resource, withMetadata(stored.object, { ownerReferences: living }));
  }
}

function emptyNamespace(context: ApiContext, namespace: StoredObject, find: FindResource): void {
  const { store } = context;
  const name = namespace.object.metadata.name;
  const within = () => [...store.all()].filter((stored) => stored.object.metadata.namespace === name);
  for (const stored of within()) {
    const resource = find(stored.resource);
    if (resource) deleteDependent(context, resource, stored, "Background");
  }
  if (within().length === 0) store.remove(namespace);
}

function remove(
  context: ApiContext,
  dependent: StoredObject,
  find: FindResource,
): void {
  const resource = find(dependent.resource);
  if (!resource || dependent.object.metadata.deletionTimestamp) return;
  const owns = context.store.dependentsOf(dependent.object.metadata.uid ?? "").length > 0;
  const propagation: Propagation = owns ? "Foreground" : "Background";
  deleteDependent(context, resource, dependent, propagation);
}

/** Deletes an object. If it may not be deleted, it stays, and does not affect others. */
function deleteDependent(
  context: ApiContext,
  resource: ServedResource,
  stored: StoredObject,
  propagation: Propagation,
): void {
  try {
    deleteObject(context, resource, stored, { propagation, dryRun: false });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

function blocksOwner(dependent: StoredObject, owner: StoredObject): boolean {
  return (dependent.object.metadata.ownerReferences ?? [])
    .some((reference) => reference.uid === owner.object.metadata.uid && reference.blockOwnerDeletion);
}

function removeOwner(store: Store, dependent: StoredObject, owner: StoredObject): void {
  const kept = (dependent.object.metadata.ownerReferences ?? []).filter((o) => o.uid !== owner.object.metadata.uid);
  store.put(dependent.resource, withMetadata(dependent.object, { ownerReferences: kept }));
}

function dropFinalizer(context: ApiContext, stored: StoredObject, finalizer: string): void {
  const kept = (stored.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  writeChange(context, stored, withMetadata(stored.object, { finalizers: kept }));
}

/** Changes lists in the metadata of an object. Empty lists are omitted. */
function withMetadata(
  object: KubeObject,
  change: Pick<KubeObject["metadata"], "finalizers" | "ownerReferences">,
): KubeObject {
  const metadata = { ...object.metadata, ...change };
  if (metadata.finalizers?.length === 0) delete metadata.finalizers;
  if (metadata.ownerReferences?.length === 0) delete metadata.ownerReferences;
  return { ...object, metadata };
}
