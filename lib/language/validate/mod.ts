/**
 * Semantic checks of workflows: names, calls, references, loops, dependencies, arguments and outputs that cannot work
 * are found before the run. `lib/model/api` checks fields and types first.
 *
 * `workflow.ts` checks a document, `template.ts` a template; `steps.ts`, `dag.ts` and `leaf.ts` check the bodies,
 * `call.ts` resolves calls. `filled_template.ts` substitutes the tags that have a value when a template starts, as Argo
 * does before its checks; `scope.ts` and `tags.ts` determine where the other tags are resolved. `lint.ts` runs all
 * checks on files, adds line and column, and the checks in `expressions/`: unknown names, type errors, hyphens that
 * subtract. A server accepts those, so the other functions do not report them.
 *
 * Each error has the path of the field and a message with the wording that Argo's clients know, including the names of
 * templates, steps and tasks. These functions do not throw on user input, read files, or access a cluster.
 *
 * @module
 */
export type { TemplateLookup } from "./context.ts";
export { executorPluginProblem } from "./executor_plugins.ts";
export * from "./lint.ts";
export * from "./workflow.ts";
