/** Compiles a tree to nested closures, which can be run many times. */
import { ANY, fromBytes, GoFunction, isNil, listItems, type Value } from "@tiphys/base/go";
import { callFunction, contains, containsText, fetch, slice } from "./access.ts";
import { ACCEPT_ANY_COUNT, APPLIED_TO_LAST_VALUE } from "./builtins/builtin.ts";
import { BUILTINS } from "./builtins/mod.ts";
import type { CompiledNode, Frame } from "./frame.ts";
import { fail, RunFailure } from "./failure.ts";
import {
  ARITHMETIC,
  compare,
  equal,
  equalIntegers,
  equalTexts,
  negate,
  range,
  rangeSize,
  toBool,
  toInt,
  toStringOperand,
} from "./operators.ts";
import { compilePredicateCall, readableElement } from "./predicate_calls.ts";
import { builtinTerms, runCharged, termsOf } from "./price_list.ts";
import { searchCost } from "./prices.ts";
import { compileRegex } from "./regex.ts";
import { type Binary, type Builtin, chainOf, constantText, type Member, type Node } from "./tree.ts";

/** The value of a chain after a `?.` on nil. It is passed up to the end of the chain, where it becomes nil. */
// deno-lint-ignore tiphys/no-double-cast -- a mark that is compared, and never read
const BROKEN_CHAIN = Symbol("broken chain") as unknown as Value;

/** Compiles a checked and simplified tree. `variables` is the number of `let` slots that a run needs. */
export function compile(tree: Node): { run: CompiledNode; variables: number } {
  const compiler = new Compiler();
  const run = compiler.node(tree);
  return { run, variables: compiler.slots };
}

class Compiler {
  slots = 0;
  /** Number of nodes compiled so far. The nodes within a predicate determine the price of each of its calls. */
  private nodes = 0;
  private readonly visible: { name: string; slot: number }[] = [];

  node(node: Node): CompiledNode {
    this.nodes++;
    switch (node.kind) {
      case "constant":
        return constantNode(node.value);
      case "identifier":
        return this.identifier(node.name);
      case "unary":
        return this.unary(node.operator, this.node(node.operand), node.at);
      case "binary":
        return this.binary(node);
      case "member":
        return this.member(node);
      case "chain": {
        const body = this.node(node.body);
        return (frame) => {
          const value = body(frame);
          return value === BROKEN_CHAIN || isNil(value) ? null : value;
        };
      }
      case "slice":
        return this.slice(node);
      case "call":
        return this.call(node.callee, node.args, node.at);
      case "builtin":
        return this.builtin(node);
      case "predicate":
        return this.node(node.body);
      case "pointer":
        return pointerNode(node.name);
      case "let":
        return this.declaration(node.name, node.value, node.body);
      case "sequence": {
        const runs = node.nodes.map((node) => this.node(node));
        return (frame) => {
          let last: Value = null;
          for (const run of runs) last = run(frame);
          return last;
        };
      }
      case "conditional": {
        const condition = this.node(node.condition);
        const then = this.node(node.then);
        const otherwise = this.node(node.otherwise);
        const { at } = node.condition;
        return (frame) => (this.decide(condition, frame, at) ? then(frame) : otherwise(frame));
      }
      case "list": {
        const items = node.items.map((item) => this.node(item));
        return (frame) => {
          const list = items.map((item) => item(frame));
          frame.at = node.at;
          frame.budget.chargeElements(list.length);
          return list;
        };
      }
      case "map":
        return this.map(node);
    }
  }

  private decide(run: CompiledNode, frame: Frame, offset: number): boolean {
    const value = run(frame);
    frame.at = offset;
    return toBool(value);
  }

  // Names

  private identifier(name: string): CompiledNode {
    const slot = this.visible.findLast((candidate) => candidate.name === name)?.slot;
    if (slot !== undefined) return (frame) => frame.variables[slot] ?? null;
    if (name === "$env") return (frame) => frame.env as Value;
    return (frame) => (Object.hasOwn(frame.env, name) ? frame.env[name] ?? null : null);
  }

  private declaration(name: string, value: Node, body: Node): CompiledNode {
    const set = this.node(value);
    const slot = this.slots++;
    this.visible.push({ name, slot });
    const run = this.node(body);
    this.visible.pop();
    return (frame) => {
      frame.variables[slot] = set(frame);
      return run(frame);
    };
  }

  // Operators

  private unary(operator: string, operand: CompiledNode, offset: number): CompiledNode {
    if (operator === "+") return operand;
    const apply = operator === "-" ? negate : (value: Value) => !toBool(value);
    return (frame) => {
      const value = operand(frame);
      frame.at = offset;
      return apply(value);
    };
  }

  /** Compiles chains of operators iteratively, because they may be long. Chains lean left. */
  private binary(node: Binary): CompiledNode {
    const { first, operators } = chainOf(node);
    let left = this.node(first);
    this.nodes += operators.length;
    for (const operator of operators) left = this.operator(operator, left);
    return left;
  }

  private operator(node: Binary, left: CompiledNode): CompiledNode {
    const { operator, at } = node;
    if (operator === "in texts") return membershipInTexts(node, left);
    const pattern = operator === "matches" ? constantText(node.right) : undefined;
    if (pattern !== undefined) return matchesConstant(pattern, left, at);
    const right = this.node(node.right);
    switch (operator) {
      case "&&":
      case "and":
        return (frame) => {
          const value = left(frame);
          frame.at = at;
          return toBool(value) ? right(frame) : false;
        };
      case "||":
      case "or":
        return (frame) => {
          const value = left(frame);
          frame.at = at;
          return toBool(value) ? true : right(frame);
        };
      case "??":
        return (frame) => {
          const value = left(frame);
          return isNil(value) ? right(frame) : value;
        };
      case "..":
        return (frame) => {
          const [from, to] = [left(frame), right(frame)];
          frame.at = at;
          const [first, last] = [toInt(from), toInt(to)];
          frame.budget.chargeElements(rangeSize(first, last));
          return range(first, last);
        };
    }
    const apply = typedEquality(node) ?? BINARY[operator];
    if (apply === undefined) throw new Error(`The operator ${operator} has no meaning`);
    const searches = operator === "contains";
    return (frame) => {
      const a = left(frame);
      const b = right(frame);
      frame.at = at;
      if (searches && typeof a === "string" && typeof b === "string") {
        frame.budget.charge(searchCost(a.length, b.length));
      }
      return apply(a, b);
    };
  }

  // Members and calls

  private member(node: Member): CompiledNode {
    const base = this.node(node.base);
    const { at, optional } = node;
    const name = constantText(node.property);
    const key = name === undefined ? this.node(node.property) : undefined;
    return (frame) => {
      const value = base(frame);
      if (value === BROKEN_CHAIN) return BROKEN_CHAIN;
      if (optional && isNil(value)) return BROKEN_CHAIN;
      const property = key === undefined ? name! : key(frame);
      frame.at = at;
      return fetch(value, property);
    };
  }

  private slice(node: Extract<Node, { kind: "slice" }>): CompiledNode {
    const base = this.node(node.base);
    const from = node.from && this.node(node.from);
    const to = node.to && this.node(node.to);
    return (frame) => {
      const value = base(frame);
      const end = to?.(frame);
      const start = from?.(frame);
      frame.at = node.at;
      return slice(value, start, end);
    };
  }

  private call(callee: Node, args: readonly Node[], offset: number): CompiledNode {
    const target = this.node(callee);
    const parameters = args.map((arg) => this.node(arg));
    return (frame) => {
      const values = parameters.map((parameter) => parameter(frame));
      const value = target(frame);
      if (value === BROKEN_CHAIN) return BROKEN_CHAIN;
      frame.at = offset;
      if (!(value instanceof GoFunction)) return callFunction(value, values);
      return runCharged(termsOf(value), values, frame.budget, () => callFunction(value, values));
    };
  }

  private builtin(node: Builtin): CompiledNode {
    const before = this.nodes;
    const args = node.args.map((arg) => this.node(arg));
    const predicateCall = compilePredicateCall(node, args, this.nodes - before);
    if (predicateCall !== undefined) return predicateCall;
    const { run } = BUILTINS.get(node.name)!;
    const terms = builtinTerms(node.name);
    const { at } = node;
    const miscounted = argumentCountError(node);
    const first = APPLIED_TO_LAST_VALUE.has(node.name) ? args.length - 1 : 0;
    return (frame) => {
      const values = args.map((arg) => arg(frame));
      frame.at = at;
      if (miscounted !== undefined) fail(miscounted);
      return runCharged(
        terms,
        values,
        frame.budget,
        () => run(first === 0 ? values : values.slice(first), frame.budget),
      );
    };
  }

  private map(node: Extract<Node, { kind: "map" }>): CompiledNode {
    const pairs = node.pairs.map(({ key, value }) => ({ key: this.node(key), value: this.node(value) }));
    return (frame) => {
      const made = pairs.map(({ key, value }) => [key(frame), value(frame)] as const);
      frame.at = node.at;
      frame.budget.chargeElements(made.length);
      const map: Record<string, Value> = Object.create(null);
      // In reverse, so that the first of equal keys is kept.
      for (const [key, value] of made.reverse()) map[toStringOperand(key)] = value;
      return map;
    };
  }
}

/**
 * Returns the error message for a wrong number of arguments in a call that was not checked; undefined if the number is
 * correct.
 */
function argumentCountError({ name, args }: Builtin): string | undefined {
  if (APPLIED_TO_LAST_VALUE.has(name)) return args.length === 0 ? "stack underflow" : undefined;
  if (ACCEPT_ANY_COUNT.has(name)) return undefined;
  try {
    BUILTINS.get(name)!.validate?.(args.map(() => ANY));
  } catch (error) {
    if (error instanceof RunFailure) return error.message;
    throw error;
  }
}

function constantNode(value: Value): CompiledNode {
  return () => value;
}

function pointerNode(name: string): CompiledNode {
  if (name === "index") return (frame) => BigInt(frame.scope!.index);
  if (name === "acc") return (frame) => frame.scope!.accumulator;
  return (frame) => readableElement(frame.scope!.element);
}

/**
 * Returns the comparison of `==` or `!=` if both sides are known to be `int`, or both `string`. It accepts no other
 * values.
 */
function typedEquality({ operator, left, right }: Binary): ((a: Value, b: Value) => boolean) | undefined {
  if ((operator !== "==" && operator !== "!=") || left.type.text !== right.type.text) return undefined;
  const { text } = left.type;
  const same = text === "int" ? equalIntegers : text === "string" ? equalTexts : undefined;
  return operator === "==" || same === undefined ? same : (a, b) => !same(a, b);
}

const BINARY: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  ...ARITHMETIC,
  "==": equal,
  "!=": (a, b) => !equal(a, b),
  "<": (a, b) => compare(a, b, "<") < 0,
  "<=": (a, b) => compare(a, b, "<=") <= 0,
  ">": (a, b) => compare(a, b, ">") > 0,
  ">=": (a, b) => compare(a, b, ">=") >= 0,
  in: contains,
  matches: (a, b) => isNil(a) || isNil(b) ? false : matchesPattern(a, compileRegex(toStringOperand(b))),
  contains: textComparison((a, b) => a.includes(b)),
  startsWith: textComparison((a, b) => a.startsWith(b)),
  endsWith: textComparison((a, b) => a.endsWith(b)),
};

function textComparison(test: (a: string, b: string) => boolean): (a: Value, b: Value) => Value {
  return (a, b) => {
    if (isNil(a) || isNil(b)) return false;
    const left = toStringOperand(a);
    return test(left, toStringOperand(b));
  };
}

function matchesPattern(value: Value, regex: ReturnType<typeof compileRegex>): boolean {
  if (typeof value === "string") return regex.matches(value);
  if (value instanceof Uint8Array) return regex.matches(fromBytes(value));
  const type = listItems(value) === undefined ? toStringOperand(value) : value;
  return fail(`interface conversion: interface {} is ${typeof type}, not []uint8`);
}

function matchesConstant(pattern: string, left: CompiledNode, offset: number): CompiledNode {
  const regex = compileRegex(pattern);
  return (frame) => {
    const value = left(frame);
    frame.at = offset;
    return isNil(value) ? false : matchesPattern(value, regex);
  };
}

function membershipInTexts(node: Binary, left: CompiledNode): CompiledNode {
  const list = node.right.kind === "constant" ? node.right.value : null;
  const texts = new Set(listItems(list) as readonly string[]);
  return (frame) => {
    const value = left(frame);
    frame.at = node.at;
    return containsText(value, texts);
  };
}
