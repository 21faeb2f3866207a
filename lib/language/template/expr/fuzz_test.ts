/** Fuzz test with random expressions and values: 100 of each, or 20 seconds in total in CI. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { marshalJson, unmarshalJson, type Value } from "@tiphys/base/go";
import { environment, evaluate, ExpressionError, findReferences, queryJsonPath, toJsonText, toText } from "./mod.ts";
import { RunFailure } from "./failure.ts";
import { fuzzLimits } from "../testing/fuzz_limits.ts";
import { env } from "./testing/run.ts";

/** Seconds for each of the properties below, in CI. */
const SECONDS = 2.5;

function check<T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  fc.assert(fc.property(values, holds), fuzzLimits(SECONDS));
}

const ENV = env({
  v: { i: 3, f: { $float: "1.5" }, s: "abc", u: "é☃😀", n: null, a: [1, 2, 3], m: { a: 1, b: { c: "d" } }, b: true },
  "inputs.parameters.p": "x",
  t: { $time: "2024-03-10T06:30:00Z" },
  d: { $dur: "1h" },
});

const ATOMS = [
  ..."0 1 2 -1 1.5 1e6 'abc' '' '3' true false nil [] [1,2] {} v v.i v.f v.s v.u v.n v.a v.m v.b t d # .a nope".split(
    " ",
  ),
  "{a: 1}",
  "1..5",
  "b'x'",
];
const OPERATORS = "+ - * / % ** == != < <= > >= in && || ?? .. contains matches | ; ? : not . ?. [ ] ( ) { } , let ="
  .split(" ");
const FUNCTIONS = [
  ..."len type abs int float string trim split join max sort reverse uniq keys toJSON fromJSON date duration".split(
    " ",
  ),
  ..."map filter all find groupBy sortBy reduce sum count get jsonpath toJson asInt".split(" "),
  ..."sprig.upper sprig.list sprig.dict sprig.add sprig.merge sprig.regexReplaceAll sprig.semver sprig.wrap".split(" "),
];

/** Expressions that mostly parse. */
const wellFormedExpressions = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: "expression" },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie("expression"), fc.constantFrom(...OPERATORS.slice(0, 18)), tie("expression")).map((parts) =>
      parts.join(" ")
    ),
    fc.tuple(fc.constantFrom("-", "not ", "!"), tie("expression")).map(([op, operand]) => `${op}(${operand})`),
    fc.tuple(fc.constantFrom(...FUNCTIONS), fc.array(tie("expression"), { maxLength: 3 }))
      .map(([name, args]) => `${name}(${args.join(", ")})`),
    fc.tuple(tie("expression"), tie("expression")).map(([base, key]) => `(${base})[${key}]`),
    fc.tuple(tie("expression"), fc.constantFrom(".a", "?.b", ".Hours()", "[1:]", "?.[0]")).map((parts) =>
      parts.join("")
    ),
    fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([c, a, b]) => `(${c}) ? (${a}) : (${b})`),
    fc.tuple(tie("expression"), tie("expression")).map(([value, body]) => `(let q = ${value}; ${body})`),
  ),
})).expression;

/** Tokens in any order. */
const randomTokens = fc.array(fc.constantFrom(...ATOMS, ...OPERATORS, ...FUNCTIONS), { maxLength: 30 })
  .map((tokens) => tokens.join(" "));

/** Expects a value or an ExpressionError: no crash, other error or endless loop. */
function assertValueOrError(source: string): void {
  let text: string;
  try {
    text = toText(evaluate(source, ENV));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    assert(error.message.startsWith(error.reason));
    return;
  }
  assertEquals(typeof text, "string");
}

Deno.test("evaluate: a well-formed expression returns a value or an error with a position", () =>
  check(wellFormedExpressions, assertValueOrError));

Deno.test("evaluate: random tokens return a value or an error with a position", () =>
  check(randomTokens, assertValueOrError));

Deno.test("evaluate: any text returns a value or an error with a position", () => {
  check(fc.string({ unit: "binary", maxLength: 60 }), assertValueOrError);
});

Deno.test("compile: the same expression always returns the same value", () => {
  check(wellFormedExpressions, (source) => {
    const ask = () => {
      try {
        return toText(evaluate(source, ENV));
      } catch (error) {
        if (error instanceof ExpressionError) return error.message;
        throw error;
      }
    };
    assertEquals(ask(), ask());
  });
});

Deno.test("findReferences: returns the names of every expression that parses", () => {
  check(randomTokens, (source) => {
    try {
      for (const { name, position } of findReferences(source)) assert(name !== "" && position.line > 0);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
  });
});

Deno.test("evaluate: returns every value of the environment unchanged", () => {
  check(fc.string({ unit: "grapheme" }), (value) => {
    const given = environment(new Map([["inputs.parameters.p", value]]));
    assertEquals(evaluate("inputs.parameters.p", given), value);
    assertEquals(JSON.parse(toJsonText(evaluate("[inputs.parameters.p]", given))), [value]);
    assertEquals(evaluate("fromJSON(toJson(inputs.parameters.p))", given), value);
  });
});

/** -0 is written as 0. */
function withoutNegativeZero(value: unknown): Value {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (value === null || typeof value !== "object") return value as Value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNegativeZero(item)]));
}

Deno.test("JSON: every document is the same after parsing and serializing", () => {
  check(fc.jsonValue(), (value) => {
    // Compared with the value itself: V8's JSON.parse sometimes takes the key "\"" for "\\".
    const read = unmarshalJson(JSON.stringify(value));
    assertEquals(read, withoutNegativeZero(value));
    assertEquals(unmarshalJson(marshalJson(read)), read);
  });
});

Deno.test("jsonpath: every path over every document returns a value or fails", () => {
  const step = fc.constantFrom(
    ".a",
    "..",
    "[0]",
    "[*]",
    "['a']",
    "[?(@.a)]",
    "[?(@ > 1)]",
    "[(@.length-1)]",
    "[0:1]",
    "[",
    "]",
    ".length",
  );
  check(fc.tuple(fc.array(step, { maxLength: 5 }), fc.jsonValue({ maxDepth: 3 })), ([steps, document]) => {
    try {
      toText(queryJsonPath(unmarshalJson(JSON.stringify(document)), "$" + steps.join("")));
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
    }
  });
});
