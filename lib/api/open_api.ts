/** Schemas as Kubernetes wants them, made from those of this folder. */
import type { z } from "zod";
import { type KindName, KINDS } from "./kinds.ts";
import type { Json } from "./schema.ts";
import { isOptional, isRecursive, limitsOf, type Structure, structureOf } from "./structure.ts";

/** A schema as Kubernetes wants it: OpenAPI v3, structural, without references. */
export type OpenAPISchema = { [key: string]: Json };

const OPEN: OpenAPISchema = { "x-kubernetes-preserve-unknown-fields": true };

/** Any object, its fields kept. */
const OPEN_OBJECT: OpenAPISchema = { type: "object", ...OPEN };

/** Translates a schema of `lib/api`. A schema that holds itself (inline templates) becomes an open object. */
export function openAPI(schema: z.core.$ZodType): OpenAPISchema {
  const { rules, open, ...bounds } = limitsOf(schema);
  if (open || isRecursive(schema)) return OPEN_OBJECT;
  const validations = rules?.map(({ rule, message }) => ({ rule, message }));
  return {
    ...plain(structureOf(schema)),
    ...bounds,
    ...(validations === undefined ? {} : { "x-kubernetes-validations": validations }),
  };
}

function plain(structure: Structure): OpenAPISchema {
  switch (structure.kind) {
    case "object":
      return {
        type: "object",
        ...properties(structure.shape),
        ...(structure.open ? OPEN : {}),
      };
    case "list":
      return { type: "array", items: openAPI(structure.element) };
    case "map":
      return isJson(structure.value) ? OPEN_OBJECT : { type: "object", additionalProperties: openAPI(structure.value) };
    case "enum":
      return { type: "string", enum: [...structure.values] };
    case "number":
      return structure.format === "float" ? { type: "number" } : { type: "integer", format: structure.format };
    case "string":
    case "boolean":
      return { type: structure.kind };
    case "wire":
      return wire(structure.form);
  }
}

function isJson(schema: z.core.$ZodType): boolean {
  const structure = structureOf(schema);
  return structure.kind === "wire" && structure.form === "json";
}

function properties(shape: Readonly<Record<string, z.core.$ZodType>>): OpenAPISchema {
  const fields = Object.entries(shape);
  if (fields.length === 0) return {};
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, openAPI(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function wire(form: (Structure & { kind: "wire" })["form"]): OpenAPISchema {
  switch (form) {
    case "intOrString":
      return { "x-kubernetes-int-or-string": true };
    case "time":
      return { type: "string", format: "date-time", nullable: true };
    case "anyString": // numbers and booleans too, which no structural type can say
    case "quantity": // fractions too
    case "json":
      return OPEN;
  }
}

/** The schema of a kind. Its status is open: only controllers write it, and one of another version may know more fields. */
export function kindOpenAPI(kind: KindName): OpenAPISchema {
  const root = structureOf(KINDS[kind].schema);
  if (root.kind !== "object") throw new TypeError(`The schema of ${kind} is no object`);
  const { metadata: _, status, ...shape } = root.shape;
  const required = ["metadata", ...("spec" in shape ? ["spec"] : [])];
  const properties = Object.entries(shape).map(([name, field]) => [name, openAPI(field)]);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      metadata: { type: "object" },
      ...(status === undefined ? {} : { status: OPEN_OBJECT }),
    },
    required,
  };
}
