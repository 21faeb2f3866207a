/** Conversion of the schemas of this folder to OpenAPI schemas for Kubernetes. */
import type { z } from "zod";
import { type KindName, KINDS } from "./kinds.ts";
import type { Json } from "./schema.ts";
import { isOptional, isRecursive, limitsOf, type Structure, structureOf } from "./structure.ts";

/** A schema for Kubernetes: OpenAPI v3, structural, without references. */
export type OpenAPISchema = { [key: string]: Json };

const OPEN: OpenAPISchema = { "x-kubernetes-preserve-unknown-fields": true };

/** An object whose unknown fields are preserved. */
const OPEN_OBJECT: OpenAPISchema = { type: "object", ...OPEN };

/**
 * The variant of a schema. `own`: the schema of our CRDs, with open parts. `whole`: all fields, including those of the
 * status. `argo`: the fields, types and pruning of Argo's CRDs, without our additions.
 */
export type Dialect = "own" | "whole" | "argo";

/** Converts a schema of `lib/model/api`. A recursive schema (inline templates) becomes an open object. */
export function openAPI(schema: z.core.$ZodType, dialect: Dialect = "own"): OpenAPISchema {
  const { rules, open, addition: _, argoRequires = [], ...bounds } = limitsOf(schema);
  if ((open && dialect === "own") || isRecursive(schema)) return OPEN_OBJECT;
  const validations = rules?.map(({ rule, message }) => ({ rule, message }));
  const { required = [], ...shape } = plainSchema(structureOf(schema), dialect);
  const needed = [...required as string[], ...(dialect === "argo" ? argoRequires : [])];
  return {
    ...shape,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...bounds,
    ...(validations === undefined ? {} : { "x-kubernetes-validations": validations }),
  };
}

function plainSchema(structure: Structure, dialect: Dialect): OpenAPISchema {
  switch (structure.kind) {
    case "object":
      return {
        type: "object",
        ...properties(structure.shape, dialect),
        ...(structure.open ? OPEN : {}),
      };
    case "list":
      return { type: "array", items: openAPI(structure.element, dialect) };
    case "map":
      if (isJson(structure.value)) return OPEN_OBJECT;
      return {
        type: "object",
        additionalProperties: withoutUncheckableRules(openAPI(structure.value, dialect), dialect),
      };
    case "enum":
      return { type: "string", enum: [...structure.values] };
    case "number":
      return structure.format === "float" ? { type: "number" } : { type: "integer", format: structure.format };
    case "string":
    case "boolean":
      return { type: structure.kind };
    case "wire":
      return wireSchema(structure.form, dialect);
  }
}

function isJson(schema: z.core.$ZodType): boolean {
  const structure = structureOf(schema);
  return structure.kind === "wire" && structure.form === "json";
}

/**
 * A schema without its rules for the dialect `argo`: in the values of maps, because an API server cannot bound their
 * cost and rejects them, and in the status, because its rules would exceed the cost limit of a CRD.
 */
function withoutUncheckableRules(schema: OpenAPISchema, dialect: Dialect): OpenAPISchema {
  return dialect === "argo" ? withoutRules(schema) as OpenAPISchema : schema;
}

function withoutRules(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutRules);
  if (schema === null || typeof schema !== "object") return schema;
  const fields = Object.entries(schema).filter(([name]) => name !== "x-kubernetes-validations");
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutRules(field)]));
}

function properties(shape: Readonly<Record<string, z.core.$ZodType>>, dialect: Dialect): OpenAPISchema {
  const fields = Object.entries(dialect === "argo" ? fieldsOfArgo(shape) : shape);
  if (fields.length === 0) return {};
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, openAPI(field, dialect)]));
  // References to keys of Secrets and ConfigMaps: an API server with Argo's CRDs fills in the name.
  if (dialect === "argo" && "optional" in shape && "key" in shape && properties.name) properties.name.default = "";
  return {
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The fields of metadata in a specification that Argo's CRDs preserve. */
const METADATA = ["annotations", "finalizers", "labels", "name", "namespace", "generateName"];

function fieldsOfArgo(shape: Readonly<Record<string, z.core.$ZodType>>) {
  const isMetadata = "ownerReferences" in shape && "managedFields" in shape;
  return Object.fromEntries(
    Object.entries(shape).filter(([name, field]) =>
      !limitsOf(field).addition && (!isMetadata || METADATA.includes(name))
    ),
  );
}

function wireSchema(form: (Structure & { kind: "wire" })["form"], dialect: Dialect): OpenAPISchema {
  if (form === "anyString" && dialect === "argo") return { type: "string" };
  switch (form) {
    case "intOrString":
      return { "x-kubernetes-int-or-string": true };
    case "time":
      return { type: "string", format: "date-time", nullable: true };
    case "anyString": // Numbers and booleans are valid, too, which a structural schema cannot express.
    case "quantity": // Fractions are valid, too.
    case "json":
      return OPEN;
  }
}

/**
 * The schema of a kind. In our CRDs the status is open, because controllers of other versions may write more fields.
 */
export function kindOpenAPI(kind: KindName, dialect: Dialect = "own"): OpenAPISchema {
  const root = structureOf(KINDS[kind].schema);
  if (root.kind !== "object") throw new TypeError(`The schema of ${kind} is not an object`);
  const { metadata: _, status, ...shape } = root.shape;
  const required = ["metadata", ...("spec" in shape ? ["spec"] : [])];
  const properties = Object.entries(shape).map(([name, field]) => [name, openAPI(field, dialect)]);
  const statusSchema = status !== undefined && dialect !== "own"
    ? withoutUncheckableRules(openAPI(status, dialect), dialect)
    : OPEN_OBJECT;
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      metadata: { type: "object" },
      ...(status === undefined ? {} : { status: statusSchema }),
    },
    required,
  };
}
