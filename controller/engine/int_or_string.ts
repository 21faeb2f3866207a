/**
 * A number that may be written as a text, for the sake of tags; undefined stays undefined.
 * @throws {Error} in Argo's words for a text that is no whole number.
 */
export function intOf(value: number | string | undefined): number | undefined {
  if (value === undefined || typeof value === "number") return value;
  if (!/^[+-]?\d+$/.test(value)) throw new Error(`value '${value}' cannot be resolved to an int`);
  return Number(value);
}
