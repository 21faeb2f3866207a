/** Validates an object as one of its kind: a task of the thread. */
import { type FieldError, type KindName, parseKind } from "@tiphys/model/api";
import { MAX_ERRORS } from "./max_errors.ts";

/** An object and its expected kind. */
export interface KindInput {
  readonly kind: KindName;
  readonly object: unknown;
}

/** The first errors of an object, and the number of the others. */
export interface KindErrors {
  readonly errors: readonly FieldError[];
  readonly more: number;
}

/** Validates an object. Unknown fields are allowed. */
export function kindErrors({ kind, object }: KindInput): KindErrors {
  const parsed = parseKind(kind, object, "lenient");
  if (parsed.ok) return { errors: [], more: 0 };
  const errors = parsed.errors.slice(0, MAX_ERRORS);
  return { errors, more: parsed.errors.length - errors.length };
}
