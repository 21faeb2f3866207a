/**
 * The template language: everything a user writes between braces or in a condition, and every name and value the
 * engine derives from it. Pure and synchronous; knows no Kubernetes client, no file, no clock, so it runs in a browser.
 *
 * Names: `names.ts`, `name_rules.ts`, `selector/label_rules.ts`.
 * Errors: `error.ts` has the one kind, which says by its text whether a node waits or fails.
 *
 * Golden vectors of the peer's behaviour run in `vectors_test.ts` (checkers in `_vectors/`).
 */
export * from "./error.ts";
export * from "./name_rules.ts";
export * from "./names.ts";
export * from "./selector/label_rules.ts";
