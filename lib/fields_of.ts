/** Fields of a value of unknown shape: for single questions about what nobody has read. */

/** An object of which nothing is known yet. */
export type Fields = Record<string, unknown>;

/** Whether a value has fields: an object, and no list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a value; none when it is no object. */
export function fieldsOf(value: unknown): Readonly<Fields> {
  return isObject(value) ? value : {};
}

/** A field that somebody gave an object: every object has others, such as `constructor`. */
export function ownField(object: Readonly<Fields>, field: string): unknown {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}
