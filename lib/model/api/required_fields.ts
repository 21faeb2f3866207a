/** Fields that Argo's CRDs require although manifests may omit them: Argo's clients always send them. */
import type { z } from "zod";
import { isObject } from "@tiphys/base/fields_of";
import { isKindName, KINDS } from "./kinds.ts";
import { limitsOf, structureOf } from "./structure.ts";

/** Adds missing required fields with empty values; returns the same object if none is missing. */
export function withRequiredFields<T extends { readonly kind?: string | undefined }>(object: T, kind = object.kind): T {
  return isKindName(kind) ? fillRequired(object, KINDS[kind].schema) as T : object;
}

function fillRequired(value: unknown, schema: z.core.$ZodType): unknown {
  const structure = structureOf(schema);
  if (structure.kind === "list") {
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => fillRequired(item, structure.element));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value) || (structure.kind !== "object" && structure.kind !== "map")) return value;
  const schemaOf = (name: string) => {
    if (structure.kind === "map") return structure.value;
    // The status belongs to controllers, and metadata has no such fields.
    if (name === "status" || name === "metadata") return undefined;
    return Object.hasOwn(structure.shape, name) ? structure.shape[name] : undefined;
  };
  let result = value;
  for (const [name, field] of Object.entries(value)) {
    const below = schemaOf(name);
    const next = below === undefined ? field : fillRequired(field, below);
    if (next !== field) result = { ...result, [name]: next };
  }
  for (const name of limitsOf(schema).argoRequires ?? []) {
    const empty = emptyOf(schemaOf(name));
    if (empty !== undefined && (value[name] ?? undefined) === undefined) result = { ...result, [name]: empty };
  }
  return result;
}

function emptyOf(schema: z.core.$ZodType | undefined): "" | false | undefined {
  const kind = schema && structureOf(schema).kind;
  return kind === "string" ? "" : kind === "boolean" ? false : undefined;
}
