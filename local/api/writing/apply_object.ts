/** Server-side apply over the store. */

import { parseJson } from "@tiphys/base/bounded_json";
import type { KubeObject, ObjectMeta } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import { checkAppliedShape } from "../rules/applied_shape.ts";
import { refuseUnknown } from "../rules/known_fields.ts";
import type { ApiContext } from "../context.ts";
import { checkIdentity, createObject } from "./create.ts";
import { applyConfiguration, ApplyConflictError } from "../managed_fields/mod.ts";
import { applyConflict, badRequest } from "../status_error.ts";
import { collectionName } from "../store.ts";
import { commit, existing, type Target } from "./update.ts";
import { asObject } from "../body.ts";
import type { WriteFlags, Written } from "./write_request.ts";

/** The manager of `kubectl apply --server-side` where no other is named. */
const KUBECTL = "kubectl";
/** The annotation in which `kubectl apply` without `--server-side` keeps the object that it applied last. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * PATCH by server-side apply: an object that is not there is created.
 * @throws {StatusError} 409 when others own what would change.
 */
export function applyObject(context: ApiContext, target: Target, given: KubeObject, flags: WriteFlags): Written {
  const { resource, namespace, name, subresource } = target;
  checkIdentity(given, resource, namespace);
  if (given.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  checkAppliedShape(given, resource);
  if (subresource === undefined) refuseUnknown(given, resource);
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const before = subresource ? existing(context, target) : context.store.get(collectionName(resource), key);
  const write = {
    resource,
    writer: { manager: flags.manager, operation: "Apply", ...(subresource && { subresource }) } as const,
    now: timeText(context.now()),
    force: flags.force,
    wantedBefore: flags.manager === KUBECTL ? lastApplied(before?.object.metadata) : undefined,
  };
  try {
    const { object, managedFields } = applyConfiguration(before?.object, wantedPart(given, target), write);
    if (before === undefined) {
      const named = { ...object, metadata: { ...object.metadata, name } };
      return createObject(context, resource, namespace, named, flags, managedFields);
    }
    // The resourceVersion and the UID to compare are those that the writer gave, not those that the object had.
    const { resourceVersion, uid } = given.metadata;
    const annotations = flags.manager === KUBECTL
      ? withLastApplied(object.metadata, given)
      : object.metadata.annotations;
    const conditional = { ...object, metadata: { ...object.metadata, annotations, resourceVersion, uid } };
    return commit(context, target, before, conditional, flags, managedFields);
  } catch (error) {
    if (error instanceof ApplyConflictError) throw applyConflict(error);
    throw error;
  }
}

/** The part of an object that a request may write: the status or the rest, where the status is a subresource. */
function wantedPart(given: KubeObject, { resource, subresource }: Target): KubeObject {
  if (!resource.statusSubresource) return given;
  const { apiVersion, kind, metadata, status, ...rest } = given;
  const common = { apiVersion, kind, metadata };
  if (subresource !== "status") return { ...common, ...rest };
  return { ...common, ...(status !== undefined && { status }) };
}

/** The object that kubectl applied last without `--server-side`, where it noted that. */
function lastApplied(metadata: ObjectMeta | undefined): KubeObject | undefined {
  const noted = metadata?.annotations?.[LAST_APPLIED];
  if (noted === undefined) return undefined;
  try {
    return asObject(parseJson(noted));
  } catch {
    return undefined;
  }
}

/** The annotations with what was applied noted where kubectl noted it before: it may go back to its own way of applying. */
function withLastApplied({ annotations }: ObjectMeta, given: KubeObject): ObjectMeta["annotations"] {
  if (annotations?.[LAST_APPLIED] === undefined) return annotations;
  const { [LAST_APPLIED]: _, ...others } = given.metadata.annotations ?? {};
  const { annotations: _annotations, ...metadata } = given.metadata;
  const hasOthers = Object.keys(others).length > 0;
  const applied = { ...given, metadata: { ...metadata, ...(hasOthers && { annotations: others }) } };
  return { ...annotations, [LAST_APPLIED]: JSON.stringify(applied) + "\n" };
}
