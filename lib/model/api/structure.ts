/** The structure of a schema without its wrappers, for generators and for walking a schema together with a value. */
import type { z } from "zod";
import { type Limits, limits, type WireForm, wireForm } from "./schema.ts";

/** The structure of a schema, with what a walker needs. */
export type Structure =
  | { kind: "object"; shape: Readonly<Record<string, z.core.$ZodType>>; open: boolean }
  | { kind: "list"; element: z.core.$ZodType }
  | { kind: "map"; value: z.core.$ZodType }
  | { kind: "enum"; values: readonly string[] }
  | { kind: "string" | "boolean" }
  | { kind: "number"; format: "float" | "int32" | "int64" }
  | { kind: "wire"; form: WireForm };

/** Unwraps `optional`, `lazy` and the like. @throws {TypeError} for a type of schema that this folder does not use. */
export function structureOf(schema: z.core.$ZodType): Structure {
  const form = wireForm.get(schema)?.form;
  if (form !== undefined) return { kind: "wire", form };
  const def = definitionOf(schema);
  switch (def.type) {
    case "optional":
      return structureOf(def.innerType);
    case "lazy":
      return structureOf(def.getter());
    case "pipe":
      return structureOf(definitionOf(def.in).type === "transform" ? def.out : def.in);
    case "object":
      return { kind: "object", shape: def.shape, open: def.catchall !== undefined };
    case "array":
      return { kind: "list", element: def.element };
    case "record":
      return { kind: "map", value: def.valueType };
    case "enum":
      return { kind: "enum", values: Object.values(def.entries).map(String) };
    case "number":
      return { kind: "number", format: numberFormat("format" in def ? def.format : undefined) };
    case "string":
    case "boolean":
      return { kind: def.type };
    default:
      throw new TypeError(`Cannot describe a schema of type ${def.type}`);
  }
}

function numberFormat(format: unknown): "float" | "int32" | "int64" {
  if (format === undefined) return "float";
  return format === "int32" ? "int32" : "int64";
}

/** The schema of an optional field without the wrapper. */
export function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  const def = definitionOf(schema);
  return def.type === "optional" ? def.innerType : schema;
}

/** Whether a field is optional. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return definitionOf(schema).type === "optional";
}

/** Whether a schema is a reference to one that is defined later, because it is recursive. */
export function isRecursive(schema: z.core.$ZodType): boolean {
  const def = definitionOf(schema);
  return def.type === "optional" ? isRecursive(def.innerType) : def.type === "lazy";
}

/** The constraints of a schema, including those of its wrapped schema. */
export function limitsOf(schema: z.core.$ZodType): Limits {
  const def = definitionOf(schema);
  const inner = def.type === "optional" ? def.innerType : undefined;
  return { ...(inner === undefined ? {} : limitsOf(inner)), ...limits.get(schema) };
}

function definitionOf(schema: z.core.$ZodType) {
  return (schema as z.core.$ZodTypes)._zod.def;
}
