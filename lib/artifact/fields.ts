/**
 * Fields of stores, described as data: which there are and of what kind each is. Schemas are made from them, and the
 * compiler reads the types of their values off them. Loads nothing: the start of the executor reads it too.
 */

/** A key of a Secret or of a ConfigMap. */
export interface KeySelector {
  readonly name?: string | undefined;
  readonly key: string;
  readonly optional?: boolean | undefined;
}

/** One field; the type is that of its values. */
export interface Field<Value = unknown> {
  readonly kind: "text" | "flag" | "int32" | "int64" | "secret" | "configMap" | "word" | "list" | "block";
  readonly isRequired?: boolean;
  /** The words that a `word` may be. */
  readonly words?: readonly string[];
  /** The description of each element of a `list`. */
  readonly element?: Field;
  /** The fields of a `block`. */
  readonly fields?: Fields;
  /** The API server looks no further into it. */
  readonly isOpen?: boolean;
  /** Never there: for the compiler. */
  readonly value?: Value;
}

/** Fields by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** A field that must be there. */
export type Needed<F extends Field> = F & { readonly isRequired: true };

type ValueOf<F extends Field> = NonNullable<F["value"]>;
type RequiredOf<F extends Fields> = { [K in keyof F]: F[K] extends { isRequired: true } ? K : never }[keyof F];

/** An object that has such fields. */
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

/** One of some words. */
export function word<const Word extends string>(...words: Word[]): Field<Word> {
  return { kind: "word", words };
}

/** A list of what the element is. */
export function list<Value>(element: Field<Value>): Field<Value[]> {
  return { kind: "list", element };
}

/** An object within. */
export function block<const F extends Fields>(fields: F, options: { isOpen?: true } = {}): Field<ObjectOf<F>> {
  return { kind: "block", fields, ...options };
}

/** The same field, which must be there. */
export function required<F extends Field>(field: F): Needed<F> {
  return { ...field, isRequired: true };
}
