/** Compiled expressions, and the functions that compile them. */
import { type GoType, typeOf, type Value } from "@tiphys/base/go";
import { TextCache } from "@tiphys/base/text_cache";
import { Budget, withBudget } from "./budget.ts";
import { check, type EnvTypes, typesOf } from "./check.ts";
import { compile } from "./compile.ts";
import { ExpressionError } from "./error.ts";
import { BudgetFailure, RunFailure, UnavailableFunctionFailure } from "./failure.ts";
import type { Frame } from "./frame.ts";
import { metered, MeterError } from "./meter.ts";
import { parse } from "./parser.ts";
import { byDepth } from "./prices.ts";
import { withoutOverflow, withParseBudget } from "./parse_budget.ts";
import { type Reference, referencesIn } from "./references.ts";
import { simplify } from "./simplify.ts";
import type { Node } from "./tree.ts";

/** A compiled expression, which can be run many times. */
export interface Expression {
  readonly source: string;
  /** Every name and dotted path that it uses. */
  readonly references: readonly Reference[];
  /**
   * Returns the value in an environment, within `budget` or a new budget.
   * @throws {ExpressionError} of phase "run".
   */
  run(env: Readonly<Record<string, unknown>>, budget?: Budget): Value;
}

/** The types of names that are known at compile time: `"any"` (the default) allows every name. */
export interface CompileOptions {
  readonly types?: EnvTypes | "any";
}

/**
 * Parses, checks and compiles; throws an ExpressionError of phase "compile".
 *
 * ```ts
 * import { compileExpression } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const expression = compileExpression("map(names, upper(#)) | join('+')");
 * assertEquals(expression.run({ names: ["a", "b"] }), "A+B");
 * ```
 */
export function compileExpression(source: string, options: CompileOptions = {}): Expression {
  const types = options.types ?? "any";
  return withParseBudget(source, () => {
    const hidden = types === "any" ? undefined : (name: string) => types.has(name);
    const tree = parse(source, { hidden });
    check(tree, source, types);
    const references = lazily(() => referencesIn(tree, source));
    const { run, variables } = compile(simplify(tree, source));
    return {
      source,
      get references() {
        return references();
      },
      run: (env, budget) => execute({ source, run, variables }, env, budget),
    };
  });
}

/**
 * Returns the type of an expression's value, as far as it follows from the types of its names.
 * @throws {ExpressionError} if the expression cannot work with them.
 */
export function typeOfExpression(source: string, types: EnvTypes): GoType {
  const hidden = (name: string) => types.has(name);
  return withParseBudget(source, () => check(parse(source, { hidden }), source, types));
}

/**
 * Returns the tree of an expression.
 * @throws {ExpressionError} if it does not parse.
 */
export function parseExpression(source: string): Node {
  return withParseBudget(source, () => parse(source));
}

/**
 * Compiles against an environment's names and types and runs at once. Compiled expressions are kept by source and
 * types, so the same expression over environments of the same shape is parsed once.
 *
 * ```ts
 * import { environment, evaluate } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const env = environment(new Map([["inputs.parameters.n", "41"]]));
 * assertEquals(evaluate("asInt(inputs.parameters.n) + 1", env), 42n);
 * ```
 */
export function evaluate(source: string, env: Readonly<Record<string, unknown>>): Value {
  return compileFor(source, env).run(env);
}

/** Capacity of the cache of environment shapes; the size is in characters. */
const SHAPE_CACHE_SIZE = { entries: 200, size: 10_000_000 };
/**
 * Capacity of the cache of expressions for one shape, and for all shapes together. A compiled expression takes many
 * times the memory of its source.
 */
const SOURCE_CACHE_SIZE = { entries: 1_000, size: 200_000 };
const MAX_CACHED_CHARACTERS = 1_000_000;
/** Compiled expressions by shape of the environment, then by source. */
const compiled = new TextCache<TextCache<Expression>>(SHAPE_CACHE_SIZE);
let cachedCharacters = 0;
/**
 * Returns the compiled form of an expression for environments of this shape.
 * @throws {ExpressionError}
 */
export function compileFor(source: string, env: Readonly<Record<string, unknown>>): Expression {
  return compilerFor(env)(source);
}

/** `compileFor` for many expressions in one environment, whose shape is computed once. */
export function compilerFor(env: Readonly<Record<string, unknown>>): (source: string) => Expression {
  const expressions = compiledFor(env);
  return (source) => {
    const known = expressions.get(source);
    if (known !== undefined) return known;
    const expression = compileExpression(source, { types: typesOf(env) });
    cachedCharacters += source.length;
    if (cachedCharacters > MAX_CACHED_CHARACTERS) {
      compiled.clear();
      cachedCharacters = 0;
    }
    expressions.set(source, expression);
    return expression;
  };
}

/** Returns the compiled expressions, by source, for environments with the same names and types. */
function compiledFor(env: Readonly<Record<string, unknown>>): TextCache<Expression> {
  let shape = "";
  for (const name in env) shape += `\0${name}\0${typeOf(env[name] as Value).text}`;
  let expressions = compiled.get(shape);
  if (expressions === undefined) {
    compiled.set(shape, expressions = new TextCache(SOURCE_CACHE_SIZE));
  }
  return expressions;
}

interface Program {
  readonly source: string;
  readonly run: (frame: Frame) => Value;
  readonly variables: number;
}

function execute(
  { source, run, variables }: Program,
  env: Readonly<Record<string, unknown>>,
  budget = new Budget(),
): Value {
  const frame: Frame = {
    env: env as Readonly<Record<string, Value>>,
    variables: new Array<Value>(variables).fill(null),
    budget,
    scope: undefined,
    at: 0,
  };
  return metered(() =>
    withoutOverflow(source, "run", () => {
      try {
        return withBudget(budget, () => {
          const result = run(frame);
          chargeResult(result, budget);
          return result;
        });
      } catch (error) {
        if (error instanceof MeterError) throw error.within(source, frame.at);
        if (!(error instanceof RunFailure)) throw error;
        const { message, hint } = error;
        const exhausted = error instanceof BudgetFailure || error instanceof UnavailableFunctionFailure;
        throw new ExpressionError(message, { source, offset: frame.at, phase: "run", hint, exhausted, cause: error });
      }
    })
  );
}

/** The price of a run's result, which the caller serializes: it may be a list that was doubled many times. */
const RESULT_PRICE = byDepth(60);

function chargeResult(result: Value, budget: Budget): void {
  if (typeof result === "object" && result !== null) RESULT_PRICE([result], budget, "the result");
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
