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

/** The items of a value; none when it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of some fields; those that hold none are left out. */
export function textsIn<Name extends string>(
  fields: Readonly<Fields>,
  names: readonly Name[],
): { [name in Name]?: string } {
  const texts: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = textIn(fields, name);
    if (value !== undefined) texts[name] = value;
  }
  return texts;
}

/** The fields of a value that hold texts, by their names. */
export function textFieldsOf(value: unknown): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(fieldsOf(value))) if (typeof text === "string") texts[name] = text;
  return texts;
}

/** The text of a field; undefined when it holds none. */
export function textIn(fields: Readonly<Fields>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}
