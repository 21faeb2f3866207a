/** Fields that Argo's CRDs require although manifests may omit them: Argo's clients always send them. */
import type { z } from "zod";
import { isObject } from "@tiphys/base/fields_of";
import { isKindName, KINDS } from "./kinds.ts";
import { limitsOf, type Structure, structureOf } from "./structure.ts";

/** Adds missing required fields with empty values; returns the same object if none is missing. */
export function withRequiredFields<T extends { readonly kind?: string | undefined }>(object: T, kind = object.kind): T {
  return isKindName(kind) ? fillRequired(object, KINDS[kind].schema) as T : object;
}

/** The structures and required fields of schemas, cached because a workflow may have thousands of values of each. */
const plans = new WeakMap<z.core.$ZodType, { readonly structure: Structure; readonly required: readonly string[] }>();

function planOf(schema: z.core.$ZodType) {
  let plan = plans.get(schema);
  if (!plan) {
    plan = { structure: structureOf(schema), required: limitsOf(schema).argoRequires ?? [] };
    plans.set(schema, plan);
  }
  return plan;
}

function fillRequired(value: unknown, schema: z.core.$ZodType): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { structure, required } = planOf(schema);
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
  for (const name of required) {
    const empty = emptyOf(schemaOf(name));
    if (empty !== undefined && (value[name] ?? undefined) === undefined) result = { ...result, [name]: empty };
  }
  return result;
}

function emptyOf(schema: z.core.$ZodType | undefined): "" | false | undefined {
  const kind = schema && planOf(schema).structure.kind;
  return kind === "string" ? "" : kind === "boolean" ? false : undefined;
}
