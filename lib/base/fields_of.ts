/** Type-safe access to fields of unvalidated values. */

/** An object whose fields are not validated. */
export type Fields = Record<string, unknown>;

/** Whether a value is an object other than a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the fields of an object; empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Fields> {
  return isObject(value) ? value : {};
}

/** Returns an own field; inherited ones such as `constructor` are ignored. */
export function ownField(object: Readonly<Fields>, field: string): unknown {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}

/** Returns the items of a list; empty for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the named fields whose values are strings. */
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

/** Returns all fields of an object whose values are strings. */
export function textFieldsOf(value: unknown): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(fieldsOf(value))) if (typeof text === "string") texts[name] = text;
  return texts;
}

/** Returns a field if its value is a string. */
export function textIn(fields: Readonly<Fields>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}
