/** Parameters of which several choices are taken: which these are, and their values. Pure. */
import { chosenIn } from "@tiphys/model/api/chosen_list";

/** Whether choices are taken as a list: the usual value is one, and no choice by itself; so is the value. */
export function isChosenAsList(choices: readonly string[], usual: string, value: string): boolean {
  return choices.length > 0 && !choices.includes(usual) && chosenIn(usual) !== undefined &&
    chosenIn(value) !== undefined;
}

/**
 * The value of these choices: the usual text where it has the same ones. A usual list with numbers or truths has them bare,
 * and so does every other.
 */
export function listText(chosen: readonly string[], usual: string): string {
  const before = new Set(chosenIn(usual));
  const list: unknown = before.size > 0 ? JSON.parse(usual) : [];
  const isBare = Array.isArray(list) && list.some((one) => typeof one !== "string");
  if (before.size === chosen.length && chosen.every((one) => before.has(one))) return usual;
  const textOf = (one: string) =>
    isBare && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(one) ? one : JSON.stringify(one);
  return `[${chosen.map(textOf).join(",")}]`;
}
