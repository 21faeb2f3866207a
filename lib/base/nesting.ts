/** The depth of lists and objects in each other: everything that walks an object stands on this being little. */
import type { FieldError } from "./field_error.ts";
import { formatPath } from "./field_path.ts";
import { LIMITS } from "./limits.ts";

/**
 * The error of a value that is nested too deeply, with the first part of the path to that place; undefined when it is
 * not.
 */
export function nestingError(value: unknown): FieldError | undefined {
  const path = wayBelow(value, LIMITS.depth);
  if (!path) return undefined;
  return {
    path: formatPath(path.slice(0, SHOWN)),
    message: tooDeep(LIMITS.depth),
  };
}

/** What is said of something that is nested deeper than `levels`. */
export function tooDeep(levels: number): string {
  return `lists and objects lie more than ${levels} deep in each other`;
}

/** The number of steps that are shown of the way to a place that is too deep. */
const SHOWN = 10;

/** The way to something that lies deeper than `levels`; undefined when nothing does. */
function wayBelow(value: unknown, levels: number): (string | number)[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return [];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const way = wayBelow(value[index], levels - 1);
      if (way) return [index, ...way];
    }
    return undefined;
  }
  for (const key in value) {
    const way = wayBelow((value as Record<string, unknown>)[key], levels - 1);
    if (way) return [key, ...way];
  }
  return undefined;
}
