/** Evaluates the tree of a `when` text. All numbers are floats; nothing is converted to a boolean. */
import { UserError } from "@tiphys/base/user_error";
import { formatValue } from "@tiphys/base/go/format_value";
import { truncateToInt64 } from "@tiphys/base/go/number";
import { pow } from "@tiphys/base/go/power";
import { Regex } from "../expr/regex.ts";
import { compareText } from "@tiphys/base/go/text";
import type { Node } from "./parser.ts";
import { compilePattern } from "./pattern.ts";
import type { WhenLocation } from "./token.ts";

type Binary = Extract<Node, { kind: "binary" }>;

/** A value of the `when` language. */
export type WhenValue = null | boolean | number | string | Regex | readonly WhenValue[];

/** Error for a `when` text with operands of the wrong type or an unknown name. */
export class WhenError extends UserError {
  override readonly name = "WhenError";
  /** The operator or name at which it fails. */
  place: WhenLocation | undefined;
}

/**
 * Returns the value of a tree.
 * @throws {WhenError} when it has no value.
 */
export function evaluateNode(node: Node): WhenValue {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "pattern":
      return node.pattern;
    case "nothing":
      return null;
    case "variable":
      return withErrorPlace(node, () => {
        throw new WhenError(`No parameter '${node.name}' found.`);
      }, "a text needs quotes here");
    case "prefix": {
      const right = evaluateNode(node.right);
      return withErrorPlace(node, () => prefix(node.operator, right));
    }
    case "binary":
      return evaluateChain(node);
  }
}

/** Evaluates a chain of operators iteratively, because it may be long. Chains lean left. */
function evaluateChain(node: Binary): WhenValue {
  const operators: Binary[] = [];
  let first: Node = node;
  for (; first.kind === "binary"; first = first.left) operators.push(first);
  return operators.reduceRight<WhenValue>(
    (left, operator) => withErrorPlace(operator, () => binary(operator, left), signHint(operator)),
    evaluateNode(first),
  );
}

/** Sets the place of an error, unless an inner node has set it. */
function withErrorPlace<T>({ at }: Node, compute: () => T, hint?: string): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof WhenError) error.place ??= { at, hint };
    throw error;
  }
}

/** Returns a hint for `a-b`, which is a subtraction. */
function signHint(node: Binary): string | undefined {
  const { left, right, operator } = node;
  if (!"+-*/%".includes(operator) || left.kind !== "literal" || right.kind !== "literal") return undefined;
  return `a text with signs in it needs quotes: '${left.value}${operator}${right.value}'`;
}

function prefix(operator: string, value: WhenValue): WhenValue {
  if (operator === "!" && typeof value === "boolean") return !value;
  if (operator === "-" && typeof value === "number") return -value;
  if (operator === "~" && typeof value === "number") return Number(~truncateToInt64(value));
  throw new WhenError(`Value '${print(value)}' cannot be used with the prefix '${operator}'`);
}

/** Evaluates a binary operator. The right side is evaluated only if the left side does not decide the value. */
function binary(node: Binary, left: WhenValue): WhenValue {
  const { operator, right: rightNode } = node;
  switch (operator) {
    case "&&":
      return left === false ? false : logical(operator, left, evaluateNode(rightNode));
    case "||":
      return left === true ? true : logical(operator, left, evaluateNode(rightNode));
    case "??":
    case ":":
      return left !== null ? left : evaluateNode(rightNode);
    case "?":
      return choose(left, left === false ? null : evaluateNode(rightNode));
  }
  const right = evaluateNode(rightNode);
  switch (operator) {
    case ",":
      return Array.isArray(left) ? [...left, right] : [left, right];
    case "==":
      return areEqual(left, right);
    case "!=":
      return !areEqual(left, right);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return ordered(operator, left, right);
    case "=~":
      return matches(node, left, right);
    case "!~":
      return !matches(node, left, right);
    case "in":
      return isContained(left, right, node.at);
    case "+":
      if (typeof left === "string" || typeof right === "string") return print(left) + print(right);
  }
  return arithmetic(operator, left, right);
}

function logical(operator: string, left: WhenValue, right: WhenValue): boolean {
  for (const value of [left, right]) {
    if (typeof value !== "boolean") throw operandError(value, "logical operator", operator, "bool");
  }
  return operator === "&&" ? left === true && right === true : left === true || right === true;
}

function choose(left: WhenValue, right: WhenValue): WhenValue {
  if (typeof left !== "boolean") throw operandError(left, "ternary operator", "?", "bool");
  return left ? right : null;
}

/** Equality never fails and never converts: `1` and `"1"` differ. */
function areEqual(left: WhenValue, right: WhenValue): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => areEqual(value, right[index]));
  }
  if (left instanceof Regex && right instanceof Regex) return left.pattern() === right.pattern();
  return left === right;
}

function ordered(operator: string, left: WhenValue, right: WhenValue): boolean {
  let order: number;
  if (typeof left === "number" && typeof right === "number") {
    if (Number.isNaN(left) || Number.isNaN(right)) return false;
    order = left - right;
    if (Number.isNaN(order)) order = 0;
  } else if (typeof left === "string" && typeof right === "string") order = compareText(left, right);
  else throw operandError(left, "comparator", operator, "number");
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    default:
      return order >= 0;
  }
}

function matches(
  { operator, right: { at } }: Binary,
  left: WhenValue,
  right: WhenValue,
): boolean {
  if (typeof left !== "string") throw operandError(left, "comparator", operator, "number");
  if (!(right instanceof Regex) && typeof right !== "string") {
    throw operandError(right, "comparator", operator, "number");
  }
  const pattern = right instanceof Regex ? right : compilePattern(right, at);
  return pattern.matches(left);
}

/** @param at position of the operator. */
function isContained(value: WhenValue, list: WhenValue, offset: number): boolean {
  if (!Array.isArray(list)) {
    const error = operandError(list, "comparator", "in", "number");
    error.place = {
      at: offset,
      hint: "parentheses around one value make no list: compare with ==, or list two values or more",
    };
    throw error;
  }
  for (const item of list) {
    if (Array.isArray(item) && Array.isArray(value)) throw new WhenError("Lists cannot be compared within 'in'");
    if (item === value) return true;
  }
  return false;
}

function arithmetic(operator: string, left: WhenValue, right: WhenValue): number {
  // For `+`, Argo Workflows names the left side in the error; for other operators, the wrong side.
  if (typeof left !== "number") throw operandError(left, "modifier", operator, "number");
  if (typeof right !== "number") throw operandError(operator === "+" ? left : right, "modifier", operator, "number");
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return pow(left, right);
    case "&":
      return Number(truncateToInt64(left) & truncateToInt64(right));
    case "|":
      return Number(truncateToInt64(left) | truncateToInt64(right));
    case "^":
      return Number(truncateToInt64(left) ^ truncateToInt64(right));
    default:
      return shift(operator, left, right);
  }
}

function shift(operator: string, remaining: number, right: number): number {
  const value = BigInt.asUintN(64, truncateToInt64(remaining));
  const distance = BigInt.asUintN(64, truncateToInt64(right));
  if (distance >= 64n) return 0;
  return Number(operator === "<<" ? BigInt.asUintN(64, value << distance) : value >> distance);
}

function operandError(value: WhenValue, role: string, operator: string, expected: string): WhenError {
  const article = `it is not a ${expected}`;
  return new WhenError(`Value '${print(value)}' cannot be used with the ${role} '${operator}', ${article}`);
}

/** Formats a value as text, for `+` and messages. */
export function print(value: WhenValue): string {
  if (value instanceof Regex) return value.pattern();
  if (Array.isArray(value)) return `[${value.map(print).join(" ")}]`;
  return formatValue(value as null | boolean | number | string);
}
