/**
 * Case-insensitive field names: Go's JSON decoder accepts a field regardless of its case, and this module converts it
 * to the spelling of the schema.
 */
import type { z } from "zod";
import { isKindName, KINDS } from "./kinds.ts";
import { nestingError } from "@tiphys/base/nesting";
import { structureOf } from "./structure.ts";

/**
 * Returns the object with the field names of its kind's schema, where they differ only in case. An exact spelling takes
 * precedence; of several others the last one counts. Keys of maps, and contents of fields with any JSON, are unchanged.
 * An object of another kind, or one that is nested too deeply, is returned unchanged.
 */
export function withSchemaNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("kind" in value) || !isKindName(value.kind)) return value;
  return nestingError(value) === undefined ? renameFields(KINDS[value.kind].schema, value) : value;
}

/** Returns the same value if nothing has to be renamed. */
function renameFields(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const structure = structureOf(schema);
  switch (structure.kind) {
    case "list":
      return Array.isArray(value) ? changedList(value, (element) => renameFields(structure.element, element)) : value;
    case "map":
      return Array.isArray(value) ? value : changedFields(value, () => undefined, () => structure.value);
    case "object": {
      if (Array.isArray(value)) return value;
      const { shape } = structure;
      const knows = (name: string) => Object.hasOwn(shape, name);
      const spelling = (name: string) => knows(name) ? undefined : spellings(shape).get(foldCase(name));
      return changedFields(value, spelling, (name) => knows(name) ? shape[name] : undefined);
    }
    default:
      return value;
  }
}

function changedList(list: readonly unknown[], change: (element: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((element, index) => element !== list[index]) ? changed : list;
}

function changedFields(
  object: object,
  spelling: (name: string) => string | undefined,
  schemaOf: (name: string) => z.core.$ZodType | undefined,
): object {
  let differs = false;
  const fields = Object.entries(object).flatMap(([name, field]): [string, unknown][] => {
    const meant = spelling(name) ?? name;
    differs ||= meant !== name;
    if (meant !== name && Object.hasOwn(object, meant)) return [];
    const schema = schemaOf(meant);
    const changed = schema === undefined ? field : renameFields(schema, field);
    differs ||= changed !== field;
    return [[meant, changed]];
  });
  return differs ? Object.fromEntries(fields) : object;
}

/** The fields of a schema by their lower-case names, computed once per schema. */
function spellings(shape: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  let known = spellingsCache.get(shape);
  if (known === undefined) {
    spellingsCache.set(shape, known = new Map(Object.keys(shape).map((name) => [foldCase(name), name])));
  }
  return known;
}

const spellingsCache = new WeakMap<object, ReadonlyMap<string, string>>();

/** Upper case, then lower case, because Go also folds ſ and the Kelvin sign. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
