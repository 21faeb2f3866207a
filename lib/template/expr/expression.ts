/** A compiled expression, and the ways to get one. */
import { type GoType, typeOf, type Value } from "../../go/mod.ts";
import { Budget } from "./budget.ts";
import { check, type EnvTypes, typesOf } from "./check.ts";
import { compile } from "./compile.ts";
import { ExpressionError } from "./error.ts";
import { RunFailure } from "./failure.ts";
import type { Frame } from "./frame.ts";
import { parse } from "./parser.ts";
import { type Reference, referencesIn } from "./references.ts";
import { simplify } from "./simplify.ts";
import type { Node } from "./tree.ts";

/** An expression ready to run as often as wanted. */
export interface Expression {
  readonly source: string;
  /** Every name and dotted path used. */
  readonly references: readonly Reference[];
  /** The value in an environment; throws an ExpressionError of phase "run". */
  run(env: Readonly<Record<string, unknown>>): Value;
}

/** What is known before running: `"any"` (the default) allows every name. */
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
  return withoutOverflow(source, "compile", () => {
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
      run: (env) => execute({ source, run, variables }, env),
    };
  });
}

/**
 * What an expression will give, as far as it can be known from the types of its names; throws an ExpressionError where it
 * cannot work with them.
 */
export function typeOfExpression(source: string, types: EnvTypes): GoType {
  const hidden = (name: string) => types.has(name);
  return withoutOverflow(source, "compile", () => check(parse(source, { hidden }), source, types));
}

/** The names an expression uses, without checking it; throws an ExpressionError where it does not parse. */
export function findReferences(source: string): Reference[] {
  return withoutOverflow(source, "compile", () => referencesIn(parse(source), source));
}

/** The tree of an expression; throws an ExpressionError where it does not parse. */
export function parseExpression(source: string): Node {
  return withoutOverflow(source, "compile", () => parse(source));
}

/**
 * Compiles against an environment's names and types and runs at once. Compiled expressions are kept by source and types,
 * so the same expression over environments of the same shape is parsed once.
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

/** Shapes of environments and expressions of each that are kept at most. */
const KEPT_SHAPES = 200;
const KEPT_SOURCES = 1_000;
/** Compiled expressions by source, by the shape of the environment. */
const compiled = new Map<string, Map<string, Expression>>();
/** The compiled form of an expression for environments shaped like this one; throws an ExpressionError. */
export function compileFor(source: string, env: Readonly<Record<string, unknown>>): Expression {
  return compilerFor(env)(source);
}

/** `compileFor` for one environment whose shape is looked at once: for many expressions. */
export function compilerFor(env: Readonly<Record<string, unknown>>): (source: string) => Expression {
  const expressions = compiledFor(env);
  return (source) => {
    const known = expressions.get(source);
    if (known !== undefined) return known;
    const expression = compileExpression(source, { types: typesOf(env) });
    if (expressions.size >= KEPT_SOURCES) expressions.clear();
    expressions.set(source, expression);
    return expression;
  };
}

/** What was compiled for environments with the same names and types. */
function compiledFor(env: Readonly<Record<string, unknown>>): Map<string, Expression> {
  let shape = "";
  for (const name in env) shape += `\0${name}\0${typeOf(env[name] as Value).text}`;
  let expressions = compiled.get(shape);
  if (expressions === undefined) {
    if (compiled.size >= KEPT_SHAPES) compiled.clear();
    compiled.set(shape, expressions = new Map());
  }
  return expressions;
}

interface Program {
  readonly source: string;
  readonly run: (frame: Frame) => Value;
  readonly variables: number;
}

function execute({ source, run, variables }: Program, env: Readonly<Record<string, unknown>>): Value {
  const frame: Frame = {
    env: env as Readonly<Record<string, Value>>,
    variables: new Array<Value>(variables).fill(null),
    budget: new Budget(),
    scope: undefined,
    at: 0,
  };
  return withoutOverflow(source, "run", () => {
    try {
      return run(frame);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { message, hint } = error;
      throw new ExpressionError(message, { source, offset: frame.at, phase: "run", hint, cause: error });
    }
  });
}

/** Nesting deep enough to exhaust the stack is the user's mistake, not a crash. */
function withoutOverflow<T>(source: string, phase: "compile" | "run", work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ExpressionError("expression is nested too deeply or makes too long a text", {
      source,
      phase,
      cause: error,
    });
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
