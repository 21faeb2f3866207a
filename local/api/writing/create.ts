/** Creates objects. */

import { atOnce } from "@tiphys/base/turns";
import type { KubeObject } from "@tiphys/kube";
import { apiVersionOf } from "@tiphys/kube/resources";
import { timeText } from "@tiphys/model/status";
import type { ApiContext } from "../context.ts";
import { initialStatus, withDefaults } from "../rules/defaults.ts";
import { checkFields } from "../rules/field_validation.ts";
import { managedAfterUpdate, type ManagedFieldsEntry, withManagedFields } from "../managed_fields/mod.ts";
import { MAX_OBJECT_CHARACTERS } from "../limits.ts";
import { createDefaultAccount, ensureNamespace } from "../rules/namespaces.ts";
import { knownPart } from "../rules/known_fields.ts";
import { nameCauses } from "../rules/names.ts";
import { checkShape } from "../rules/object_shape.ts";
import type { ServedResource } from "../served_resource.ts";
import { alreadyExists, badRequest, type Cause, invalid } from "../status_error.ts";
import { collectionName } from "../store.ts";
import { metadataCauses, specCauses } from "../rules/validation.ts";
import { largeWrite, OBJECT_TOO_LARGE, tooLarge, type WriteFlags, type WriteResult } from "./write_request.ts";

/** The characters of generated names. There are no vowels, so that no words are generated. */
const SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
const MAX_GENERATED_BASE = 63 - SUFFIX_LENGTH;

/**
 * Creates an object; a large one in stages. The writer owns its fields, unless it was applied and `managedFields`
 * contains the owners.
 * @throws {StatusError} if it is invalid or already exists.
 */
export async function createObject(
  context: ApiContext,
  resource: ServedResource,
  namespace: string | undefined,
  submitted: KubeObject,
  flags: WriteFlags,
  managedFields?: readonly ManagedFieldsEntry[],
): Promise<WriteResult> {
  const large = largeWrite(flags);
  checkShape(submitted, resource);
  checkIdentity(submitted, resource, namespace);
  if (submitted.metadata.resourceVersion) {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  if (large) await large.turn();
  const known = knownPart(submitted, resource);
  if (large) await large.turn();
  const named = withName(context, known.object, resource, namespace);
  const bare = setServerFields(context, named, resource, namespace);
  const writer = { manager: flags.manager, operation: "Update" } as const;
  const owners = managedAfterUpdate(undefined, bare, { resource, writer, now: timeText(context.now()) });
  const object = withManagedFields(bare, managedFields ?? (large ? await large.complete(owners) : atOnce(owners)));
  if (large) await large.turn();
  flags.check?.(undefined, object);
  checkObject(object, resource, nameCauses(object, resource, namespace));
  if (large) await large.turn();
  const kindErrors = await flags.large?.kindErrors(object, resource, { inStages: large !== undefined });
  const warnings = checkFields({ object, unknown: known.unknown }, resource, flags.strictness, kindErrors);
  const { name = "" } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  if (context.store.get(collectionName(resource), key)) throw alreadyExists(resource, name);
  if (namespace !== undefined) ensureNamespace(context, namespace, flags.dryRun);
  if (flags.dryRun) return { text: checkedText(object), created: true, warnings };
  if (resource.builtIn && resource.kind === "Namespace") createDefaultAccount(context, name);
  const stored = context.store.put(collectionName(resource), object, checkSize);
  // The response is made in another stage.
  if (large) await large.turn();
  return { text: stored.text, created: true, warnings };
}

/**
 * Refuses an object that is invalid in any version of its kind. `knownCauses` contains errors that were already found.
 */
export function checkObject(object: KubeObject, resource: ServedResource, knownCauses: readonly Cause[] = []): void {
  const causes = [...knownCauses, ...metadataCauses(object), ...specCauses(object, resource)];
  if (causes.length > 0) throw invalid(resource, object.metadata.name ?? object.metadata.generateName ?? "", causes);
}

/** @throws {StatusError} 413 for an object that is too large to be stored. */
export function checkSize(text: string): void {
  if (text.length > MAX_OBJECT_CHARACTERS) throw tooLarge(OBJECT_TOO_LARGE);
}

/** Serializes an object that is not stored, with the errors of one that is. */
export function checkedText(object: KubeObject): string {
  const text = JSON.stringify(object);
  checkSize(text);
  return text;
}

/** Refuses a body with another kind or namespace than its path. */
export function checkIdentity(object: KubeObject, resource: ServedResource, namespace: string | undefined): void {
  const { apiVersion, kind } = object;
  if (!kind && !resource.builtIn) throw badRequest(`Object 'Kind' is missing in the body, expected ${resource.kind}`);
  if ((kind ?? resource.kind) !== resource.kind || (apiVersion ?? apiVersionOf(resource)) !== apiVersionOf(resource)) {
    throw badRequest(
      `${apiVersion ?? ""}, Kind=${kind ?? ""} does not match the expected ${
        apiVersionOf(resource)
      }, Kind=${resource.kind}`,
    );
  }
  if (resource.namespaced && namespace === undefined) {
    throw badRequest(`an empty namespace may not be set during creation`);
  }
  if (object.metadata.namespace && object.metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    );
  }
}

function withName(
  context: ApiContext,
  object: KubeObject,
  resource: ServedResource,
  namespace: string | undefined,
): KubeObject {
  const { name, generateName } = object.metadata;
  if (name || !generateName) return object;
  for (;;) {
    const generated = generateName.slice(0, MAX_GENERATED_BASE) + suffix();
    const key = namespace === undefined ? generated : `${namespace}/${generated}`;
    if (!context.store.get(collectionName(resource), key)) {
      return { ...object, metadata: { ...object.metadata, name: generated } };
    }
  }
}

function suffix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SUFFIX_LENGTH));
  return [...bytes].map((byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]).join("");
}

/** Sets the fields that only the server may set on a new object. */
function setServerFields(
  context: ApiContext,
  submitted: KubeObject,
  resource: ServedResource,
  namespace: string | undefined,
): KubeObject {
  const {
    managedFields: _managed,
    selfLink: _link,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    namespace: _namespace,
    ...metadata
  } = submitted.metadata;
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status, ...rest } = submitted;
  const object: KubeObject = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...metadata,
      ...(namespace !== undefined && { namespace }),
      uid: crypto.randomUUID(),
      creationTimestamp: timeText(context.now()),
      ...((!resource.builtIn || rest.spec !== undefined) && { generation: 1 }),
    },
    ...rest,
  };
  const initial = resource.statusSubresource ? initialStatus(resource, rest) : status;
  return withDefaults({ ...object, ...(initial !== undefined && { status: initial }) }, resource);
}
