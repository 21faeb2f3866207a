/** Checks expressions before they run. */
import { ANY, type GoType } from "@tiphys/base/go/type";
import { type EnvTypes, ExpressionError, typeOfExpression } from "../../template/expr/mod.ts";
import type { Fault, Severity } from "./fault.ts";
import { unknownNames } from "./names.ts";
import { environmentTypes, type ExpressionScope, rootTypes } from "./types.ts";

/** The names that an expression may use, and the type of its result. */
export interface ExpressionCheckOptions {
  readonly scope: ExpressionScope;
  /** The required type of the result, as the language names it. Default: any type. */
  readonly requiredType?: "bool" | "string";
}

/** Operators that return false for incompatible types, where others fail. */
const COMPARISON = /^invalid operation: (==|!=|in) |^cannot use .* in array/;

/** Returns all faults of an expression; a syntax error hides the others, and unknown names hide type errors. */
export function expressionFaults(source: string, { scope, requiredType }: ExpressionCheckOptions): Fault[] {
  try {
    const names = unknownNames(source, scope);
    if (names.length > 0) return names;
    // First with the types that Argo knows at run time, then also with the known types of map values.
    typeOfExpression(source, rootTypes(scope));
  } catch (error) {
    return [faultOf(error, "error")];
  }
  return typeFaults(source, environmentTypes(scope), requiredType);
}

function typeFaults(source: string, types: EnvTypes, requiredType: "bool" | "string" | undefined): Fault[] {
  let result: GoType;
  try {
    result = typeOfExpression(source, types);
  } catch (error) {
    const fault = faultOf(error, "error");
    if (!COMPARISON.test(fault.message)) return [fault];
    return [{ ...fault, severity: "warning", message: `${fault.message}; the result is always the same` }];
  }
  const isKnown = result.kind !== "unknown" && result.text !== ANY.text;
  if (requiredType === undefined || !isKnown || result.kind === requiredType) return [];
  return [{
    severity: "error",
    offset: 0,
    message: `expected an expression that gives ${requiredType}, got ${result.text}`,
  }];
}

function faultOf(error: unknown, severity: Severity): Fault {
  if (!(error instanceof ExpressionError)) throw error;
  const message = error.hint === undefined ? error.reason : `${error.reason.trimEnd()}; ${error.hint}`;
  return { severity, message, offset: error.position?.offset ?? 0 };
}
