/** Validates an object as one of its kind: a task of the thread. */
import { type FieldError, type KindName, parseKind } from "@tiphys/model/api";
import { MAX_ERRORS } from "./max_errors.ts";

/** An object and its expected kind. */
export interface KindInput {
  readonly kind: KindName;
  readonly object: unknown;
}

/** Returns the first errors; empty for a valid object. Unknown fields are allowed. */
export function kindErrors({ kind, object }: KindInput): readonly FieldError[] {
  const parsed = parseKind(kind, object, "lenient");
  return parsed.ok ? [] : parsed.errors.slice(0, MAX_ERRORS);
}
