/** Parameters whose value is a list of several choices. Pure. */
import { chosenValues } from "@tiphys/model/api/chosen_list";

/**
 * Reports whether a parameter accepts several choices: its default is a list and not itself a choice, and so is its
 * value.
 */
export function isChosenAsList(choices: readonly string[], defaultValue: string, value: string): boolean {
  return choices.length > 0 && !choices.includes(defaultValue) && chosenValues(defaultValue) !== undefined &&
    chosenValues(value) !== undefined;
}

/**
 * Returns the value for a selection: the default text if it selects the same choices. Numbers and booleans are written
 * without quotes if the default writes them so.
 */
export function listText(chosen: readonly string[], defaultValue: string): string {
  const before = new Set(chosenValues(defaultValue));
  const list: unknown = before.size > 0 ? JSON.parse(defaultValue) : [];
  const isBare = Array.isArray(list) && list.some((item) => typeof item !== "string");
  if (before.size === chosen.length && chosen.every((item) => before.has(item))) return defaultValue;
  const textOf = (item: string) =>
    isBare && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(item) ? item : JSON.stringify(item);
  return `[${chosen.map(textOf).join(",")}]`;
}
