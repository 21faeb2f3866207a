/** The judge of expressions: what one will come to, told before it runs. */
import { ANY, type GoType } from "@tiphys/base/go/type";
import { type EnvTypes, ExpressionError, typeOfExpression } from "../../template/expr/mod.ts";
import type { Fault, Severity } from "./fault.ts";
import { unknownNames } from "./names.ts";
import { environmentTypes, type ExpressionScope, rootTypes } from "./types.ts";

/** The names that an expression may use, and the type that it must give. */
export interface JudgeOptions {
  readonly scope: ExpressionScope;
  /** The type of the result, in the language's own word; any type will do where it is left out. */
  readonly wanted?: "bool" | "string";
}

/** Operators that answer false over types that never meet, where others fail. */
const COMPARISON = /^invalid operation: (==|!=|in) |^cannot use .* in array/;

/** Everything wrong with an expression; a parse error hides the rest, and unknown names hide wrong types. */
export function judgeExpression(source: string, { scope, wanted }: JudgeOptions): Fault[] {
  try {
    const names = unknownNames(source, scope);
    if (names.length > 0) return names;
    // First as the run will see it, where values out of maps are not known yet; then with what is known of them.
    typeOfExpression(source, rootTypes(scope));
  } catch (error) {
    return [faultOf(error, "error")];
  }
  return judgeTypes(source, environmentTypes(scope), wanted);
}

function judgeTypes(source: string, types: EnvTypes, wanted: "bool" | "string" | undefined): Fault[] {
  let result: GoType;
  try {
    result = typeOfExpression(source, types);
  } catch (error) {
    const fault = faultOf(error, "error");
    if (!COMPARISON.test(fault.message)) return [fault];
    return [{ ...fault, severity: "warning", message: `${fault.message}; the answer is always the same` }];
  }
  const isKnown = result.kind !== "unknown" && result.text !== ANY.text;
  if (wanted === undefined || !isKnown || result.kind === wanted) return [];
  return [{ severity: "error", offset: 0, message: `expected an expression that gives ${wanted}, got ${result.text}` }];
}

function faultOf(error: unknown, severity: Severity): Fault {
  if (!(error instanceof ExpressionError)) throw error;
  const message = error.hint === undefined ? error.reason : `${error.reason.trimEnd()}; ${error.hint}`;
  return { severity, message, offset: error.position?.offset ?? 0 };
}
