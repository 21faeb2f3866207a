/** Server-side apply to an object in the store. */

import { parseJson } from "@tiphys/base/bounded_json";
import { atOnce } from "@tiphys/base/turns";
import type { KubeObject } from "@tiphys/kube";
import type { ObjectMeta } from "@tiphys/kube/object";
import { timeText } from "@tiphys/model/status";
import { checkAppliedShape } from "../rules/applied_shape.ts";
import { refuseUnknown } from "../rules/known_fields.ts";
import type { ApiContext } from "../context.ts";
import { checkIdentity, createObject } from "./create.ts";
import { applyConfiguration, ApplyConflictError } from "../managed_fields/mod.ts";
import { applyConflict, badRequest } from "../status_error.ts";
import { collectionName } from "../store.ts";
import { getStored, retryIfChanged, type Target, writeIfChanged } from "./update.ts";
import { asObject } from "../body.ts";
import { largeWrite, type WriteFlags, type WriteResult } from "./write_request.ts";

/** The default field manager of `kubectl apply --server-side`. */
const KUBECTL = "kubectl";
/** The annotation with the object that client-side `kubectl apply` applied last. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * PATCH with server-side apply. Creates the object if it does not exist.
 * @throws {StatusError} 409 if fields of other owners would change.
 */
export async function applyObject(
  context: ApiContext,
  target: Target,
  object: KubeObject,
  flags: WriteFlags,
): Promise<WriteResult> {
  const { resource, namespace, subresource } = target;
  const large = largeWrite(flags);
  checkIdentity(object, resource, namespace);
  if (object.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  if (large) await large.turn();
  checkAppliedShape(object, resource);
  if (large) await large.turn();
  if (subresource === undefined) refuseUnknown(object, resource);
  if (large) await large.turn();
  return await retryIfChanged(target, () => applyToStored(context, target, object, flags));
}

/** Applies to the stored object. Returns undefined if it changes meanwhile. */
async function applyToStored(
  context: ApiContext,
  target: Target,
  applied: KubeObject,
  flags: WriteFlags,
): Promise<WriteResult | undefined> {
  const { resource, namespace, name, subresource } = target;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const before = subresource ? getStored(context, target) : context.store.get(collectionName(resource), key);
  const write = {
    resource,
    writer: { manager: flags.manager, operation: "Apply", ...(subresource && { subresource }) } as const,
    now: timeText(context.now()),
    force: flags.force,
    wantedBefore: flags.manager === KUBECTL ? lastApplied(before?.object.metadata) : undefined,
  };
  try {
    const stages = applyConfiguration(before?.object, wantedPart(applied, target), write);
    const large = largeWrite(flags, before);
    const { object, managedFields } = large ? await large.complete(stages) : atOnce(stages);
    if (before === undefined) {
      const named = { ...object, metadata: { ...object.metadata, name } };
      return await createObject(context, resource, namespace, named, flags, managedFields);
    }
    // The resourceVersion and UID to compare are those in the request, not those of the stored object.
    const { resourceVersion, uid } = applied.metadata;
    const annotations = flags.manager === KUBECTL
      ? withLastApplied(object.metadata, applied)
      : object.metadata.annotations;
    const conditional = { ...object, metadata: { ...object.metadata, annotations, resourceVersion, uid } };
    return await writeIfChanged(context, target, before, conditional, flags, managedFields);
  } catch (error) {
    if (error instanceof ApplyConflictError) throw applyConflict(error);
    throw error;
  }
}

/** The part of an object that a request may write: if the status is a subresource, either the status or the rest. */
function wantedPart(object: KubeObject, { resource, subresource }: Target): KubeObject {
  if (!resource.statusSubresource) return object;
  const { apiVersion, kind, metadata, status, ...rest } = object;
  const common = { apiVersion, kind, metadata };
  if (subresource !== "status") return { ...common, ...rest };
  return { ...common, ...(status !== undefined && { status }) };
}

/** The object that client-side `kubectl apply` applied last, if it is recorded. */
function lastApplied(metadata: ObjectMeta | undefined): KubeObject | undefined {
  const noted = metadata?.annotations?.[LAST_APPLIED];
  if (noted === undefined) return undefined;
  try {
    return asObject(parseJson(noted));
  } catch {
    return undefined;
  }
}

/** Updates the annotation of client-side `kubectl apply` if it exists, so that kubectl can switch back to it. */
function withLastApplied({ annotations }: ObjectMeta, object: KubeObject): ObjectMeta["annotations"] {
  if (annotations?.[LAST_APPLIED] === undefined) return annotations;
  const { [LAST_APPLIED]: _, ...others } = object.metadata.annotations ?? {};
  const { annotations: _annotations, ...metadata } = object.metadata;
  const hasOthers = Object.keys(others).length > 0;
  const applied = { ...object, metadata: { ...metadata, ...(hasOthers && { annotations: others }) } };
  return { ...annotations, [LAST_APPLIED]: JSON.stringify(applied) + "\n" };
}
