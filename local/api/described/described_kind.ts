/** The OpenAPI schemas of our kinds with the descriptions of the reference, for `kubectl explain`. */
import type { z } from "zod";
import * as api from "@tiphys/model/api";
import { kindOpenAPI } from "@tiphys/model/api/open_api";
import { TYPE_NAMES } from "@tiphys/model/api/type_names";
import { isRecursive, structureOf, withoutOptional } from "@tiphys/model/api/structure";
import { type Fields, fieldsOf } from "@tiphys/base/fields_of";
import { DESCRIPTIONS } from "./gen/descriptions.ts";

/** The schema of a kind. */
export function describedKind(kind: api.KindName): Readonly<Fields> {
  return described(api.KINDS[kind].schema, kindOpenAPI(kind));
}

/** Adds descriptions to a schema, and to those of its fields. */
function described(type: z.core.$ZodType, schema: Readonly<Fields>): Readonly<Fields> {
  const inner = isRecursive(type) ? api.Template : withoutOptional(type);
  const texts = DESCRIPTIONS[TYPE_NAMES.get(inner) ?? ""] ?? {};
  const structure = structureOf(inner);
  const own = texts[""] === undefined ? {} : { description: texts[""] };
  if (structure.kind === "list") return { ...schema, items: described(structure.element, fieldsOf(schema.items)) };
  if (structure.kind === "map" && schema.additionalProperties !== undefined) {
    return { ...schema, additionalProperties: described(structure.value, fieldsOf(schema.additionalProperties)) };
  }
  if (structure.kind !== "object" || schema.properties === undefined) return { ...own, ...schema };
  const properties = Object.entries(fieldsOf(schema.properties)).map(([name, property]) => {
    const field = structure.shape[name];
    const whole = field === undefined ? fieldsOf(property) : described(field, fieldsOf(property));
    return [name, texts[name] === undefined ? whole : { ...whole, description: texts[name] }] as const;
  });
  return { ...own, ...schema, properties: Object.fromEntries(properties) };
}
