/**
 * The expression language of `{{=…}}`, conditions and `valueFrom.expression`: Go's expr-lang with sprig, as Argo sets
 * it up.
 *
 * | file | holds |
 * | --- | --- |
 * | `lexer.ts`, `escapes.ts`, `precedence.ts`, `parser.ts`, `parse_budget.ts`, `tree.ts` | text to tree |
 * | `check.ts`, `type_rules.ts` | what can be known before running |
 * | `simplify.ts`, `compile.ts`, `predicate_calls.ts`, `frame.ts` | tree to closures |
 * | `operators.ts`, `access.ts`, `methods.ts`, `regex.ts`, `sort.ts`, `budget.ts` | what running does |
 * | `builtins/`, `sprig/`, `jsonpath/` | the functions |
 * | `references.ts` | the names an expression uses |
 * | `environment.ts`, `expression.ts`, `condition.ts` | what callers use |
 *
 * Values are those of `lib/base/go`. Nothing here knows Kubernetes, Deno or tags.
 *
 * @module
 */
export { evaluateBoolean } from "./condition.ts";
export { type EnvTypes, typesOf } from "./check.ts";
export { ARGO_FUNCTIONS, environment, unfold } from "./environment.ts";
export { ExpressionError, type Phase } from "./error.ts";
export { withWorkLimit, WorkLimit } from "./budget.ts";
export { checkWholeTime, EvaluationMeter, MeterError, type MeterSettings, withMeter } from "./meter.ts";
export {
  compileExpression,
  compileFor,
  type CompileOptions,
  compilerFor,
  evaluate,
  type Expression,
  parseExpression,
  typeOfExpression,
} from "./expression.ts";
export { compileRegex, type Regex } from "./regex.ts";
export { queryJsonPath } from "./jsonpath/mod.ts";
export { findReferences, type Reference } from "./references.ts";
export { formatValue as toText, marshalJson as toJsonText, type Value, type ValueMap } from "@tiphys/base/go";
