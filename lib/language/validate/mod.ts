/**
 * The checks of what a workflow means: they find names, calls, references, loops, dependencies, arguments and outputs
 * that cannot work, before anything runs. Shape and types are `lib/model/api`'s affair and come first.
 *
 * `workflow.ts` starts from a document, `template.ts` from a template; `steps.ts`, `dag.ts` and `leaf.ts` know the
 * bodies, `call.ts` follows one template into another. `filled.ts` fills in the tags that have a value when a template
 * starts, as the peer does before it looks; `scope.ts` and `tags.ts` know which of the others resolve where.
 * `lint.ts` does all of it for the text of files, adds line and column, and what `expressions/` can tell: unknown names,
 * wrong types, hyphens that subtract. A server accepts those, so they are no errors of the other functions.
 *
 * Each error has the path of the field, and a message in the words that Argo's clients know, which names templates,
 * steps and tasks. Nothing here throws on user input, reads files or asks a cluster.
 *
 * @module
 */
export type { TemplateLookup } from "./context.ts";
export { executorPluginProblem } from "./executor_plugins.ts";
export * from "./lint.ts";
export * from "./workflow.ts";
