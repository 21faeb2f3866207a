/** Conditions: expressions whose result must be a boolean. */
import { formatAsString } from "@tiphys/base/go";
import { ExpressionError } from "./error.ts";
import { compileFor } from "./expression.ts";

/**
 * Evaluates an expression that must return a boolean (retryStrategy.expression, hooks, successCondition, stop
 * strategies, selectors).
 * @throws {ExpressionError} when it fails or returns another type.
 */
export function evaluateBoolean(source: string, env: Readonly<Record<string, unknown>>): boolean {
  const expression = compileFor(source, env);
  const result = run();
  if (typeof result === "boolean") return result;
  throw new ExpressionError(`unable to cast expression result '${formatAsString(result)}' to bool`, {
    source,
    phase: "run",
  });

  function run() {
    try {
      return expression.run(env);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const reason = `unable to evaluate expression '${source}': ${error.reason}`;
      const offset = error.position?.offset;
      throw new ExpressionError(reason, {
        source,
        offset,
        phase: "run",
        hint: error.hint,
        exhausted: error.isExhausted,
        cause: error,
      });
    }
  }
}
