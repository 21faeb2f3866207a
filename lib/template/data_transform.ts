/** The transformation steps of a data template. */
import { TemplateError } from "./error.ts";
import { evaluate, ExpressionError, type Value } from "./expr/mod.ts";

/**
 * Runs the steps one after the other; each sees the result of the one before as `data`, and none of Argo's functions.
 * Throws a `TemplateError` naming the step that fails.
 */
export function transformData(data: Value, steps: readonly { readonly expression: string }[]): Value {
  return steps.reduce((value, { expression }, index) => {
    try {
      return evaluate(expression, { data: value });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new TemplateError(
        `unable to process data transformation: error processing data step ${index}: ${error.message}`,
        { cause: error },
      );
    }
  }, data);
}
