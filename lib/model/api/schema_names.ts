/** Field names in the schema's spelling: Go's readers of JSON take a field whatever the case of its letters. */
import type { z } from "zod";
import { isKindName, KINDS } from "./kinds.ts";
import { nestingError } from "@tiphys/base/nesting";
import { structureOf } from "./structure.ts";

/**
 * The object with each field that differs from one of its kind only in the case of letters under that field's name. A field
 * that is spelled exactly goes before all others; of several others the last counts. Keys of maps, and whatever lies in a field
 * of any JSON, stay as they are. What is of no kind of ours, or nested too deeply, comes back as it is.
 */
export function withSchemaNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("kind" in value) || !isKindName(value.kind)) return value;
  return nestingError(value) === undefined ? renamed(KINDS[value.kind].schema, value) : value;
}

/** The very value where nothing of it is renamed. */
function renamed(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const structure = structureOf(schema);
  switch (structure.kind) {
    case "list":
      return Array.isArray(value) ? changedList(value, (element) => renamed(structure.element, element)) : value;
    case "map":
      return Array.isArray(value) ? value : changedFields(value, () => undefined, () => structure.value);
    case "object": {
      if (Array.isArray(value)) return value;
      const { shape } = structure;
      const knows = (name: string) => Object.hasOwn(shape, name);
      const spelling = (name: string) => knows(name) ? undefined : spellings(shape).get(folded(name));
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
    const changed = schema === undefined ? field : renamed(schema, field);
    differs ||= changed !== field;
    return [[meant, changed]];
  });
  return differs ? Object.fromEntries(fields) : object;
}

/** The fields of a schema by their names without case; each schema is asked for them once. */
function spellings(shape: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  let known = KNOWN.get(shape);
  if (known === undefined) KNOWN.set(shape, known = new Map(Object.keys(shape).map((name) => [folded(name), name])));
  return known;
}

const KNOWN = new WeakMap<object, ReadonlyMap<string, string>>();

/** Up, then down: ſ and the sign of Kelvin are letters of names to Go, too. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}
