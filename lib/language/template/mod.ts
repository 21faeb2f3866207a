/**
 * The template language: everything that users write between braces or in a condition, and every value that the engine
 * derives from it. Pure and synchronous; uses no Kubernetes client, files or clock, so it runs in a browser.
 *
 * | file | holds |
 * | --- | --- |
 * | `scope.ts`, `error.ts`, `place.ts` | the values of tags, how strict a pass is, and its error |
 * | `language.ts`, `references.ts` | the language for other programs: `evaluate`, `render`, `references` |
 * | `tags.ts`, `render.ts`, `expression_tag.ts`, `plan.ts`, `replace.ts` | finds tags in texts and objects, and fills
 * them in | | `expr/`, `condition.ts` | the expression language of `{{=…}}` and of bare conditions | | `when/` | the
 * language of `when` | | `depends.ts`, `evaluate_depends.ts`, `task_references.ts`, `ancestry.ts`, `dag_phase.ts` |
 * DAGs | | `loop.ts`, `inline.ts`, `item.ts`, `sequence.ts`, `json_text.ts`, `json_tree.ts` | loops and their items | |
 * `arguments.ts`, `absent_argument.ts`, `parameter.ts` | a template called with arguments | | `globals.ts`,
 * `workflow_metadata.ts`, `node_scope.ts`, `retry_scope.ts`, `aggregate.ts` | the names that tags can refer to | |
 * `output.ts`, `result_reference.ts`, `data_transform.ts` | the outputs of a template | | `cron/` | schedules, and the
 * conditions of cron workflows | | `resource_condition.ts` | conditions over an object's fields | | `name_rules.ts` |
 * rules for names |
 *
 * Any package may import it; it imports only `lib/base/go`, `lib/model/status` and files of `lib` itself. Golden
 * vectors of Argo's behavior run in `tests/vectors`.
 *
 * @module
 */
export * from "./absent_argument.ts";
export * from "./aggregate.ts";
export * from "./ancestry.ts";
export * from "./arguments.ts";
export * from "./condition.ts";
export * from "./cron/conditions.ts";
export { CronError } from "./cron/field.ts";
export * from "./cron/schedule.ts";
export * from "./dag_phase.ts";
export * from "./data_transform.ts";
export {
  checkDependencies,
  dagLeaves,
  dependsLogic,
  type DependsTask,
  type TaskDependencies,
  unknownResult,
} from "./depends.ts";
export { type DependsNode, evaluateDepends } from "./evaluate_depends.ts";
export * from "./error.ts";
export * from "./expr/mod.ts";
// This `evaluate` accepts names. It hides that of `expr/`, which accepts an environment.
export { evaluate, type Names, render, type RenderSettings } from "./language.ts";
export * from "./globals.ts";
export * from "./item.ts";
export * from "./inline.ts";
export * from "./loop.ts";
export * from "./name_rules.ts";
export * from "./node_scope.ts";
export * from "./output.ts";
export * from "./parameter.ts";
export { lineWithCaret, type Position, type SourceLocation } from "./place.ts";
export {
  isValue,
  markAsValues,
  type Plan,
  type PlannedText,
  planOf,
  planOfField,
  recordDerived,
  recordDerivedWith,
  recordMerged,
  withTagsInValues,
} from "./plan.ts";
export * from "./replace.ts";
export * from "./resource_condition.ts";
export * from "./result_reference.ts";
export * from "./retry_scope.ts";
export { withoutExpressionTags } from "./expression_switch.ts";
export { references, type TagReference } from "./references.ts";
export { type OpenValues, renderDocument, renderText } from "./render.ts";
export * from "./scope.ts";
export { type TaskReference, taskReferences } from "./task_references.ts";
export * from "@tiphys/base/selector/label_rules";
export * from "@tiphys/base/selector/label_selector";
export * from "./sequence.ts";
export * from "./workflow_metadata.ts";
export { findTags, type Segments } from "./tags.ts";
export { evaluateStrictWhen, evaluateWhen } from "./when/when.ts";
export type { WhenValue } from "./when/evaluate.ts";
