/** Parses objects in the bodies of requests. */
import { API_VERSION, type FieldError, formatFieldError, type KindName, type KindTypes } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { kindObject, withoutNullMetadata } from "@tiphys/language/text_worker";
import { queueKeyOf } from "../gate/caller.ts";
import type { Call } from "../routes/route.ts";
import { badRequest } from "../wire/errors.ts";

/**
 * Parses the object in a field of a body. Unknown fields are kept, and the names of fields are matched regardless of
 * case. A large object is read in the worker thread for large texts.
 * @throws {WireError} with `missing` if it is not an object; with the location if it is not valid for its kind.
 */
export async function readKind<K extends KindName>(
  { served, caller }: Pick<Call, "served" | "caller">,
  kind: K,
  value: unknown,
  { field, missing }: { readonly field: string; readonly missing: string },
): Promise<KindTypes[K]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badRequest(missing);
  const sent = { ...value, apiVersion: API_VERSION, kind };
  const { errors, renamed = sent } = await served.texts.run("kindObject", { kind, object: sent }, {
    key: queueKeyOf(caller),
    runHere: kindObject,
  });
  if (errors.length > 0) throw badRequest(errors.slice(0, 3).map((error) => describe(field, error)).join("; "));
  // deno-lint-ignore tiphys/no-double-cast -- it was validated as its kind; unknown fields are kept
  return withoutNullMetadata(renamed) as unknown as KindTypes[K];
}

function describe(field: string, error: FieldError): string {
  return `${field}.${formatFieldError(error)}`;
}

/**
 * Returns the object with the namespace of the path.
 * @throws {WireError} if the object has a different namespace.
 */
export function withNamespace<T extends Pick<KubeObject, "metadata">>(object: T, namespace: string): T {
  const own = object.metadata.namespace;
  if (own && namespace && own !== namespace) {
    throw badRequest(`metadata.namespace: the path has ${JSON.stringify(namespace)}, got ${JSON.stringify(own)}`);
  }
  return namespace ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}
