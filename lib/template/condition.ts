/** Bare expressions whose answer is yes or no. */
import { environment, evaluateBoolean } from "./expr/mod.ts";
import type { Scope } from "./scope.ts";

/**
 * The answer of a bare expression over a scope, Argo's functions included: retry strategies and hooks.
 * @throws where it fails or gives anything but a boolean.
 */
export function evaluateCondition(expression: string, scope: Scope): boolean {
  return evaluateBoolean(expression, environment(scope));
}

/** As `evaluateCondition`, without Argo's functions and over values that are nested already. */
export function evaluatePlainCondition(expression: string, env: Readonly<Record<string, unknown>>): boolean {
  return evaluateBoolean(expression, env);
}
