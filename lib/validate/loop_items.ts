import type { Json, Sequence } from "../api/mod.ts";
import type { Scope } from "./scope.ts";

/** What a step or task says about its loop. */
export interface Loop {
  readonly withItems?: readonly Json[];
  readonly withParam?: string;
  readonly withSequence?: Sequence;
}

/** Adds what `item` can be asked for. Returns what is wrong with the loop, in words, if anything. */
export function addItems(scope: Scope, { withItems, withParam, withSequence }: Loop): string | undefined {
  const ways = [withItems?.length, withParam, withSequence].filter(Boolean).length;
  if (ways > 1) return "only one of withItems, withParam, withSequence can be specified";
  if (withParam) {
    scope.add("item");
    scope.allow("item.");
  } else if (withSequence) {
    scope.add("item");
    if (withSequence.count !== undefined && withSequence.end !== undefined) {
      return "only one of count or end can be defined in withSequence";
    }
  } else for (const item of withItems ?? []) addItem(scope, item);
  return undefined;
}

function addItem(scope: Scope, item: Json): void {
  if (Array.isArray(item)) item.forEach((_, index) => scope.add(`item.[${index}]`));
  else if (typeof item === "object" && item !== null) scope.add(...Object.keys(item).map((key) => `item.${key}`));
  else scope.add("item");
}

/** Whether outputs of the step or task come as lists. */
export function isLoop({ withItems, withParam }: Loop): boolean {
  return Boolean(withItems?.length || withParam);
}
