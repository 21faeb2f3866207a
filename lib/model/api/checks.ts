/**
 * Checks of objects as they enter, made by hand: of the fields that this project reads and no more. A whole schema costs five
 * times as much as parsing the JSON, which neither the events of a watch nor long lists can afford. What is `null` is
 * deleted from the object on the way: it is absent on the wire.
 */
import { isObject } from "@tiphys/base/fields_of";
import type { ObjectMeta } from "./metadata.ts";

/** Says what is wrong with a value, after the place inside it; undefined when nothing is. */
export type Check = (value: unknown) => string | undefined;

/** A text. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : expected("string", value);
}

/** A number. */
export function number(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : expected("number", value);
}

/** A boolean. */
export function yesOrNo(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : expected("boolean", value);
}

/** A map of texts. */
export function texts(value: unknown): string | undefined {
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

/** An object with these fields, and any others. Those that are required must be there. */
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

/** The value itself is not told: it may be a secret of the pod's environment. */
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
  labels: texts,
  annotations: texts,
  finalizers: listOf(text),
  ownerReferences: listOf(objectOf({ apiVersion: text, kind: text, name: text, uid: text, controller: yesOrNo })),
};
const METADATA_FIELDS: readonly [string, Check][] = Object.entries(METADATA);

/** The metadata of an object that cannot be read: the fields of it that can. */
export function readableMetadata(found: unknown): ObjectMeta {
  const metadata: ObjectMeta = {};
  if (!isObject(found) || !isObject(found.metadata)) return metadata;
  for (const [name, check] of METADATA_FIELDS) {
    const value = found.metadata[name];
    if (value !== undefined && check(value) === undefined) Object.assign(metadata, { [name]: value });
  }
  return metadata;
}
