/** The garbage collector: it deletes the objects that owners leave behind. */

import { type Clock, systemClock } from "@tiphys/base/clock";
import { type KubeObject, NAMESPACES } from "@tiphys/kube";
import type { ApiContext } from "../context.ts";
import { deleteObject, FOREGROUND, ORPHAN, type Propagation } from "./delete.ts";
import type { ServedResource } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { collectionName, JournalError, type Store, type Stored, type StoreEvent } from "../store.ts";
import { writeChange } from "./update.ts";

/** The resource whose objects are kept under a collection's name. */
export type FindResource = (collection: string) => ServedResource | undefined;

const namespaces = collectionName(NAMESPACES);

/** The pause before what could not be written, as on a full disk, is tried again. */
const LOOK_AGAIN_MS = 1000;

/**
 * Watches the store and, after the request that caused it, deletes what no living object owns any more, orphans or
 * deletes the dependents of objects that wait for it. It looks at how things are, never at what happened: so starting
 * it over a store that was left half-way goes on where it was left.
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
  let takeBack: (() => void) | undefined;

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
        // Nobody asked for this, so nobody is told, and nobody else tries it again.
        if (!(error instanceof JournalError)) throw error;
        queue.add(uid);
        takeBack ??= clock.after(LOOK_AGAIN_MS, () => {
          takeBack = undefined;
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
    takeBack?.();
    unlisten();
  };
}

function collect(
  context: ApiContext,
  resource: ServedResource,
  stored: Stored,
  find: FindResource,
): void {
  const { store } = context;
  const { deletionTimestamp, finalizers = [], ownerReferences = [] } = stored.object.metadata;
  if (deletionTimestamp && stored.resource === namespaces) {
    emptyNamespace(context, stored, find);
    return;
  }
  if (deletionTimestamp && finalizers.includes(ORPHAN)) {
    for (const dependent of store.dependentsOf(stored.object.metadata.uid ?? "")) disown(store, dependent, stored);
    dropFinalizer(context, stored, ORPHAN);
    return;
  }
  if (deletionTimestamp && finalizers.includes(FOREGROUND)) {
    const dependents = store.dependentsOf(stored.object.metadata.uid ?? "");
    for (const dependent of dependents) remove(context, dependent, find);
    const blocking = store.dependentsOf(stored.object.metadata.uid ?? "").some((dependent) =>
      blocks(dependent, stored)
    );
    if (!blocking) dropFinalizer(context, stored, FOREGROUND);
    return;
  }
  if (ownerReferences.length === 0 || deletionTimestamp) return;
  const living = ownerReferences.filter((owner) => store.byUid(owner.uid));
  if (living.length === 0) {
    discard(context, resource, stored, "Background");
  } else if (living.length < ownerReferences.length) {
    store.put(stored.resource, withMetadata(stored.object, { ownerReferences: living }));
  }
}

function emptyNamespace(context: ApiContext, namespace: Stored, find: FindResource): void {
  const { store } = context;
  const name = namespace.object.metadata.name;
  const within = () => [...store.all()].filter((stored) => stored.object.metadata.namespace === name);
  for (const stored of within()) {
    const resource = find(stored.resource);
    if (resource) discard(context, resource, stored, "Background");
  }
  if (within().length === 0) store.remove(namespace);
}

function remove(
  context: ApiContext,
  dependent: Stored,
  find: FindResource,
): void {
  const resource = find(dependent.resource);
  if (!resource || dependent.object.metadata.deletionTimestamp) return;
  const owns = context.store.dependentsOf(dependent.object.metadata.uid ?? "").length > 0;
  const propagation: Propagation = owns ? "Foreground" : "Background";
  discard(context, resource, dependent, propagation);
}

/** Deletes an object; one that may not be deleted stays, and keeps no other. */
function discard(context: ApiContext, resource: ServedResource, stored: Stored, propagation: Propagation): void {
  try {
    deleteObject(context, resource, stored, { propagation, dryRun: false });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

function blocks(dependent: Stored, owner: Stored): boolean {
  return (dependent.object.metadata.ownerReferences ?? [])
    .some((reference) => reference.uid === owner.object.metadata.uid && reference.blockOwnerDeletion);
}

function disown(store: Store, dependent: Stored, owner: Stored): void {
  const kept = (dependent.object.metadata.ownerReferences ?? []).filter((o) => o.uid !== owner.object.metadata.uid);
  store.put(dependent.resource, withMetadata(dependent.object, { ownerReferences: kept }));
}

function dropFinalizer(context: ApiContext, stored: Stored, finalizer: string): void {
  const kept = (stored.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  writeChange(context, stored, withMetadata(stored.object, { finalizers: kept }));
}

/** The object with lists of its metadata changed; an empty list is left out. */
function withMetadata(
  object: KubeObject,
  change: Pick<KubeObject["metadata"], "finalizers" | "ownerReferences">,
): KubeObject {
  const metadata = { ...object.metadata, ...change };
  if (metadata.finalizers?.length === 0) delete metadata.finalizers;
  if (metadata.ownerReferences?.length === 0) delete metadata.ownerReferences;
  return { ...object, metadata };
}
