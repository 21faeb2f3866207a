/** The unknown fields of an object: a task of the thread. */
import { formatFieldError, parseKind } from "@tiphys/model/api";
import type { KindInput } from "./kind_errors.ts";
import { MAX_ERRORS } from "./max_errors.ts";

/** Returns the first unknown fields of an object that is otherwise of its kind, as messages with their paths. */
export function unknownFieldsOf({ kind, object }: KindInput): readonly string[] {
  const parsed = parseKind(kind, object, "strict");
  return parsed.ok ? [] : parsed.errors.slice(0, MAX_ERRORS).map(formatFieldError);
}
