/** Changing objects: replacing, patching, and what both have in common. */

import { nestingError } from "@tiphys/base/nesting";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  JsonPatchError,
  type KubeObject,
  mergeTypeOfKind,
  sameJson,
  StrategicPatchError,
} from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import { checkIdentity, checkObject } from "./create.ts";
import { dataChangeCauses, holdsData } from "../rules/data_rules.ts";
import { withDefaults } from "../rules/defaults.ts";
import { checkFields } from "../rules/field_validation.ts";
import { managedAfterUpdate, type ManagedFieldsEntry, withManagedFields } from "../managed_fields/mod.ts";
import { type KnownPart, knownPart } from "../rules/known_fields.ts";
import { changedMetadata, finalizerCauses } from "../rules/metadata_change.ts";
import { checkShape } from "../rules/object_shape.ts";
import { podChangeCauses } from "../rules/pod_change.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, conflict, invalid, methodNotAllowed, notFound, StatusError } from "../status_error.ts";
import { collectionName, type Stored } from "../store.ts";
import { asObject } from "../body.ts";
import type { WriteFlags, Written } from "./write_request.ts";

/** The object that is written, and the subresource of it, if it is one. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
}

/**
 * The stored object.
 * @throws {StatusError} 404.
 */
export function existing(context: ApiContext, { resource, namespace, name }: Target): Stored {
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const stored = context.store.get(collectionName(resource), key);
  if (!stored) throw notFound(resource, name);
  return stored;
}

/**
 * PUT.
 * @throws {StatusError} 409 when the body carries a resourceVersion that is not the newest.
 */
export function replaceObject(context: ApiContext, target: Target, given: KubeObject, flags: WriteFlags): Written {
  checkIdentity(given, target.resource, target.namespace);
  if (given.metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${given.metadata.name ?? ""}) does not match the name on the URL (${target.name})`,
    );
  }
  return commit(context, target, existing(context, target), given, flags);
}

/** PATCH by a description of the change: what an object should be like is apply_object.ts's. */
export function patchObject(
  context: ApiContext,
  target: Target,
  patch: unknown,
  mediaType: string,
  flags: WriteFlags,
): Written {
  const before = existing(context, target);
  const patched = asObject(applyPatch(before.object, patch, mediaType, target.resource));
  return commit(context, target, before, patched, flags);
}

function applyPatch(object: KubeObject, patch: unknown, mediaType: string, resource: ServedResource): unknown {
  try {
    switch (mediaType) {
      case "application/merge-patch+json":
        return applyMergePatch(object, patch);
      case "application/json-patch+json":
        return boundedObject(applyJsonPatch(object, patch));
      case "application/strategic-merge-patch+json":
        if (!resource.builtIn) throw unsupportedPatch(mediaType);
        return applyStrategicMergePatch(object, patch, mergeTypeOfKind(resource.kind));
      default:
        throw unsupportedPatch(mediaType);
    }
  } catch (error) {
    if (error instanceof JsonPatchError) {
      throw new StatusError(
        422,
        "Invalid",
        `the server rejected our request due to an error in our request: ${error.message}`,
      );
    }
    if (error instanceof StrategicPatchError) throw badRequest(error.message);
    throw error;
  }
}

/** @throws {StatusError} 422 for what patch after patch nested too deeply. */
function boundedObject(object: unknown): unknown {
  const nesting = nestingError(object);
  if (!nesting) return object;
  const what = `${nesting.path}: ${nesting.message}`;
  throw new StatusError(422, "Invalid", `the server rejected our request due to an error in our request: ${what}`);
}

function unsupportedPatch(mediaType: string): StatusError {
  const message = `the body of the request was in an unknown format (${mediaType}) - accepted media types include: ` +
    `application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

/** Writes what a request made of an object, as far as the request may change it; `managedFields` are an apply's own. */
export function commit(
  context: ApiContext,
  target: Target,
  before: Stored,
  given: KubeObject,
  flags: WriteFlags,
  managedFields?: readonly ManagedFieldsEntry[],
): Written {
  const { resource, name, subresource } = target;
  checkShape(given, resource);
  const { resourceVersion, uid } = given.metadata;
  if (resourceVersion && resourceVersion !== before.object.metadata.resourceVersion) throw conflict(resource, name);
  if (uid && uid !== before.object.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.object.metadata.uid}`;
    throw conflict(resource, name, why);
  }
  const known = knownChange(before.object, given, target);
  const allowed = allowedChange(before.object, known.object, resource, subresource);
  const changed = withGeneration(before.object, allowed, resource);
  const isUnchanged = (next: KubeObject) => sameJson(withoutVersion(before.object), withoutVersion(next));
  if (managedFields === undefined && isUnchanged(changed)) return unchanged(before, known, resource, flags);
  const writer = { manager: flags.manager, operation: "Update", subresource } as const;
  const write = { resource, writer, now: timeText(context.now()) };
  const next = withManagedFields(changed, managedFields ?? managedAfterUpdate(before.object, changed, write));
  if (managedFields !== undefined && isUnchanged(next)) return unchanged(before, known, resource, flags);
  flags.check?.(before.object, next);
  checkObject(next, resource);
  const causes = [
    ...finalizerCauses(before.object.metadata, next.metadata),
    ...(holdsData(resource) ? dataChangeCauses(before.object, next, resource) : []),
    ...(resource.plural === "pods" && resource.builtIn ? podChangeCauses(before.object, next) : []),
  ];
  if (causes.length > 0) throw invalid(resource, name, causes);
  // Status is written often and by the controller: only a change of what a person writes is checked against the schema.
  const warnings = known.unknown.length === 0 && sameJson(before.object.spec, next.spec)
    ? []
    : checkFields({ object: next, unknown: known.unknown }, resource, flags.strictness);
  if (flags.dryRun) return { text: JSON.stringify(next), created: false, warnings };
  return { text: writeChange(context, before, next).text, created: false, warnings };
}

/** An object that stays as it is; its writer is told of fields that were left out. */
function unchanged(stored: Stored, known: KnownPart, resource: ServedResource, flags: WriteFlags): Written {
  const warnings = known.unknown.length === 0
    ? []
    : checkFields({ object: stored.object, unknown: known.unknown }, resource, flags.strictness);
  return { text: stored.text, created: false, warnings };
}

/** What a request wants of an object, as far as the kind has it: a spec that stays as it is was looked through when it came. */
function knownChange(before: KubeObject, given: KubeObject, { resource, subresource }: Target): KnownPart {
  if (subresource !== undefined && resource.schema === undefined) return { object: given, unknown: [] };
  if (before.spec === undefined || !sameJson(before.spec, given.spec)) return knownPart(given, resource);
  const { spec, ...rest } = given;
  const { object, unknown } = knownPart(rest, resource);
  return { object: object === rest ? given : { ...object, spec }, unknown };
}

/** Writes a changed object; one that was only waiting for its finalizers goes when the last is gone. */
export function writeChange(context: ApiContext, before: Stored, next: KubeObject): Stored {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  if (deletionTimestamp && finalizers.length === 0 && !deletionGracePeriodSeconds) {
    return context.store.remove({ ...before, object: next });
  }
  return context.store.put(before.resource, next);
}

function withoutVersion(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

/** The object as the request may make it: the server's own fields, and what belongs to another subresource, stay. */
function allowedChange(
  before: KubeObject,
  given: KubeObject,
  resource: ServedResource,
  subresource: string | undefined,
): KubeObject {
  const { status: oldStatus, ...old } = before;
  const { status: newStatus, ...rest } = given;
  if (subresource === "status") {
    if (!resource.statusSubresource) throw notFoundSubresource();
    // Kubernetes lets labels and annotations of its own kinds change along with their status.
    const metadata = resource.builtIn ? changedMetadata(before.metadata, given.metadata) : before.metadata;
    return { ...old, metadata, ...(newStatus !== undefined && { status: newStatus }) };
  }
  if (subresource !== undefined) throw methodNotAllowed();
  const status = resource.statusSubresource ? oldStatus : newStatus;
  return withDefaults({
    apiVersion: before.apiVersion,
    kind: before.kind,
    ...rest,
    metadata: changedMetadata(before.metadata, given.metadata),
    ...(status !== undefined && { status }),
  }, resource);
}

function notFoundSubresource(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** The generation counts changes of what is wanted: of the spec, or of all but metadata where status is not apart. */
function withGeneration(before: KubeObject, next: KubeObject, resource: ServedResource): KubeObject {
  if (before.metadata.generation === undefined) return next;
  const wanted = ({ metadata: _metadata, status, ...rest }: KubeObject) =>
    resource.builtIn || resource.statusSubresource ? rest : { ...rest, status };
  if (sameJson(wanted(before), wanted(next))) return next;
  return { ...next, metadata: { ...next.metadata, generation: before.metadata.generation + 1 } };
}
