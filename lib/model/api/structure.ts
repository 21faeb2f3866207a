/** The structure of a schema behind its wrappers: for walks over a schema beside a value, and for generators. */
import type { z } from "zod";
import { type Limits, limits, type WireForm, wireForm } from "./schema.ts";

/** The structure of a schema as far as a walker needs to know it. */
export type Structure =
  | { kind: "object"; shape: Readonly<Record<string, z.core.$ZodType>>; open: boolean }
  | { kind: "list"; element: z.core.$ZodType }
  | { kind: "map"; value: z.core.$ZodType }
  | { kind: "enum"; values: readonly string[] }
  | { kind: "string" | "boolean" }
  | { kind: "number"; format: "float" | "int32" | "int64" }
  | { kind: "wire"; form: WireForm };

/** Looks behind `optional`, `lazy` and the like; throws a TypeError on a schema that this folder does not use. */
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

/** The schema of a field that may be left out, when it is there. */
export function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  const def = definitionOf(schema);
  return def.type === "optional" ? def.innerType : schema;
}

/** Whether a field may be left out. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return definitionOf(schema).type === "optional";
}

/** Whether a schema stands for one that is defined later, because it holds itself. */
export function isRecursive(schema: z.core.$ZodType): boolean {
  const def = definitionOf(schema);
  return def.type === "optional" ? isRecursive(def.innerType) : def.type === "lazy";
}

/** The limits put on a schema or on what its wrappers hold. */
export function limitsOf(schema: z.core.$ZodType): Limits {
  const def = definitionOf(schema);
  const inner = def.type === "optional" ? def.innerType : undefined;
  return { ...(inner === undefined ? {} : limitsOf(inner)), ...limits.get(schema) };
}

function definitionOf(schema: z.core.$ZodType) {
  return (schema as z.core.$ZodTypes)._zod.def;
}
