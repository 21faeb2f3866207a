/** What a schema is made of, behind the wrappers: for walks over a schema beside a value, and for generators. */
import type { z } from "zod";
import { type WireForm, wireForm } from "./schema.ts";

/** The structure of a schema as far as a walker needs to know it. */
export type Structure =
  | { kind: "object"; shape: Readonly<Record<string, z.core.$ZodType>>; open: boolean }
  | { kind: "list"; element: z.core.$ZodType }
  | { kind: "map"; value: z.core.$ZodType }
  | { kind: "enum"; values: readonly string[] }
  | { kind: "string" | "number" | "boolean" }
  | { kind: "wire"; form: WireForm };

/** Looks behind `optional`, `lazy` and the like; throws a TypeError on a schema that this folder does not use. */
export function structureOf(schema: z.core.$ZodType): Structure {
  const form = wireForm.get(schema)?.form;
  if (form !== undefined) return { kind: "wire", form };
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "optional":
      return structureOf(def.innerType);
    case "lazy":
      return structureOf(def.getter());
    case "pipe":
      return structureOf((def.in as z.core.$ZodTypes)._zod.def.type === "transform" ? def.out : def.in);
    case "object":
      return { kind: "object", shape: def.shape, open: def.catchall !== undefined };
    case "array":
      return { kind: "list", element: def.element };
    case "record":
      return { kind: "map", value: def.valueType };
    case "enum":
      return { kind: "enum", values: Object.values(def.entries).map(String) };
    case "string":
    case "number":
    case "boolean":
      return { kind: def.type };
    default:
      throw new TypeError(`Cannot describe a schema of type ${def.type}`);
  }
}

/** Whether a field may be left out. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === "optional";
}
