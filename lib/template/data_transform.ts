/** The transformation steps of a data template. */
import { STRING_SLICE } from "../go/type.ts";
import { GoList } from "../go/value.ts";
import { TemplateError } from "./error.ts";
import { evaluate, ExpressionError, type Value } from "./expr/mod.ts";

/**
 * Runs the steps one after the other; the first sees the names of the files as `data`, each other the result of the one
 * before, and none of them Argo's functions.
 * @throws {TemplateError} naming the step that fails.
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
