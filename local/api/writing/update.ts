/** Changes objects: replace, patch, and their common parts. */

import { atOnce } from "@tiphys/base/turns";
import type { KubeObject } from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import { checkedText, checkIdentity, checkObject, checkSize } from "./create.ts";
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
import { collectionName, type StoredObject } from "../store.ts";
import { asObject } from "../body.ts";
import type { Patch } from "./patch_body.ts";
import { largeWrite, type WriteFlags, type WriteResult } from "./write_request.ts";

/** The object to write, and its subresource, if any. */
export interface Target {
  readonly resource: ServedResource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
}

/**
 * Returns the stored object.
 * @throws {StatusError} 404 if it does not exist.
 */
export function getStored(context: ApiContext, { resource, namespace, name }: Target): StoredObject {
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const stored = context.store.get(collectionName(resource), key);
  if (!stored) throw notFound(resource, name);
  return stored;
}

/**
 * PUT.
 * @throws {StatusError} 409 if the body has a resourceVersion that is not the latest.
 */
export async function replaceObject(
  context: ApiContext,
  target: Target,
  object: KubeObject,
  flags: WriteFlags,
): Promise<WriteResult> {
  checkIdentity(object, target.resource, target.namespace);
  if (object.metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${object.metadata.name ?? ""}) does not match the name on the URL (${target.name})`,
    );
  }
  return await retryIfChanged(target, () => writeIfChanged(context, target, getStored(context, target), object, flags));
}

/** The maximum number of times that a change is applied to the latest object, if others change it meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * Repeats a write while its result is undefined: others have changed the object meanwhile.
 * @throws {StatusError} 409 if they do so during every attempt.
 */
export async function retryIfChanged(
  { resource, name }: Target,
  write: () => Promise<WriteResult | undefined>,
): Promise<WriteResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = await write();
    if (result) return result;
  }
  throw conflict(resource, name);
}

/**
 * PATCH with a description of the change. Server-side apply is in apply_object.ts.
 * @throws {StatusError} 409 if others change the object during every attempt.
 */
export async function patchObject(
  context: ApiContext,
  target: Target,
  patch: Patch,
  flags: WriteFlags,
): Promise<WriteResult> {
  return await retryIfChanged(target, async () => {
    const before = getStored(context, target);
    const patched = asObject(await patch(before, target.resource));
    return await writeIfChanged(context, target, before, patched, flags);
  });
}

/**
 * Writes the object of a request, as far as the request may change it; a large one in stages. `managedFields` are set
 * for an apply. Returns undefined if the stored object is no longer `before`.
 */
export async function writeIfChanged(
  context: ApiContext,
  target: Target,
  before: StoredObject,
  object: KubeObject,
  flags: WriteFlags,
  managedFields?: readonly ManagedFieldsEntry[],
): Promise<WriteResult | undefined> {
  const { resource, name, subresource } = target;
  const large = largeWrite(flags, before);
  if (large) await large.turn();
  if (getStored(context, target) !== before) return undefined;
  checkShape(object, resource);
  const { resourceVersion, uid } = object.metadata;
  if (resourceVersion && resourceVersion !== before.object.metadata.resourceVersion) throw conflict(resource, name);
  if (uid && uid !== before.object.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.object.metadata.uid}`;
    throw conflict(resource, name, why);
  }
  const known = knownChange(before.object, object, target);
  if (large) await large.turn();
  const allowed = allowedChange(before.object, known.object, resource, subresource);
  const changed = withGeneration(before.object, allowed, resource);
  const isUnchanged = (next: KubeObject) => sameJson(withoutVersion(before.object), withoutVersion(next));
  if (managedFields === undefined && isUnchanged(changed)) return unchangedResult(before, known, resource, flags);
  const writer = { manager: flags.manager, operation: "Update", subresource } as const;
  const write = { resource, writer, now: timeText(context.now()) };
  if (large) await large.turn();
  const owners = managedAfterUpdate(before.object, changed, write);
  const next = withManagedFields(changed, managedFields ?? (large ? await large.complete(owners) : atOnce(owners)));
  if (large) await large.turn();
  if (managedFields !== undefined && isUnchanged(next)) return unchangedResult(before, known, resource, flags);
  flags.check?.(before.object, next);
  checkObject(next, resource);
  const causes = [
    ...finalizerCauses(before.object.metadata, next.metadata),
    ...(holdsData(resource) ? dataChangeCauses(before.object, next, resource) : []),
    ...(resource.plural === "pods" && resource.builtIn ? podChangeCauses(before.object, next) : []),
  ];
  if (causes.length > 0) throw invalid(resource, name, causes);
  if (large) await large.turn();
  // The controller writes the status often, so the schema is only checked if the specification has changed.
  const isChecked = known.unknown.length === 0 && sameJson(before.object.spec, next.spec);
  const kindErrors = isChecked
    ? undefined
    : await flags.large?.kindErrors(next, resource, { inStages: large !== undefined });
  const warnings = isChecked
    ? []
    : checkFields({ object: next, unknown: known.unknown }, resource, flags.strictness, kindErrors);
  if (getStored(context, target) !== before) return undefined;
  if (flags.dryRun) return { text: checkedText(next), created: false, warnings };
  const { text } = writeChange(context, before, next);
  // The response is made in another stage.
  if (large) await large.turn();
  return { text, created: false, warnings };
}

/** The result of a write that changes nothing. It contains warnings about unknown fields. */
function unchangedResult(
  stored: StoredObject,
  part: KnownPart,
  resource: ServedResource,
  flags: WriteFlags,
): WriteResult {
  const warnings = part.unknown.length === 0
    ? []
    : checkFields({ object: stored.object, unknown: part.unknown }, resource, flags.strictness);
  return { text: stored.text, created: false, warnings };
}

/** The known fields of a request. An unchanged spec was already checked when it was written, so it is skipped. */
function knownChange(before: KubeObject, submitted: KubeObject, { resource, subresource }: Target): KnownPart {
  if (subresource !== undefined && resource.schema === undefined) return { object: submitted, unknown: [] };
  if (before.spec === undefined || !sameJson(before.spec, submitted.spec)) return knownPart(submitted, resource);
  const { spec, ...rest } = submitted;
  const { object, unknown } = knownPart(rest, resource);
  return { object: object === rest ? submitted : { ...object, spec }, unknown };
}

/** Writes a changed object. An object that is being deleted is removed after its last finalizer. */
export function writeChange(context: ApiContext, before: StoredObject, next: KubeObject): StoredObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  if (deletionTimestamp && finalizers.length === 0 && !deletionGracePeriodSeconds) {
    return context.store.remove({ ...before, object: next });
  }
  return context.store.put(before.resource, next, checkSize);
}

function withoutVersion(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

/** The object with the changes of a request, without those to fields of the server or of another subresource. */
function allowedChange(
  before: KubeObject,
  object: KubeObject,
  resource: ServedResource,
  subresource: string | undefined,
): KubeObject {
  const { status: oldStatus, ...old } = before;
  const { status: newStatus, ...rest } = object;
  if (subresource === "status") {
    if (!resource.statusSubresource) throw notFoundSubresource();
    // Kubernetes allows changes of labels and annotations of built-in kinds together with their status.
    const metadata = resource.builtIn ? changedMetadata(before.metadata, object.metadata) : before.metadata;
    return { ...old, metadata, ...(newStatus !== undefined && { status: newStatus }) };
  }
  if (subresource !== undefined) throw methodNotAllowed();
  const status = resource.statusSubresource ? oldStatus : newStatus;
  return withDefaults({
    apiVersion: before.apiVersion,
    kind: before.kind,
    ...rest,
    metadata: changedMetadata(before.metadata, object.metadata),
    ...(status !== undefined && { status }),
  }, resource);
}

function notFoundSubresource(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** Increments the generation if the spec has changed, or anything but metadata if the status is not a subresource. */
function withGeneration(before: KubeObject, next: KubeObject, resource: ServedResource): KubeObject {
  if (before.metadata.generation === undefined) return next;
  const desired = ({ metadata: _metadata, status, ...rest }: KubeObject) =>
    resource.builtIn || resource.statusSubresource ? rest : { ...rest, status };
  if (sameJson(desired(before), desired(next))) return next;
  return { ...next, metadata: { ...next.metadata, generation: before.metadata.generation + 1 } };
}
