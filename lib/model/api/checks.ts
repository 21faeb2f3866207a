/**
 * Fast, handwritten checks of incoming objects, limited to the fields that this project reads. Validating with a schema
 * takes five times as long as parsing the JSON, which is too slow for watch events and long lists. Fields that are
 * `null` are deleted from the object, because `null` means absent on the wire.
 */
import { isObject } from "@tiphys/base/fields_of";
import type { ObjectMeta } from "./metadata.ts";

/** Returns the error in a value, beginning with its place inside the value; undefined if the value is valid. */
export type Check = (value: unknown) => string | undefined;

/** A string. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : expected("string", value);
}

/** A number. */
export function number(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : expected("number", value);
}

/** A boolean. */
export function flag(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : expected("boolean", value);
}

/** A map of strings. */
export function stringMap(value: unknown): string | undefined {
  if (!isObject(value)) return expected("object", value);
  for (const name in value) {
    if (value[name] === null) delete value[name];
    else if (typeof value[name] !== "string") return `.${name}${expected("string", value[name])}`;
  }
  return undefined;
}

/** A list of values. */
export function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return expected("list", value);
    for (let index = 0; index < value.length; index++) {
      const problem = check(value[index]);
      if (problem !== undefined) return `[${index}]${problem}`;
    }
    return undefined;
  };
}

/** An object with these fields, of which some are required, and any others. */
export function objectOf(shape: Readonly<Record<string, Check>>, ...required: readonly string[]): Check {
  const names = Object.keys(shape);
  const checks = Object.values(shape);
  return (value) => {
    if (!isObject(value)) return expected("object", value);
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const field = value[name];
      if (field === undefined) continue;
      if (field === null) {
        delete value[name];
        continue;
      }
      const problem = checks[index]!(field);
      if (problem !== undefined) return `.${name}${problem}`;
    }
    for (const name of required) if (value[name] === undefined) return `.${name} is required`;
    return undefined;
  };
}

/** A map from names to values of one kind. */
export function mapOf(check: Check): Check {
  return (value) => {
    if (!isObject(value)) return expected("object", value);
    for (const name in value) {
      if (value[name] === null) {
        delete value[name];
        continue;
      }
      const problem = check(value[name]);
      if (problem !== undefined) return `.${name}${problem}`;
    }
    return undefined;
  };
}

/** The value is not quoted, because it may be a secret of the pod's environment. */
function expected(what: string, value: unknown): string {
  if (value === null) return `: expected ${what}, got null`;
  const kind = Array.isArray(value) ? "list" : typeof value;
  return `: expected ${what}, got ${kind === "object" ? "an" : "a"} ${kind}`;
}

/** The checks of metadata, by field. */
export const METADATA = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: number,
  labels: stringMap,
  annotations: stringMap,
  finalizers: listOf(text),
  ownerReferences: listOf(objectOf({ apiVersion: text, kind: text, name: text, uid: text, controller: flag })),
};
const METADATA_FIELDS: readonly [string, Check][] = Object.entries(METADATA);

/** The valid fields of the metadata of an object that cannot be parsed. */
export function readableMetadata(found: unknown): ObjectMeta {
  const metadata: ObjectMeta = {};
  if (!isObject(found) || !isObject(found.metadata)) return metadata;
  for (const [name, check] of METADATA_FIELDS) {
    const value = found.metadata[name];
    if (value !== undefined && check(value) === undefined) Object.assign(metadata, { [name]: value });
  }
  return metadata;
}
