/** The errors of an object as one of its kind: a task of the thread. */
import { type FieldError, type KindName, parseKind } from "@tiphys/model/api";
import { MOST_ERRORS } from "./most_errors.ts";

/** An object and the kind that it should be of. */
export interface KindInput {
  readonly kind: KindName;
  readonly object: unknown;
}

/** The first errors; empty for an object of the kind. Unknown fields are no errors. */
export function kindErrors({ kind, object }: KindInput): readonly FieldError[] {
  const parsed = parseKind(kind, object, "lenient");
  return parsed.ok ? [] : parsed.errors.slice(0, MOST_ERRORS);
}
