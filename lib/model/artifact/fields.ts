/**
 * Descriptions of the fields of stores as data. Schemas are generated from them, and the compiler derives the types of
 * values. Has no imports, because the start of the executor loads it.
 */

/** A key of a Secret or of a ConfigMap. */
export interface KeySelector {
  readonly name?: string | undefined;
  readonly key: string;
  readonly optional?: boolean | undefined;
}

/** One field. The type parameter is the type of its values. */
export interface Field<Value = unknown> {
  readonly kind: "text" | "flag" | "int32" | "int64" | "secret" | "configMap" | "word" | "list" | "block";
  readonly isRequired?: boolean;
  /** The allowed values of a `word`. */
  readonly words?: readonly string[];
  /** The description of each element of a `list`. */
  readonly element?: Field;
  /** The fields of a `block`. */
  readonly fields?: Fields;
  /** Whether the API server does not validate its content. */
  readonly isOpen?: boolean;
  /** Never set; used by the compiler. */
  readonly value?: Value;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** A required field. */
export type RequiredField<F extends Field> = F & { readonly isRequired: true };

type ValueOf<F extends Field> = NonNullable<F["value"]>;
type RequiredOf<F extends Fields> = { [K in keyof F]: F[K] extends { isRequired: true } ? K : never }[keyof F];

/** An object with such fields. */
export type ObjectOf<F extends Fields> =
  & { -readonly [K in Exclude<keyof F, RequiredOf<F>>]?: ValueOf<F[K]> | undefined }
  & { -readonly [K in RequiredOf<F>]: ValueOf<F[K]> };

export const text: Field<string> = { kind: "text" };
export const flag: Field<boolean> = { kind: "flag" };
export const int32: Field<number> = { kind: "int32" };
export const int64: Field<number> = { kind: "int64" };
/** A selector of a key of a Secret. */
export const secret: Field<KeySelector> = { kind: "secret" };
/** A selector of a key of a ConfigMap. */
export const configMap: Field<KeySelector> = { kind: "configMap" };

/** A field with one of some words. */
export function word<const Word extends string>(...words: Word[]): Field<Word> {
  return { kind: "word", words };
}

/** A list of elements. */
export function list<Value>(element: Field<Value>): Field<Value[]> {
  return { kind: "list", element };
}

/** A nested object. */
export function block<const F extends Fields>(fields: F, options: { isOpen?: true } = {}): Field<ObjectOf<F>> {
  return { kind: "block", fields, ...options };
}

/** The same field, but required. */
export function required<F extends Field>(field: F): RequiredField<F> {
  return { ...field, isRequired: true };
}
