/** Values that are JSON lists of what was chosen, of a parameter whose `enum` offers the choices. Pure. */

/** The longest value that is read as a list, in characters. */
const LONGEST = 64 * 1024;

/** The texts, numbers and truths that a JSON list holds, as texts; undefined for every other value. */
export function chosenIn(value: string): string[] | undefined {
  if (value.length > LONGEST || !/^\s*\[/.test(value)) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    return undefined;
  }
  const isPlain = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
  return Array.isArray(list) && list.every(isPlain) ? list.map(String) : undefined;
}

/** Whether a value is one of the choices, or a list of some of them. */
export function isAmong(choices: readonly string[], value: string): boolean {
  const all = new Set(choices);
  return all.has(value) || chosenIn(value)?.every((one) => all.has(one)) === true;
}
