/** The transformation steps of a data template. */
import { STRING_SLICE } from "@tiphys/base/go/type";
import { GoList } from "@tiphys/base/go/value";
import { TemplateError } from "./error.ts";
import { evaluate, ExpressionError, type Value } from "./expr/mod.ts";

/**
 * Runs the steps in order. The first step sees the file names as `data`, each later step the result of the previous
 * one. Argo's functions are not available.
 * @throws {TemplateError} that names the failed step.
 */
export function transformData(files: readonly string[], steps: readonly { readonly expression: string }[]): Value {
  return steps.reduce<Value>((value, { expression }, index) => {
    try {
      return evaluate(expression, { data: value });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new TemplateError(
        `unable to process data transformation: error processing data step ${index}: ${error.message}`,
        { cause: error },
      );
    }
  }, new GoList(STRING_SLICE, files));
}
