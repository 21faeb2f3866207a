/**
 * Applies the schema of a CustomResourceDefinition to an object, as far as objects of real clusters depend on it:
 * defaults, types, required fields, enums and bounds. Patterns and CEL rules are not checked.
 */
import { shortenedName } from "@tiphys/base/field_path";
import { fieldsOf, isObject, itemsOf, ownField } from "@tiphys/base/fields_of";
import type { Cause } from "../status_error.ts";

/** Adds the defaults of a schema. Returns the same value if nothing is missing. */
export function withDefinedDefaults(value: unknown, schema: unknown): unknown {
  const { properties, items, additionalProperties } = fieldsOf(schema);
  if (Array.isArray(value)) return mapItems(value, (item) => withDefinedDefaults(item, items));
  if (!isObject(value)) return value;
  const changed = new Map<string, unknown>();
  const set = (name: string, field: unknown) => {
    if (field !== ownField(value, name)) changed.set(name, field);
  };
  for (const [name, below] of Object.entries(fieldsOf(properties))) {
    const field = ownField(value, name);
    set(name, field === undefined ? structuredClone(fieldsOf(below).default) : withDefinedDefaults(field, below));
  }
  if (isObject(additionalProperties)) {
    for (const [name, field] of Object.entries(value)) set(name, withDefinedDefaults(field, additionalProperties));
  }
  return changed.size === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
}

function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

/** Returns the errors of a value, with the messages of Kubernetes. */
export function schemaCauses(value: unknown, schema: unknown, path = ""): Cause[] {
  const rules = fieldsOf(schema);
  if (value === undefined || value === null && rules.nullable === true) return [];
  if (!isOfType(value, rules)) return [typeCause(path, value, rules.type)];
  const options = enumOf(rules.enum);
  if (options !== undefined && !options.values.has(value)) {
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${options.text}`;
    return [{ reason: "FieldValueNotSupported", field: path, message }];
  }
  if (Array.isArray(value)) {
    return [
      ...boundCauses(path, value.length, rules.minItems, rules.maxItems, "items"),
      ...value.flatMap((item, index) => schemaCauses(item, rules.items, `${path}[${index}]`)),
    ];
  }
  if (typeof value === "number") return boundCauses(path, value, rules.minimum, rules.maximum);
  if (typeof value === "string") return boundCauses(path, value.length, rules.minLength, rules.maxLength, "characters");
  return isObject(value) ? fieldCauses(value, rules, path) : [];
}

/** The maximum length of the supported values in an error. */
const SHOWN_ENUM = 1_000;

interface EnumOptions {
  readonly values: ReadonlySet<unknown>;
  /** The values as text, truncated: every error of a large object contains it. */
  readonly text: string;
}

const enums = new WeakMap<object, EnumOptions>();

/**
 * The supported values of a schema, cached because a large object may have many values of one schema; undefined if any
 * value is.
 */
function enumOf(list: unknown): EnumOptions | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const known = enums.get(list);
  if (known) return known;
  const text = list.map((option) => JSON.stringify(option)).join(", ");
  const options = {
    values: new Set<unknown>(list),
    text: text.length <= SHOWN_ENUM ? text : `${text.slice(0, SHOWN_ENUM)}…`,
  };
  enums.set(list, options);
  return options;
}

function fieldCauses(value: Record<string, unknown>, rules: Readonly<Record<string, unknown>>, path: string): Cause[] {
  const below = (name: string) => path === "" ? shortenedName(name) : `${path}.${shortenedName(name)}`;
  const missing = itemsOf(rules.required).map(String).filter((name) => ownField(value, name) === undefined);
  const properties = fieldsOf(rules.properties);
  return [
    ...missing.map((name): Cause => ({
      reason: "FieldValueRequired",
      field: below(name),
      message: "Required value",
    })),
    ...Object.entries(value).flatMap(([name, field]) =>
      schemaCauses(field, ownField(properties, name) ?? rules.additionalProperties, below(name))
    ),
  ];
}

function boundCauses(path: string, size: number, min: unknown, max: unknown, unit = ""): Cause[] {
  const wrong = (word: string, bound: number): Cause => ({
    reason: "FieldValueInvalid",
    field: path,
    message: `Invalid value: ${size}: ${path} in body should be ${word} ${bound} ${unit}`.trimEnd(),
  });
  if (typeof min === "number" && size < min) return [wrong("at least", min)];
  if (typeof max === "number" && size > max) return [wrong("at most", max)];
  return [];
}

function isOfType(value: unknown, rules: Readonly<Record<string, unknown>>): boolean {
  if (rules["x-kubernetes-int-or-string"] === true) return typeof value === "string" || Number.isSafeInteger(value);
  switch (rules.type) {
    case undefined:
      return true;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeName(value) === rules.type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function typeCause(path: string, value: unknown, type: unknown): Cause {
  const found = JSON.stringify(typeName(value));
  const message = `Invalid value: ${found}: ${path} in body must be of type ${type}: ${found}`;
  return { reason: "FieldValueTypeInvalid", field: path, message };
}
