import type { z } from "zod";
import type { FieldError } from "@tiphys/base/field_error";
import { formatPath, type PathSegments } from "@tiphys/base/field_path";
import { didYouMean } from "@tiphys/base/nearest_name";
import { structureOf } from "./structure.ts";

/** Returns every unknown field of a value, with the most similar known name. */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: PathSegments = []): FieldError[] {
  if (typeof value !== "object" || value === null) return [];
  const structure = structureOf(schema);
  if (structure.kind === "list") {
    if (!Array.isArray(value)) return [];
    return value.flatMap((element, index) => unknownFields(structure.element, element, [...path, index]));
  }
  if (Array.isArray(value)) return [];
  if (structure.kind === "map") {
    return Object.entries(value).flatMap(([name, entry]) => unknownFields(structure.value, entry, [...path, name]));
  }
  if (structure.kind !== "object") return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(structure.shape, name) ? structure.shape[name] : undefined;
    if (known !== undefined) return unknownFields(known, field, [...path, name]);
    if (structure.open) return [];
    const hint = didYouMean(name, Object.keys(structure.shape));
    return [{ path: formatPath([...path, name]), message: `unknown field ${JSON.stringify(name)}${hint}` }];
  });
}
