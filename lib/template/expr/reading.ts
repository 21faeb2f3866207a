/** Sources of expressions are read within a budget, and within what the stack takes. */
import { isOverflow } from "../../overflow.ts";
import { Budget, withBudget } from "./budget.ts";
import { ExpressionError } from "./error.ts";
import { BudgetFailure } from "./failure.ts";
import { metered, MeterError } from "./meter.ts";

/** Reads a source: patterns in it are compiled at the cost of a budget of their own, and the meter at work runs. */
export function reading<T>(source: string, read: () => T): T {
  return metered(() => withBudget(new Budget(), () => withoutOverflow(source, "compile", () => failing(source, read))));
}

/** Turns the failure of a budget or meter that runs out while a source is read into an error of that expression. */
function failing<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MeterError) throw error.within(source);
    if (!(error instanceof BudgetFailure)) throw error;
    throw new ExpressionError(error.message, { source, phase: "compile", exhausted: true, cause: error });
  }
}

/** Nesting deep enough to exhaust the stack is the user's mistake, not a crash. */
export function withoutOverflow<T>(source: string, phase: "compile" | "run", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOverflow(error)) throw error;
    throw new ExpressionError("expression is nested too deeply or makes too long a text", {
      source,
      phase,
      cause: error,
    });
  }
}
