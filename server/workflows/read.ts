/** Objects in the bodies of requests, parsed where they enter. */
import {
  API_VERSION,
  type FieldError,
  formatFieldError,
  type KindName,
  type KindTypes,
  parseKind,
  withSchemaNames,
} from "../../lib/api/mod.ts";
import type { KubeObject } from "../../lib/kube/mod.ts";
import { badRequest } from "../wire/errors.ts";

/**
 * The object of a body's field, as it was sent: fields that are not known survive, names count whatever the case of their
 * letters.
 * @throws {WireError} `missing` where there is none, and for one that is not of its kind, with its place.
 */
export function readKind<K extends KindName>(kind: K, value: unknown, field: string, missing: string): KindTypes[K] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badRequest(missing);
  const sent = withSchemaNames({ ...value, apiVersion: API_VERSION, kind }) as { readonly metadata?: unknown };
  const object = { ...sent, metadata: withoutNulls(sent.metadata ?? {}) };
  const parsed = parseKind(kind, object, "lenient");
  if (!parsed.ok) throw badRequest(parsed.errors.slice(0, 3).map((error) => describe(field, error)).join("; "));
  // deno-lint-ignore tiphys/no-double-cast -- it was read as its kind; the fields that nobody here knows stay
  return object as unknown as KindTypes[K];
}

function describe(field: string, error: FieldError): string {
  return `${field}.${formatFieldError(error)}`;
}

/** Go's clients send `creationTimestamp: null`. */
function withoutNulls(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

/**
 * The namespace that an object goes to.
 * @throws {WireError} when the object says another one than the path.
 */
export function placed<T extends Pick<KubeObject, "metadata">>(object: T, namespace: string): T {
  const own = object.metadata.namespace;
  if (own && namespace && own !== namespace) {
    throw badRequest(`metadata.namespace: the path says ${JSON.stringify(namespace)}, got ${JSON.stringify(own)}`);
  }
  return namespace ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}
