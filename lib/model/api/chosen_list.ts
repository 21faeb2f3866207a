/** Values that are JSON lists of choices, for a parameter whose `enum` offers them. Pure. */

/** The maximum length of a value that is parsed as a list, in characters. */
const MAX_LENGTH = 64 * 1024;

/** Returns the strings, numbers and booleans of a JSON list as strings; undefined for every other value. */
export function chosenValues(value: string): string[] | undefined {
  if (value.length > MAX_LENGTH || !/^\s*\[/.test(value)) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    return undefined;
  }
  const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  return Array.isArray(list) && list.every(isPlain) ? list.map(String) : undefined;
}

/** Whether a value is one of the choices, or a list of some of them. */
export function isAmong(choices: readonly string[], value: string): boolean {
  const all = new Set(choices);
  return all.has(value) || chosenValues(value)?.every((chosenValue) => all.has(chosenValue)) === true;
}
