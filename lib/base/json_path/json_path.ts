/** Evaluates the templates of `kubectl get -o jsonpath=…`, which output parameters use as `jsonPath`. */
import { formatValue, marshalJson, type Value } from "../go/mod.ts";
import { JsonPathError, parseTemplate } from "./json_path_parser.ts";
import type { Part, Step } from "./json_path_parser.ts";
import { isObject } from "../fields_of.ts";

/**
 * Replaces the expressions in braces with their values in an object. A missing field is empty; several values are
 * separated by spaces; objects and lists are printed as JSON.
 * @throws {JsonPathError} for an invalid template, or one that cannot be evaluated, such as an index out of bounds.
 */
export function fillJsonPath(template: string, object: unknown): string {
  return fillParts(parseTemplate(template), object as Value);
}

function fillParts(parts: readonly Part[], root: Value): string {
  return parts.map((part) => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "path":
        return applySteps([root], part.steps).map(formatResult).join(" ");
      case "range":
        return applySteps([root], part.steps).map((item) => fillParts(part.body, item)).join("");
    }
  }).join("");
}

function formatResult(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "object") return marshalJson(value);
  // Integers of an object are printed in full; other numbers as Go prints a float.
  return Number.isSafeInteger(value) ? String(value) : formatValue(value);
}

function applySteps(values: readonly Value[], steps: readonly Step[]): readonly Value[] {
  return steps.reduce((selected, step) => applyStep(selected, step), values);
}

function applyStep(values: readonly Value[], step: Step): readonly Value[] {
  switch (step.kind) {
    case "literal":
      return typeof step.value === "string" ? [step.value] : values.map(() => step.value);
    case "field":
      return values.flatMap((value) =>
        isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name] ?? null] : []
      );
    case "wildcard":
      return values.flatMap(childValues);
    case "recursive":
      return values.flatMap(descendants);
    case "union":
      return step.paths.flatMap((path) => applySteps(values, path));
    case "slice":
      return values.filter((value) => value !== null).flatMap((value) => slice(listOf(value, ""), step));
    case "filter":
      return values.flatMap((value) =>
        listOf(value, " and cannot be filtered").filter((item) => matchesFilter(item, step))
      );
  }
}

function childValues(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

/** Returns all values with contents in pre-order; a nonempty string counts as one. */
function descendants(value: Value): Value[] {
  if (typeof value === "string" && value !== "") return [value];
  const inner = childValues(value);
  return inner.length === 0 ? [] : [value, ...inner.flatMap(descendants)];
}

function listOf(value: Value, complaint: string): readonly Value[] {
  if (Array.isArray(value)) return value;
  const type = isObject(value) ? "map[string]interface {}" : value === null ? "<nil>" : typeName(value);
  throw new JsonPathError(`${type} is not array or slice${complaint}`);
}

function typeName(value: Value): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Number.isSafeInteger(value) ? "int64" : "float64";
}

function slice(list: readonly Value[], { from, to, step, isIndex }: Extract<Step, { kind: "slice" }>): Value[] {
  const wrap = (index: number) => index < 0 ? index + list.length : index;
  const start = wrap(from ?? 0);
  const end = isIndex ? start + 1 : wrap(to ?? list.length);
  if (start === end) return [];
  const bounds = (index: number) => `array index out of bounds: index ${index}, length ${list.length}`;
  if (start < 0 || start >= list.length) throw new JsonPathError(bounds(start));
  if (end < 0 || end > list.length) throw new JsonPathError(bounds(end - 1));
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (step !== undefined && step <= 0) throw new JsonPathError("step must be > 0");
  return list.slice(start, end).filter((_, index) => index % (step ?? 1) === 0);
}

function matchesFilter(item: Value, { left, operator, right }: Extract<Step, { kind: "filter" }>): boolean {
  if (operator === "exists") {
    try {
      return applySteps([item], left).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError) return false;
      throw error;
    }
  }
  const [first, ...moreLeft] = applySteps([item], left);
  const [other, ...moreRight] = applySteps([item], right);
  if (first === undefined || other === undefined) return false;
  if (moreLeft.length > 0 || moreRight.length > 0) throw new JsonPathError("can only compare one element at a time");
  return compare(first, operator, other);
}

function compare(left: Value, operator: string, right: Value): boolean {
  if (left === null || right === null || typeof left === "object" || typeof right === "object") {
    throw new JsonPathError("invalid type for comparison");
  }
  if (typeof left !== typeof right) throw new JsonPathError("incompatible types for comparison");
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    case ">=":
      return left >= right;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}
