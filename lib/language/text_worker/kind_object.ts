/** Reads an object that a client sent as one of its kind: a task of the thread. */
import { type FieldError, withSchemaNames } from "@tiphys/model/api";
import { kindErrors, type KindInput } from "./kind_errors.ts";

/** The first errors; and the object if names of fields were corrected, so that an unchanged one is not sent back. */
export interface KindObject {
  readonly errors: readonly FieldError[];
  readonly renamed?: object;
}

/** Corrects the case of field names, and validates the object. Fields of `metadata` may be null. */
export function kindObject({ kind, object }: KindInput): KindObject {
  const named = withSchemaNames(object) as object;
  const { errors } = kindErrors({ kind, object: withoutNullMetadata(named) });
  return { errors, ...(named !== object && { renamed: named }) };
}

/** Removes nulls from the metadata: Go's clients send `creationTimestamp: null`. */
export function withoutNullMetadata(object: { readonly metadata?: unknown }): { readonly metadata: unknown } {
  const metadata = object.metadata ?? {};
  if (typeof metadata !== "object") return { ...object, metadata };
  const present = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...object, metadata: Object.fromEntries(present) };
}
