/** Checks the loop of a step or task. */
import type { Json, Sequence } from "@tiphys/model/api";
import { TemplateError } from "../template/error.ts";
import { sequenceLength } from "../template/sequence.ts";
import type { FieldLocation, Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/** The loop fields of a step or task. */
export interface Loop {
  readonly withItems?: readonly Json[];
  readonly withParam?: string;
  readonly withSequence?: Sequence;
}

/** Adds the names of `item`. Returns an error message for an invalid loop. */
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
  } else if (withItems?.length === 0) {
    scope.add("item");
    scope.allow("item.");
  } else for (const item of withItems ?? []) addItem(scope, item);
  return undefined;
}

function addItem(scope: Scope, item: Json): void {
  if (Array.isArray(item)) item.forEach((_, index) => scope.add(`item.[${index}]`));
  else if (typeof item === "object" && item !== null) scope.add(...Object.keys(item).map((key) => `item.${key}`));
  else scope.add("item");
}

/** Reports a loop whose known number of items exceeds the limit of nodes; the run fails then. */
export function checkLoopSize(report: Report, loop: Loop, place: FieldLocation): void {
  const count = loopSize(loop);
  if (count === undefined || count <= report.nodes || !report.judgesExpressions) return;
  const field = loop.withItems?.length ? "withItems" : "withSequence";
  const message = `${field} has ${count} items, and a loop may have ${report.nodes}`;
  report.addFinding(place.pathTo(field), { offset: 0, severity: "error", message });
}

/** Returns the number of items of a loop if it is known before the run; otherwise, and without a loop, undefined. */
export function loopSize({ withItems, withParam, withSequence }: Loop): bigint | undefined {
  if (withItems?.length || withItems && !withParam && !withSequence) return BigInt(withItems.length);
  if (withParam || !withSequence) return undefined;
  try {
    return sequenceLength(withSequence);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** Whether the outputs of the step or task are lists. */
export function areOutputsLists({ withItems, withParam }: Loop): boolean {
  return Boolean(withItems || withParam);
}
