/**
 * The expressions within `[?(…)]` and `[(…)]`. They are split at the first match of each operator in turn, anywhere
 * outside of quotes and brackets, even inside a name: Argo does this, and queries depend on the results.
 */
import {
  atoi,
  formatValue,
  isPlainMap,
  JsonError,
  listItems,
  parseFloat64,
  unmarshalJson,
  type Value,
} from "@tiphys/base/go";
import type { Budget } from "../budget.ts";
import { BudgetFailure, fail, RunFailure } from "../failure.ts";
import { compileRegex } from "../regex.ts";
import { failBranch, PathError } from "./path_error.ts";

/** The values that a script can read: the document and the element. */
export interface Subject {
  readonly root: Value;
  readonly current: Value;
  /** The remaining budget of the query. */
  readonly budget: Budget;
}

/**
 * A compiled script.
 * @throws {PathError} when an operand does not fit.
 */
export type Script = (subject: Subject) => Value;

/** Compiles a path within a script. Passed in, because paths contain scripts and scripts contain paths. */
export type PathCompiler = (path: string) => Script;

const OPERATORS = [
  "||",
  "&&",
  "==",
  "!=",
  "<=",
  ">=",
  "<",
  ">",
  "=~",
  "!",
  "+",
  "-",
  "**",
  "*",
  "/",
  "%",
  "not in",
  "in",
  "@",
  "$",
] as const;
/** The operators to try after brackets were removed: all of them. */
const ALL_OPERATORS = ["", ...OPERATORS];

type Operand = { readonly kind: "script"; readonly run: Script } | { readonly kind: "value"; readonly value: Value };

/**
 * Compiles a script.
 * @throws {PathError} when a path in it is malformed.
 */
export function compileScript(source: string, compilePath: PathCompiler): Script {
  const run = new ScriptCompiler(compilePath).operation(source, OPERATORS);
  if (run !== undefined) return run;
  return (subject) => {
    if (source === "") failBranch("invalid expression. is empty");
    const named = NAMED_VALUES.get(source);
    if (named !== undefined) return named(subject);
    const operand: Operand = { kind: "value", value: source };
    return attempt(() => numberOf(operand, subject)) ?? attempt(() => booleanOf(operand, subject)) ?? source;
  };
}

const NAMED_VALUES: ReadonlyMap<string, Script> = new Map<string, Script>([
  ["$", ({ root }) => root],
  ["@", ({ current }) => current],
  ["nil", () => null],
  ["null", () => null],
]);

class ScriptCompiler {
  constructor(private readonly compilePath: PathCompiler) {}

  /**
   * Returns the operation of a text, trying the given operators in order; undefined if the text contains none of them.
   */
  operation(text: string, operators: readonly string[]): Script | undefined {
    let source = text.trim();
    if (source === "") return undefined;
    let rest = operators;
    let [operator] = rest;
    while (operator !== undefined) {
      if (source.startsWith("(") && source.endsWith(")")) {
        source = source.slice(1, -1).trim();
        rest = ALL_OPERATORS;
      }
      const found = this.split(source, operator, rest);
      if (found !== undefined) return found;
      if (source === "") return undefined;
      rest = rest.slice(1);
      [operator] = rest;
    }
    return undefined;
  }

  private split(source: string, operator: string, operators: readonly string[]): Script | undefined {
    const offset = findOperator(source, operator);
    if (offset < 0) return undefined;
    const isPath = operator === "$" || operator === "@";
    const rightText = source.slice(offset + operator.length).trim();
    if (rightText === "" && !isPath) return undefined;
    const right = this.operand(rightText, operators);
    const leftText = source.slice(0, offset).trim();
    if (leftText === "" && !isPath && operator !== "!") return undefined;
    const left = this.operand(leftText, operators);
    if (isPath) return left === undefined ? this.compilePath(source) : undefined;
    if (operator === "!") return left === undefined ? (subject) => !booleanOf(right, subject) : undefined;
    return binary(operator, left, right);
  }

  private operand(text: string, operators: readonly string[]): Operand | undefined {
    const run = this.operation(text, operators);
    if (run !== undefined) return { kind: "script", run };
    if (text === "") return undefined;
    const isJson = (text.startsWith("[") && text.endsWith("]")) || (text.startsWith("{") && text.endsWith("}"));
    return { kind: "value", value: (isJson ? attemptJson(text) : undefined) ?? text };
  }
}

function findOperator(source: string, operator: string): number {
  let quote = "";
  let square = 0;
  let round = 0;
  for (let i = 0; i < source.length; i++) {
    const character = source[i];
    if ((character === "(" || character === ")") && quote === "" && square <= 0) round += character === "(" ? 1 : -1;
    else if ((character === "[" || character === "]") && quote === "" && round <= 0) {
      square += character === "[" ? 1 : -1;
    } else if ((character === "'" || character === '"') && square <= 0 && round <= 0) {
      if (quote === "") quote = character;
      else if (quote === character) quote = "";
    }
    if (quote !== "" || square > 0 || round > 0 || operator.length > i + 1) continue;
    const start = i + 1 - operator.length;
    if (source.slice(start, i + 1) === operator) return start;
  }
  return -1;
}

function binary(operator: string, left: Operand | undefined, right: Operand | undefined): Script {
  const numbers = (apply: (a: number, b: number) => Value): Script => (subject) => {
    const a = numberOf(left, subject);
    return apply(a, numberOf(right, subject));
  };
  switch (operator) {
    case "||":
    case "&&":
      return (subject) => {
        const a = booleanOf(left, subject);
        const b = booleanOf(right, subject);
        return operator === "||" ? a || b : a && b;
      };
    case "==":
      return (subject) => areEqual(left, right, subject);
    case "!=":
      return (subject) => !areEqual(left, right, subject);
    case "<=":
      return numbers((a, b) => a <= b);
    case ">=":
      return numbers((a, b) => a >= b);
    case "<":
      return numbers((a, b) => a < b);
    case ">":
      return numbers((a, b) => a > b);
    case "+":
      return numbers((a, b) => a + b);
    case "-":
      return numbers((a, b) => a - b);
    case "*":
      return numbers((a, b) => a * b);
    case "/":
      return numbers((a, b) => a / b);
    case "**":
      return numbers((a, b) => a ** b);
    case "%":
      return (subject) => {
        const a = integerOf(left, subject);
        const b = integerOf(right, subject);
        return b === 0n ? fail("runtime error: integer divide by zero") : Number(a % b);
      };
    case "=~":
      return (subject) => matchesText(left, right, subject);
    case "in":
      return (subject) => isElement(left, right, subject);
    case "not in":
      return (subject) => !isElement(left, right, subject);
    default:
      return failBranch("unsupported operator");
  }
}

/** Returns the operand's value, with names such as `@` and `null` replaced. */
function resolve(operand: Operand, subject: Subject): Value {
  const value = operand.kind === "script" ? operand.run(subject) : operand.value;
  const named = typeof value === "string" ? NAMED_VALUES.get(value) : undefined;
  return named === undefined ? value : named(subject);
}

function numberOf(operand: Operand | undefined, subject: Subject): number {
  if (operand === undefined) failBranch("invalid argument. is nil");
  const result = parseFloat64(formatValue(resolve(operand, subject)));
  return result.ok ? result.value : failBranch("invalid argument. expected number");
}

function integerOf(operand: Operand | undefined, subject: Subject): bigint {
  if (operand === undefined) failBranch("invalid argument. is nil");
  return atoi(formatValue(resolve(operand, subject))) ?? failBranch("invalid argument. expected integer");
}

const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE = new Set(["0", "f", "F", "FALSE", "false", "False"]);

function booleanOf(operand: Operand | undefined, subject: Subject): boolean {
  if (operand === undefined) return false;
  const value = resolve(operand, subject);
  if (value === null) return false;
  const textOf = formatValue(value);
  if (TRUE.has(textOf)) return true;
  return FALSE.has(textOf) ? false : failBranch("invalid argument. expected boolean");
}

/** Returns the operand as text, with strings in single quotes. */
function text(operand: Operand | undefined, subject: Subject): string {
  if (operand === undefined) failBranch("invalid argument. is nil");
  const written = operand.kind === "script" ? operand.run(subject) : operand.value;
  if (typeof written !== "string") return formatValue(written);
  const named = NAMED_VALUES.get(written);
  const value = named === undefined ? written : named(subject);
  if (typeof value !== "string") return formatValue(value);
  if (isQuoted(value, "'")) return value;
  if (isQuoted(value, '"')) return `'${value.slice(1, -1)}'`;
  return named === undefined ? value : `'${value}'`;
}

function isQuoted(value: string, quote: string): boolean {
  return value.length > 1 && value.startsWith(quote) && value.endsWith(quote);
}

function areEqual(left: Operand | undefined, right: Operand | undefined, subject: Subject): boolean {
  const first = attempt(() => numberOf(left, subject));
  const second = first === undefined ? undefined : attempt(() => numberOf(right, subject));
  if (first !== undefined && second !== undefined) return first === second;
  const a = text(left, subject);
  return a === text(right, subject);
}

function matchesText(left: Operand | undefined, right: Operand | undefined, subject: Subject): boolean {
  const bare = (value: string) => (isQuoted(value, "'") ? value.slice(1, -1) : value);
  const subjectText = bare(text(left, subject));
  const pattern = bare(text(right, subject));
  try {
    return compileRegex(pattern).matches(subjectText);
  } catch (error) {
    if (error instanceof RunFailure && !(error instanceof BudgetFailure)) {
      return failBranch("invalid argument. expected a valid regexp");
    }
    throw error;
  }
}

/** Texts are compared including their quotes, so only numbers and booleans are found. */
function isElement(left: Operand | undefined, right: Operand | undefined, subject: Subject): boolean {
  const item = attempt(() => numberOf(left, subject)) ?? attempt(() => text(left, subject));
  if (right === undefined) failBranch("invalid argument. is nil");
  const collection = resolve(right, subject);
  const parsed = typeof collection === "string" && /^(\{.*\}|\[.*\])$/s.test(collection)
    ? attemptJson(collection) ?? failBranch("invalid argument")
    : collection;
  const items = listItems(parsed) ?? (isPlainMap(parsed) ? Object.values(parsed) : undefined);
  if (items === undefined) failBranch("invalid argument. expected array, map, or slice");
  return items.some((element) => element === item);
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

function attemptJson(source: string): Value | undefined {
  try {
    return unmarshalJson(source);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
