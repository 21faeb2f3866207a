/** The rules for the content of ConfigMaps and Secrets. */

import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { sameJson } from "@tiphys/kube/patch";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, type Cause } from "../status_error.ts";
import { configKeyRule } from "./names.ts";

/** The maximum total size of the values of a ConfigMap or Secret, in bytes. */
const MAX_DATA_BYTES = 1024 * 1024;

const HELD: Readonly<Record<string, readonly string[]>> = {
  configmaps: ["data", "binaryData"],
  secrets: ["data"],
};

/** Reports whether a resource has such content. */
export function holdsData({ builtIn, plural }: ServedResource): boolean {
  return builtIn && Object.hasOwn(HELD, plural);
}

/**
 * Returns the errors of keys and values.
 * @throws {StatusError} 400 if a value is not valid base64.
 */
export function dataCauses(object: KubeObject, resource: ServedResource): Cause[] {
  const isSecret = resource.plural === "secrets";
  const data = fieldsOf(object.data);
  const binary = fieldsOf(object.binaryData);
  const texts = isSecret ? {} : data;
  const encoded = isSecret ? data : binary;
  const keys = ["data", "binaryData", "stringData"].flatMap((field) =>
    Object.keys(fieldsOf(object[field])).flatMap((key) =>
      configKeyRule(key).map((why) => invalidCause(`${field}[${key}]`, key, why))
    )
  );
  const twice = Object.keys(texts).filter((key) => Object.hasOwn(binary, key))
    .map((key) => invalidCause(`data[${key}]`, key, "duplicate of key present in binaryData"));
  const bytes = utf8Bytes(Object.values(texts)) +
    Object.values(encoded).reduce<number>((sum, text) => sum + decodedBytes(text, resource), 0);
  const message = `Too long: may not be more than ${MAX_DATA_BYTES} bytes`;
  const long: Cause[] = bytes > MAX_DATA_BYTES
    ? [{ reason: "FieldValueTooLong", field: isSecret ? "data" : "[]", message }]
    : [];
  return [...keys, ...twice, ...long];
}

/** Returns the errors of a change: immutable data must not change, nor the type of a Secret. */
export function dataChangeCauses(before: KubeObject, next: KubeObject, resource: ServedResource): Cause[] {
  const causes: Cause[] = [];
  if (before.immutable === true) {
    const message = "Forbidden: field is immutable when `immutable` is set";
    const changed = (field: string) => !sameJson(before[field] ?? {}, next[field] ?? {});
    if (next.immutable !== true) causes.push({ reason: "FieldValueForbidden", field: "immutable", message });
    for (const field of HELD[resource.plural] ?? []) {
      if (changed(field)) causes.push({ reason: "FieldValueForbidden", field, message });
    }
  }
  if (resource.plural === "secrets" && before.type !== next.type) {
    causes.push(invalidCause("type", next.type, "field is immutable"));
  }
  return causes;
}

function invalidCause(field: string, value: unknown, reason: string): Cause {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(value)}: ${reason}` };
}

/** The total size of texts. They are encoded together, which is much faster than one by one. */
function utf8Bytes(values: readonly unknown[]): number {
  const texts = values.filter((value) => typeof value === "string");
  return new TextEncoder().encode(texts.join("\n")).length - Math.max(0, texts.length - 1);
}

function decodedBytes(text: unknown, { kind, version }: ServedResource): number {
  if (typeof text !== "string") return 0;
  try {
    return Uint8Array.fromBase64(text).length;
  } catch {
    const index = text.search(/[^A-Za-z0-9+/\r\n]/);
    const why = `illegal base64 data at input byte ${index < 0 ? text.length : index}`;
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
  }
}
