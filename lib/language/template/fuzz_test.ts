/**
 * Fuzz test of every entry point of the language with mutated texts: cut, doubled, swapped and repeated words. Each
 * call must return or throw one of its declared errors, within a time limit. 100 texts each, or 20 seconds in total in
 * CI.
 */
import { assert } from "@std/assert";
import fc from "fast-check";
import {
  CronError,
  dependsLogic,
  evaluate,
  evaluateCondition,
  evaluateCronStop,
  evaluateCronWhen,
  evaluateDepends,
  evaluateResourceConditions,
  evaluateStrictWhen,
  evaluateWhen,
  expandLoop,
  expandSequence,
  ExpressionError,
  findReferences,
  Item,
  parseRequirements,
  parseSchedule,
  references,
  render,
  renderText,
  resolveVariable,
  SelectorError,
  TemplateError,
} from "./mod.ts";
import { fuzzLimits } from "./testing/fuzz_limits.ts";

const ERRORS = [TemplateError, ExpressionError, CronError, SelectorError];

function settles(ask: () => unknown): void {
  try {
    ask();
  } catch (error) {
    assert(ERRORS.some((kind) => error instanceof kind), `Expected a declared error, got ${error}`);
  }
}

/** A valid text with some of its words changed. */
function mutations(seeds: readonly string[]): fc.Arbitrary<string> {
  const words = [...new Set(seeds.flatMap((seed) => seed.match(/\w+|\s+|[^\w\s]/g) ?? []))];
  const change = fc.record({
    kind: fc.constantFrom("delete", "double", "insert", "repeat", "swap", "replace"),
    at: fc.nat(60),
    word: fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 3 }), fc.integer().map(String)),
    times: fc.constantFrom(2, 50, 1_000, 20_000),
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 6 })).map(([seed, changes]) => {
    let parts: string[] = seed.match(/\w+|\s+|[^\w\s]/g) ?? [];
    for (const { kind, at: place, word, times } of changes) {
      const index = place % Math.max(parts.length, 1);
      const part = parts[index] ?? "";
      if (kind === "delete") parts.splice(index, 1);
      else if (kind === "double") parts = [...parts, ...parts.slice(index)];
      else if (kind === "insert") parts.splice(index, 0, word);
      else if (kind === "replace") parts[index] = word;
      else if (kind === "swap") parts.splice(index, 2, parts[index + 1] ?? "", part);
      else parts[index] = part.repeat(Math.min(times, 200_000 / Math.max(part.length, 1)));
    }
    return parts.join("").slice(0, 400_000);
  });
}

const EXPRESSIONS = [
  "asInt(inputs.parameters.n) + 1 > 2 ? upper(workflow.name) : 'none'",
  "map(1..100, {let d = # * 2; d + #index}) | filter(# > 10) | sum()",
  "reduce(1..20, #acc + #acc, workflow.name)",
  "repeat('ab', 1000) + sprig.repeat(1000, 'x') + join(sprig.splitList(',', 'a,b'), '-')",
  "any(1..1000, any(1..1000, workflow.name matches '^(a+)+$'))",
  "sprig.untilStep(0, 1000000, 1) + sprig.wrap(1, workflow.name) + sprig.indent(1000000, 'a')",
  "jsonpath(json, '$..a[?(@.b > 1 && @.c == \"x\")]..[*]') ?? [1, 2][0:1]",
  "date('2024-03-10').In(timezone('Asia/Tokyo')).Format('2006') + string(duration('1h'))",
  "if true { {a: 1, 'b': [nil]} } else { workflow?.labels?.[0] }",
  "replace(workflow.name, '', inputs.parameters.n) + sprig.regexReplaceAll('(a|b)*', 'abab', '$1$1')",
];
const NAMES = new Map([
  ["workflow.name", "a".repeat(200)],
  ["inputs.parameters.n", "41"],
  ["json", JSON.stringify({ a: [{ b: 2, c: "x", a: [{ a: 1 }] }, { a: { a: { a: [1, 2, 3] } } }] })],
  ["absent", null as string | null],
]);
const TEMPLATES = [
  "{{workflow.name}} {{=asInt(inputs.parameters.n) + 1}} {{absent}} {{= 'x' }}",
  "a {{b.{{workflow.name}}}} }} {{ {{=map([1], # + 1)}} {{=absent ?? 'd'}}",
];
const CONDITIONS = [
  "a == 'b' && (1 < 2 || !true) && x in (x, 'y', 3) ? foo =~ 'o+' : [bare word] != \"2024-01-02\"",
  "1 + 2 * 3 ** 2 - -1 >> 1 & 0x10 | 3 ^ ~1 >= 2.5 ?? 1, 2",
  "'{{=cronworkflow.failed}}' == {{=cronworkflow.succeeded}}",
];
const DEPENDS = ["A.Succeeded && (B-1 || !C.Failed) && D.AnySucceeded", "A && and or not"];
const SCHEDULES = ["CRON_TZ=Europe/Berlin 0,15 1-5/2 ? jan-dec SUN-6", "@every 1h30m", "@daily", "TZ=UTC 0 0 30 2 *"];
const SELECTORS = ["status.phase == Succeeded, a in (b,c), d notin (e), !f, g > 3", "status.succeeded > 3"];
const PATHS = ["$..a[*]..b[?(@.x =~ 'a+' || !@.y)][0:-1:2]['a','b'][(@.length-1)].length", "$.a[0].b"];
const JSON_TEXTS = ['[{"a": 1.50, "b": ["\\u0041", null]}, "x", 1e3, true]', '{"a": [[[[1]]]]}'];
const FORMATS = ["%05d", "item-%-8x|%#X", "%[1]*d %v %q"];

/** The entry points: seed texts, and the call that receives a text. */
const ENTRIES: Readonly<Record<string, readonly [seeds: readonly string[], ask: (text: string) => unknown]>> = {
  evaluate: [EXPRESSIONS, (text) => evaluate(text, NAMES)],
  evaluateCondition: [EXPRESSIONS, (text) => evaluateCondition(text, NAMES)],
  findReferences: [EXPRESSIONS, (text) => findReferences(text).map(({ position }) => position)],
  "evaluate with a pattern": [
    ["(a+)+$|[b-d]{2,5}(?i)x\\pL*"],
    (text) => evaluate("x matches p", { x: "aaab", p: text }),
  ],
  "evaluate with a path": [PATHS, (text) => evaluate("jsonpath(json, path)", new Map(NAMES).set("path", text))],
  "evaluate with a JSON text": [JSON_TEXTS, (text) => evaluate("toJson(fromJSON(x))", { x: text })],
  render: [TEMPLATES, (text) => render({ a: text, [text]: ["b", text] }, NAMES, { unknown: "keep" })],
  renderText: [TEMPLATES, (text) => renderText(text, NAMES, { kind: "all" })],
  references: [TEMPLATES, references],
  resolveVariable: [TEMPLATES, (text) => resolveVariable(text, NAMES)],
  evaluateWhen: [CONDITIONS, evaluateWhen],
  evaluateStrictWhen: [CONDITIONS, evaluateStrictWhen],
  evaluateCronWhen: [CONDITIONS, (text) => evaluateCronWhen(text, { name: "c" })],
  evaluateCronStop: [
    ["cronworkflow.failed >= 3 && cronworkflow.name matches 'c'"],
    (text) => evaluateCronStop(text, { name: "c" }),
  ],
  depends: [DEPENDS, (text) => {
    const tasks = ["A", "B-1", "C", "D", "and"].map((name) => ({ name }));
    const { logic, dependencies } = dependsLogic([...tasks, { name: "T", depends: text }], "T");
    evaluateDepends(logic, new Map(dependencies.map((name) => [name, { phase: "Failed" }])), () => []);
  }],
  parseSchedule: [SCHEDULES, (text) => parseSchedule(text).next(new Date(0))],
  parseRequirements: [SELECTORS, parseRequirements],
  judgeResource: [SELECTORS, (text) => evaluateResourceConditions('{"status": {"phase": "x"}}', text, text)],
  withParam: [JSON_TEXTS, (text) => expandLoop({ name: "s", withParam: text, args: "{{item}}" }, new Map())],
  item: [JSON_TEXTS, (text) => Item.parse(text).scope()],
  expandSequence: [FORMATS, (text) => expandSequence({ count: 20, format: text })],
};

/** The approximate duration of all properties together in CI. */
const SECONDS = 20;

for (const [name, [seeds, ask]] of Object.entries(ENTRIES)) {
  Deno.test(`${name}: every text returns a value or throws a declared error`, () => {
    fc.assert(
      fc.property(mutations(seeds), (text) => settles(() => ask(text))),
      fuzzLimits(SECONDS / Object.keys(ENTRIES).length),
    );
  });
}

Deno.test("language: an extremely deeply nested object is an error, not a crash", () => {
  let object: unknown = "{{workflow.name}}";
  for (let depth = 0; depth < 100_000; depth++) object = [object];
  settles(() => render(object, NAMES));
});
