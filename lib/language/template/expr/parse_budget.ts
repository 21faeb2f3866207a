/** Parses and compiles sources within a budget and within the size of the stack. */
import { isOverflow } from "@tiphys/base/overflow";
import { Budget, withBudget } from "./budget.ts";
import { ExpressionError } from "./error.ts";
import { BudgetFailure } from "./failure.ts";
import { metered, MeterError } from "./meter.ts";

/** Runs `read` under the current meter, with a new budget that the patterns in the source are charged to. */
export function withParseBudget<T>(source: string, read: () => T): T {
  return metered(() =>
    withBudget(new Budget(), () => withoutOverflow(source, "compile", () => withExpressionErrors(source, read)))
  );
}

/** Turns the failure of a budget or meter during compilation into an error of that expression. */
function withExpressionErrors<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MeterError) throw error.within(source);
    if (!(error instanceof BudgetFailure)) throw error;
    throw new ExpressionError(error.message, { source, phase: "compile", exhausted: true, cause: error });
  }
}

/** Reports nesting that exhausts the stack as an error of the user instead of a crash. */
export function withoutOverflow<T>(source: string, phase: "compile" | "run", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOverflow(error)) throw error;
    throw new ExpressionError("expression is nested too deeply or makes a text that is too long", {
      source,
      phase,
      cause: error,
    });
  }
}
