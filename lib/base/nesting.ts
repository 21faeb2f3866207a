/** The nesting depth of values. Every recursive walk over an object relies on its limit. */
import type { FieldError } from "./field_error.ts";
import { formatPath } from "./field_path.ts";
import { LIMITS } from "./limits.ts";

/** Returns an error with the first segments of the path when a value is nested too deeply. */
export function nestingError(value: unknown): FieldError | undefined {
  const path = pathBelow(value, LIMITS.depth);
  if (!path) return undefined;
  return {
    path: formatPath(path.slice(0, SHOWN_SEGMENTS)),
    message: nestingMessage(LIMITS.depth),
  };
}

/** Returns the error message for a value that is nested deeper than `levels`. */
export function nestingMessage(levels: number): string {
  return `lists and objects are nested more than ${levels} levels deep`;
}

/** The number of path segments that an error shows. */
const SHOWN_SEGMENTS = 10;

/** Returns the path to a value that is nested deeper than `levels`. */
function pathBelow(value: unknown, levels: number): (string | number)[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return [];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const way = pathBelow(value[index], levels - 1);
      if (way) return [index, ...way];
    }
    return undefined;
  }
  for (const key in value) {
    const way = pathBelow((value as Record<string, unknown>)[key], levels - 1);
    if (way) return [key, ...way];
  }
  return undefined;
}
