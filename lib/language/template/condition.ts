/** Bare expressions that evaluate to a boolean. */
import { environment, evaluateBoolean } from "./expr/mod.ts";
import type { Scope } from "./scope.ts";

/**
 * Evaluates a bare expression over a scope, with Argo's functions: for retry strategies and hooks.
 * @throws when evaluation fails or the value is not a boolean.
 */
export function evaluateCondition(expression: string, scope: Scope): boolean {
  return evaluateBoolean(expression, environment(scope));
}

/** Same as `evaluateCondition`, but without Argo's functions and with an environment that is already nested. */
export function evaluatePlainCondition(expression: string, env: Readonly<Record<string, unknown>>): boolean {
  return evaluateBoolean(expression, env);
}
