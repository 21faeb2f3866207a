import { assert, assertEquals, assertThrows } from "@std/assert";
import type { GoFunction } from "@tiphys/base/go";
import { cpuMillis } from "../../../base/testing/cpu_millis.ts";
import { BUILTINS } from "./builtins/mod.ts";
import { Budget, withBudget, WORK_BUDGET } from "./budget.ts";
import { environment } from "./environment.ts";
import { ExpressionError } from "./error.ts";
import { compileFor } from "./expression.ts";
import { BUILTIN_PRICES, setPrices, SPRIG_PRICES } from "./price_list.ts";
import { deepSize } from "./prices.ts";
import { patternSize } from "./regex_size.ts";
import { compileRegex } from "./regex.ts";
import { SPRIG } from "./sprig/mod.ts";

Deno.test("prices: every function has a price, and every price a function", () => {
  assertEquals(Object.keys(BUILTIN_PRICES).sort(), [...BUILTINS.keys()].sort());
  assertEquals(Object.keys(SPRIG_PRICES).sort(), Object.keys(SPRIG).sort());
  assertThrows(() => setPrices({ unheardOf: SPRIG.upper as GoFunction }, {}), Error, "unheardOf has no price");
});

/** Values that are expensive to process. */
const VALUES: Readonly<Record<string, unknown>> = {
  text: "Ab1 -_./%20é\n".repeat(8_000),
  same: "a".repeat(100_000),
  blanks: " ".repeat(100_000),
  slashes: "/".repeat(100_000),
  broken: "\udc80".repeat(100_000),
  digits: "9".repeat(100_000),
  nested: "[".repeat(2_000) + "1" + "]".repeat(2_000),
  json: JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ a: i }))),
  numbers: Array.from({ length: 10_000 }, (_, i) => BigInt((i * 7919) % 10_000)),
  alike: Array.from({ length: 300 }, () => Array.from({ length: 1_000 }, () => "x")),
  mapping: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, `${i}`])),
};
const env = environment(new Map(Object.entries(VALUES)));

/** A fraction of a run's budget, and far more time than that takes: a function with too low a price takes longer. */
const WORK = WORK_BUDGET / 60;
const TIME_LIMIT = 5_000;

/** Runs an expression to its end or its limit, and returns which. */
function outcomeOf(source: string, work = WORK): string {
  let outcome = "value";
  const start = cpuMillis();
  try {
    compileFor(source, env).run(env, new Budget(work));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    outcome = error.reason;
  }
  const took = cpuMillis() - start;
  if (took > TIME_LIMIT) throw new Error(`${source} took ${took} ms: ${outcome}`);
  return outcome;
}

/** The operands that are tried for each type of parameter. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  string: ["text", "same", "blanks", "slashes", "broken", "digits", "'(a|a)*b?'"],
  int: ["99999999", "-99999999", "7"],
  any: ["alike", "mapping", "numbers", "same", "[alike, alike]"],
  list: ["numbers", "alike"],
  map: ["mapping"],
};

/** A loop of so large a number of calls that only their price can end it. */
function loop(call: string): string {
  return `any(1..100000, type(${call}) == "x")`;
}

/** Returns loops that call a function with expensive operands. Only the function's price ends them. */
function loopOfCalls(name: string, kinds: readonly string[]): string[] {
  const widest = Math.max(1, ...kinds.map((kind) => (OPERANDS[kind] ?? ["nil"]).length));
  return Array.from({ length: widest }, (_, i) => {
    const args = kinds.map((kind) => {
      const operands = OPERANDS[kind] ?? ["nil"];
      return operands[i % operands.length];
    });
    return loop(`${name}(${args.join(", ")})`);
  });
}

function kindsOf(goFunction: GoFunction): string[] {
  const { params, variadic } = goFunction.type.func!;
  const kinds = params.map(({ kind, text }) =>
    kind === "string"
      ? "string"
      : kind === "int"
      ? "int"
      : text.startsWith("map[")
      ? "map"
      : kind === "slice"
      ? "list"
      : "any"
  );
  return variadic ? [...kinds, ...kinds.slice(-1), ...kinds.slice(-1)] : kinds;
}

/** Functions that end a run themselves, and one that uses the network. */
const OTHERS = new Set(["fail", "getHostByName"]);

for (const name of Object.keys(SPRIG).filter((name) => !OTHERS.has(name))) {
  Deno.test(`prices: a million calls of sprig.${name} end for all operands`, () => {
    for (const source of loopOfCalls(`sprig.${name}`, kindsOf(SPRIG[name] as GoFunction))) outcomeOf(source);
  });
}

for (const name of BUILTINS.keys()) {
  Deno.test(`prices: a million calls of ${name} end for all operands`, () => {
    for (const operand of ["text", "broken", "alike", "mapping", "99"]) {
      for (const more of ["", ", same", ", 99", ", same, text"]) {
        outcomeOf(loop(`${name}(${operand}${more})`));
      }
    }
  });
}

Deno.test("prices: a text that doubles is stopped", () => {
  const twice = Array.from({ length: 40 }, (_, i) => `let l${i + 1} = [l${i}, l${i}]; `).join("");
  const merged = Array.from({ length: 40 }, (_, i) => `let m${i + 1} = {a: m${i}, b: m${i} }; `).join("");
  for (
    const use of ["toJSON(#)", "string(#)", "sprig.toJson(#)", "sprig.deepCopy(#)", "len(flatten(#))", "sprig.quote(#)"]
  ) {
    assertEquals(/budget/.test(outcomeOf(`let l0 = [1]; ${twice}${use.replace("#", "l40")}`)), true, use);
    if (!use.includes("flatten")) {
      assertEquals(/budget/.test(outcomeOf(`let m0 = {a: 1}; ${merged}${use.replace("#", "m40")}`)), true, use);
    }
  }
  const other = (name: string) => twice.replaceAll("l", name);
  for (const compared of ["l40 == k40", "sprig.deepEqual(l40, k40)", "k40 in [l40]", "len(uniq([l40, k40]))"]) {
    const source = `let l0 = [1]; ${twice}let k0 = [1]; ${other("k").replaceAll("ket", "let")}${compared}`;
    assertEquals(outcomeOf(source).match(/budget/)?.[0], "budget", compared);
  }
  assertEquals(/budget/.test(outcomeOf("reduce(1..60, #acc + #acc, 'x')")), true);
  assertEquals(/budget/.test(outcomeOf("len(map(1..1000, sprig.until(1000000)))")), true);
  assertEquals(/budget/.test(outcomeOf("len(map(1..1000, sprig.repeat(9000000, 'x')))")), true);
  assertEquals(/budget/.test(outcomeOf("len(map(1..1000, toJSON(map(1..100000, #))))")), true);
});

Deno.test("prices: operators and indexes are charged for the values that they visit", () => {
  for (
    const body of [
      "[same, 1][0][99999] == 1",
      "[broken, 1][0][0:5] == 'a'",
      "same contains 'aaaaaaaaaaaaaaaab'",
      "same + 'x' == same + 'y'",
      "alike == [alike]",
      "99 in numbers",
      "mapping == {a: 1} || # < 0",
      "same matches '(a|aa)*[bc]$'",
      "same matches '(a|aa)*[bc]$' + string(#)",
      "same < same + 'b'",
      "len(numbers[1:9999]) > 3",
      "# + ".repeat(3_000) + "1 < 0",
      "any(numbers, any(numbers, # < 0))",
      "len(sortBy(numbers, -#)) > 1",
      "len(groupBy(numbers, #)) > 1",
    ]
  ) {
    const outcome = outcomeOf(`any(1..100000, [${body}, # < 0][1])`);
    assertEquals(/budget/.test(outcome), true, `${body}: ${outcome}`);
  }
});

Deno.test("prices: patterns are charged by their size and by the characters that they read", () => {
  for (
    const pattern of [
      "(a{100}){100}",
      "((a|b){30}){30}",
      "(x+x+)+y",
      "(a?){500}a{500}",
      ".*".repeat(300),
      "\\\\pL{1000}",
      "[^a]{1000}",
      "(?i)" + "[\\\\pLx]".repeat(500),
      "(a.*[bc])?",
    ]
  ) {
    outcomeOf(loop(`sprig.regexFindAll('${pattern}', same, -1)`));
    outcomeOf(loop(`same matches '${pattern}' + string(#)`));
    outcomeOf(loop(`sprig.regexReplaceAll('${pattern}', text, '$0$0$0')`));
    outcomeOf(`jsonpath('["' + same + '"]', '$[?(@ =~ "${pattern}")]')`);
  }
});

Deno.test("prices: a node of a wide pattern costs several times as much as one of a narrow pattern", () => {
  const priceOf = (repetitions: number) => {
    const regex = compileRegex(`a.{${repetitions}}c`);
    const budget = new SumBudget();
    withBudget(budget, () => regex.matcher("x".repeat(100)));
    return budget.sum;
  };
  const perNode = (from: number, to: number) => (priceOf(to) - priceOf(from)) / (to - from);
  assert(perNode(40, 80) > 3 * perNode(4, 14), `${perNode(40, 80)}, narrow: ${perNode(4, 14)}`);
});

/** A budget that sums up its charges. */
class SumBudget extends Budget {
  sum = 0;

  override charge(nanoseconds: number): void {
    this.sum += nanoseconds;
  }
}

Deno.test("patternSize() is at least what a pattern compiles to", () => {
  for (
    const pattern of [
      "a",
      "abc",
      "a*",
      "(ab)*c",
      "a{3}",
      "(ab){10}",
      "(a{10}){10}",
      "(a|b|cd){7,9}",
      "[a-z]{2,}",
      "\\Qa{5}\\E{3}",
      "\\{5}",
      "[{5}]{4}",
      "[]a]{3}",
      "[^]a]{3}",
      "[[:alpha:]]{4}",
      "(?:a?){50}",
      "((a?){5}){5}{2}",
      "x{0}",
      "a**",
      "(a",
      "\\p{Greek}{10}",
      "(?i)k{20}",
      "^(?P<n>a)$",
      "a{,5}",
      "a{2",
      "(?s).{1,20}",
    ]
  ) {
    let size: number;
    try {
      size = compileRegex(pattern).re2.programSize();
    } catch {
      continue;
    }
    // A program has a start and an end in addition.
    assertEquals(patternSize(pattern) + 2 >= size, true, `${pattern}: ${patternSize(pattern)} for ${size}`);
  }
});

/** A budget that counts its charges, of which there are about one for each visited value. */
class CountingBudget extends Budget {
  charges = 0;

  override charge(nanoseconds: number, subject?: string): void {
    this.charges++;
    super.charge(nanoseconds, subject);
  }
}

Deno.test("deepSize: visits a map that contains itself, or a list with repeated items, only once", () => {
  const stopped = (source: string) => {
    const budget = new CountingBudget();
    const { reason } = assertThrows(() => compileFor(source, env).run(env, budget), ExpressionError);
    if (budget.charges > 2_000) throw new Error(`${source} was charged for ${budget.charges} times`);
    return reason;
  };
  const endless = "a list or map that lies within itself has no end";
  const itself = `let d = sprig.dict("a", 1); let e = sprig.set(d, "d", d);`;
  for (
    const use of ["sprig.toJson(e)", "string(e)", "toJSON(e)", "sprig.deepCopy(e)", "sprig.merge(e, e)", "sprig.cat(e)"]
  ) {
    assertEquals(stopped(`${itself} ${use}`), endless, use);
  }
  const doubled = "reduce(1..60, [#acc, #acc], 1)";
  assertEquals(stopped(`${itself} e`), endless);
  for (const use of [doubled, `toJSON(${doubled})`, `string(${doubled})`, `sprig.quote(${doubled})`]) {
    assertEquals(stopped(use), "loop budget exceeded: the work of one run may take 1.5s", use);
  }
});

Deno.test("deepSize: the size of many values is the same whether they are shared or not", () => {
  const list = Array.from({ length: 1_000 }, (_, i) => ({ name: `n${i}`, values: [i, "text"] }));
  const single = deepSize([list], new Budget());
  const shared = Array.from({ length: 100 }, () => list);
  const each = Array.from({ length: 100 }, () => structuredClone(list));
  assertEquals(deepSize([shared], new Budget()), 100 * single + 4);
  assertEquals(deepSize([each], new Budget()), 100 * single + 4);
});
