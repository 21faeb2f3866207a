/**
 * YAML and JSON as Kubernetes' tools read and write them, with the line and column of every field.
 *
 * `scalars.ts` has the rules for plain scalars, `parse.ts` parses (`bounded_tokens.ts` limits a text before it is
 * composed, `node_value.ts` creates the values), `stringify.ts` writes, `set_text.ts` changes one field of a text and
 * `edit_text.ts` values of any kind; `comments.ts` detects comments; `first_error.ts` makes errors readable.
 * `lib/model/api` and `lib/language/validate` interpret the documents.
 *
 * @module
 */
export * from "./comments.ts";
export * from "./edit_text.ts";
export * from "./parse.ts";
export * from "./set_text.ts";
export * from "./stringify.ts";
