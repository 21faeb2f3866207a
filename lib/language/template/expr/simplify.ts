/**
 * Optimizations that Go's compiler makes. Most only save time, but some are visible: `x && true` is x for every x, a
 * search stops at its first match, and a constant range is not created.
 */
import { BOOL, FLOAT, INT, STRING, type Value, wrapInt64 } from "@tiphys/base/go";
import { ExpressionError } from "./error.ts";
import { RunFailure } from "./failure.ts";
import { ARITHMETIC, negate } from "./operators.ts";
import {
  type Binary,
  type Builtin,
  chainOf,
  type Constant,
  type List,
  type Node,
  type Predicate,
  type Unary,
} from "./tree.ts";

/**
 * Returns the simplified tree.
 * @throws {ExpressionError} for a constant division by zero.
 */
export function simplify(tree: Node, source: string): Node {
  return new Simplifier(source).node(tree);
}

class Simplifier {
  constructor(private readonly source: string) {}

  node(node: Node): Node {
    switch (node.kind) {
      case "constant":
      case "identifier":
      case "pointer":
        return node;
      case "unary":
        return foldUnary({ ...node, operand: this.node(node.operand) });
      case "binary":
        return this.binary(node);
      case "member":
        return filterIndexToFind({ ...node, base: this.node(node.base), property: this.node(node.property) });
      case "chain":
      case "predicate":
        return { ...node, body: this.node(node.body) };
      case "slice":
        return {
          ...node,
          base: this.node(node.base),
          from: node.from && this.node(node.from),
          to: node.to && this.node(node.to),
        };
      case "call": {
        const callee = this.node(node.callee);
        const args = node.args.map((arg) => this.node(arg));
        return callee.kind === "member" || callee.kind === "identifier" ? { ...node, callee, args } : { ...node, args };
      }
      case "builtin":
        return builtin({ ...node, args: node.args.map((arg) => this.node(arg)) });
      case "let":
        return { ...node, value: this.node(node.value), body: this.node(node.body) };
      case "sequence":
        return { ...node, nodes: node.nodes.map((node) => this.node(node)) };
      case "conditional":
        return {
          ...node,
          condition: this.node(node.condition),
          then: this.node(node.then),
          otherwise: this.node(node.otherwise),
        };
      case "list":
        return foldList({ ...node, items: node.items.map((item) => this.node(item)) });
      case "map":
        return { ...node, pairs: node.pairs.map((p) => ({ key: this.node(p.key), value: this.node(p.value) })) };
    }
  }

  /** Simplifies chains of operators iteratively, because they may be long. Chains lean left. */
  private binary(node: Binary): Node {
    const { first, operators } = chainOf(node);
    let left = this.node(first);
    for (const operator of operators) {
      left = this.fold(operator, { ...operator, left, right: this.node(operator.right) });
    }
    return left;
  }

  private fold(written: Binary, node: Binary): Node {
    if (node.operator === "in") return membership(written, node);
    if (isLogical(node.operator)) return mergeSearches(foldLogical(node));
    if (node.operator === "==") return foldEquality(node);
    if (node.operator === "%" && isInteger(node.left) && isInteger(node.right) && node.right.value === 0n) {
      throw new ExpressionError("integer divide by zero", {
        source: this.source,
        offset: node.at,
        phase: "compile",
      });
    }
    return limitCount(foldArithmetic(node));
  }
}

type IntegerConstant = Constant & { readonly value: bigint };

function isInteger(node: Node): node is IntegerConstant {
  return node.kind === "constant" && typeof node.value === "bigint";
}

function constant(node: Node, value: Value): Constant {
  const type = typeof value === "boolean"
    ? BOOL
    : typeof value === "bigint"
    ? INT
    : typeof value === "string"
    ? STRING
    : FLOAT;
  return { kind: "constant", at: node.at, type, value };
}

function foldUnary(node: Unary): Node {
  if (node.operand.kind !== "constant") return node;
  const { value } = node.operand;
  const isNumber = typeof value === "bigint" || typeof value === "number";
  if (node.operator === "-" && isNumber) return constant(node, negate(value));
  if (node.operator === "+" && isNumber) return constant(node, value);
  if ((node.operator === "!" || node.operator === "not") && typeof value === "boolean") return constant(node, !value);
  return node;
}

function isLogical(operator: string): boolean {
  return operator === "&&" || operator === "and" || operator === "||" || operator === "or";
}

/** A constant side of `and` and `or` either decides the value, or is removed and leaves the other side. */
function foldLogical(node: Binary): Node {
  const neutral = node.operator === "&&" || node.operator === "and";
  const [left, right] = [constantBoolean(node.left), constantBoolean(node.right)];
  if (left === neutral) return node.right;
  if (right === neutral) return node.left;
  return left === undefined && right === undefined ? node : constant(node, !neutral);
}

/** Evaluates the comparison of two literal integers, texts or booleans, which may decide an `and` around it. */
function foldEquality(node: Binary): Node {
  const { left, right } = node;
  if (left.kind !== "constant" || right.kind !== "constant") return node;
  const kind = typeof left.value;
  const isDecided = kind === typeof right.value && (kind === "bigint" || kind === "string" || kind === "boolean");
  return isDecided ? constant(node, left.value === right.value) : node;
}

function constantBoolean(node: Node): boolean | undefined {
  return node.kind === "constant" && typeof node.value === "boolean" ? node.value : undefined;
}

function foldArithmetic(node: Binary): Node {
  const { left, right } = node;
  const apply = ARITHMETIC[node.operator];
  if (apply === undefined || left.kind !== "constant" || right.kind !== "constant") return node;
  try {
    return constant(node, apply(left.value, right.value));
  } catch (error) {
    if (error instanceof RunFailure) return node;
    throw error;
  }
}

/** Turns `x in 1..9` of an integer into comparisons. Marks texts that are searched in literals for a set. */
function membership(written: Binary, node: Binary): Node {
  const { left, right } = node;
  if (
    left.type === INT && right.kind === "binary" && right.operator === ".." && isInteger(right.left) &&
    isInteger(right.right)
  ) {
    const lower: Binary = { ...node, operator: ">=", left, right: right.left };
    const upper: Binary = { ...node, operator: "<=", left, right: right.right };
    return { ...node, operator: "&&", left: lower, right: upper };
  }
  if (written.right.kind === "list" && written.right.items.length > 0 && written.right.items.every(isText)) {
    return { ...node, operator: "in texts" };
  }
  return node;
}

function isText(node: Node): boolean {
  return node.kind === "constant" && typeof node.value === "string";
}

function foldList(node: List): Node {
  const values: Value[] = [];
  for (const item of node.items) {
    if (item.kind !== "constant" || !["bigint", "number", "string", "boolean"].includes(typeof item.value)) return node;
    values.push(item.value);
  }
  if (values.length === 0) return node;
  return { kind: "constant", at: node.at, type: node.type, value: Object.freeze(values), isFolded: true };
}

/** Turns `count(…) > 0` into `any(…)`. A count that is compared with a number may stop when the result is known. */
function limitCount(node: Node): Node {
  if (node.kind !== "binary" || !isInteger(node.right)) return node;
  const count = node.left;
  if (count.kind !== "builtin" || count.name !== "count" || count.args.length !== 2) return node;
  const limit = node.right.value;
  const enough = node.operator === ">" || node.operator === "<="
    ? limit + 1n
    : node.operator === ">=" || node.operator === "<"
    ? limit
    : 0n;
  // The comparison "at least one" stops early only if it is written as one.
  const min = node.operator.startsWith(">") ? 1n : 2n;
  return limit >= 0n && enough >= min ? { ...node, left: { ...count, stopAt: enough } } : node;
}

/**
 * The operator that merges two searches of the same kind over one list. The merged search may skip elements at
 * which the second one would fail.
 */
const MERGE_OPERATORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: { "&&": "&&", and: "&&" },
  any: { "||": "||", or: "||" },
  none: { "&&": "||", and: "||" },
};

/** Turns `all(x, p) and all(x, q)` into `all(x, p and q)`; the same for `any` and `none`. */
function mergeSearches(node: Node): Node {
  if (node.kind !== "binary" || node.left.kind !== "builtin" || node.right.kind !== "builtin") return node;
  const { left, right } = node;
  const operator = MERGE_OPERATORS[left.name]?.[node.operator];
  if (operator === undefined || left.name !== right.name) return node;
  const [list, first] = left.args;
  const [otherList, second] = right.args;
  if (list === undefined || first === undefined || second === undefined || !sameNode(list, otherList)) return node;
  return { ...left, args: [list, mergePredicates(first, operator, second, mergeSearches)] };
}

/** Merges two predicates. */
function mergePredicates(first: Node, operator: string, second: Node, simplified: (node: Binary) => Node): Node {
  const [left, right] = [(first as Predicate).body, (second as Predicate).body];
  const body = simplified({ kind: "binary", operator, at: left.at, type: BOOL, left, right });
  return { ...(first as Predicate), body };
}

/** Whether two nodes are equal except for their positions. */
function sameNode(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [x, y] = [a, b] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  const fields = Object.keys(x).filter((name) => name !== "at" && name !== "type");
  return fields.every((name) => sameNode(x[name], y[name])) && Object.keys(y).every((name) => name in x);
}

/** Turns `filter(…)[0]` and `[-1]` into a search for one element, without a list. */
function filterIndexToFind(node: Extract<Node, { kind: "member" }>): Node {
  const { base, property } = node;
  if (node.optional || !isInteger(property) || base.kind !== "builtin" || base.name !== "filter") return node;
  if (property.value === 0n) return { ...base, name: "find", at: node.at, type: node.type, mustFind: true };
  if (property.value === -1n) return { ...base, name: "findLast", at: node.at, type: node.type, mustFind: true };
  return node;
}

const FILTER_REPLACEMENTS: Readonly<Record<string, string>> = { first: "find", last: "findLast", len: "count" };

function builtin(node: Builtin): Node {
  const [list, predicate] = node.args;
  if (list === undefined) return node;
  if (node.name === "filter" && list.kind === "builtin" && list.name === "filter") {
    const [inner, first] = list.args;
    if (inner === undefined || first === undefined || predicate === undefined) return node;
    return { ...node, args: [inner, mergePredicates(first, "&&", predicate, foldLogical)] };
  }
  if (node.args.length === 1 && list.kind === "builtin" && list.args.length === 2) {
    const direct = FILTER_REPLACEMENTS[node.name];
    if (direct !== undefined && list.name === "filter") return { ...node, name: direct, args: list.args };
    if (node.name === "sum" && list.name === "map") return { ...node, args: list.args };
  }
  if (node.name === "sum") return sumOf(node, list);
  if (node.name === "reduce") return reduceOf(node, list);
  return node;
}

/** Turns `sum([a, b])` into a + b, for all types. The sum of a constant range is computed without the range. */
function sumOf(node: Builtin, list: Node): Node {
  const [, predicate] = node.args;
  if (predicate === undefined && list.kind === "list" && list.items.length >= 2) {
    return list.items.reduceRight((right, left): Node => ({
      kind: "binary",
      operator: "+",
      at: node.at,
      type: node.type,
      left,
      right,
    }));
  }
  const range = constantRange(list);
  if (range === undefined) return node;
  if (predicate === undefined) return constant(node, wrapInt64(range.sum));
  const value = predicateSum(range, (predicate as Predicate).body);
  return value === undefined ? node : constant(node, wrapInt64(value));
}

interface ConstantRange {
  readonly count: bigint;
  readonly sum: bigint;
}

function constantRange(node: Node): ConstantRange | undefined {
  if (node.kind !== "binary" || node.operator !== ".." || !isInteger(node.left) || !isInteger(node.right)) {
    return undefined;
  }
  const [from, to] = [node.left.value, node.right.value];
  if (to < from) return undefined;
  const count = to - from + 1n;
  return { count, sum: BigInt.asIntN(64, count * (from + to)) / 2n };
}

/** Returns the sum of `#`, `# * k`, `# + k` or `# - k` over a range. */
function predicateSum({ count, sum }: ConstantRange, body: Node): bigint | undefined {
  if (isElement(body)) return sum;
  if (body.kind !== "binary") return undefined;
  const onLeft = isElement(body.left);
  const other = onLeft ? body.right : body.left;
  if (!isInteger(other) || !(onLeft || isElement(body.right))) return undefined;
  switch (body.operator) {
    case "*":
      return other.value * sum;
    case "+":
      return sum + count * other.value;
    case "-":
      return onLeft ? sum - count * other.value : count * other.value - sum;
    default:
      return undefined;
  }
}

function isElement(node: Node): boolean {
  return node.kind === "pointer" && node.name === "";
}

/** Turns `reduce(1..n, # + #acc)` into the sum. */
function reduceOf(node: Builtin, list: Node): Node {
  const [, predicate, initial] = node.args;
  const range = constantRange(list);
  const body = (predicate as Predicate).body;
  if (range === undefined || body.kind !== "binary" || body.operator !== "+") return node;
  const names = [body.left, body.right].map((side) => (side.kind === "pointer" ? side.name : undefined));
  if (!(names.includes("") && names.includes("acc"))) return node;
  if (initial === undefined) return constant(node, range.sum);
  return isInteger(initial) ? constant(node, wrapInt64(initial.value + range.sum)) : node;
}
