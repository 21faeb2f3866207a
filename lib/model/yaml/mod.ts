/**
 * YAML and JSON as Kubernetes' tools read and write them, with the line and column of every field.
 *
 * `scalars.ts` holds the rules for plain scalars, `parse.ts` reads (`bounded_tokens.ts` limits the price of a text before it is
 * composed, `node_value.ts` makes the values), `stringify.ts` writes, `set_text.ts` changes one
 * field of a text, `edit_text.ts` values of any kind; `comments.ts` reports whether there are comments, `first_error.ts` words an error for
 * people. What the documents mean is `lib/model/api`'s and `lib/language/validate`'s affair.
 *
 * @module
 */
export * from "./comments.ts";
export * from "./edit_text.ts";
export * from "./parse.ts";
export * from "./set_text.ts";
export * from "./stringify.ts";
