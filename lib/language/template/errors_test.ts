/** The full messages for invalid templates: the reason, the place, and a hint. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  checkDependencies,
  evaluate,
  evaluateDepends,
  evaluateWhen,
  parseSchedule,
  render,
  renderText,
} from "./mod.ts";

function message(ask: () => unknown): string {
  return assertThrows(ask, Error).message;
}

const NAMES = { "inputs.parameters.name": "x", doc: '{"a": {"name": 1}, "list": [1]}' };

Deno.test("errors: an unknown name in an expression suggests the nearest known name", () => {
  assertEquals(
    message(() => evaluate("inputs.parameters.name + nme", { ...NAMES, name: "x" })),
    "unknown name nme (1:26)\n | inputs.parameters.name + nme\n | .........................^\n did you mean name?",
  );
});

Deno.test("errors: an incomplete expression lists the tokens that could follow", () => {
  assertEquals(
    message(() => evaluate("1 + )")),
    'unexpected token Bracket(")") (1:5)\n | 1 + )\n | ....^\n expected a value',
  );
});

Deno.test("errors: mismatched types suggest the conversion", () => {
  assertEquals(
    message(() => evaluate("'1' + 1")),
    "invalid operation: + (mismatched types string and int) (1:5)\n | '1' + 1\n | ....^\n" +
      " texts and numbers are never converted by themselves: use int(), float() or string()",
  );
});

Deno.test("errors: a message shows only the affected line, and only a part of a long line", () => {
  assertEquals(message(() => evaluate("1 +\n nope")).split("\n")[1], " |  nope");
  const [, line, caret] = message(() => evaluate(`${"1 + ".repeat(100)}nope`)).split("\n");
  assertEquals([line, caret], [` | ${"1 + ".repeat(20)}nope`, ` | ${".".repeat(80)}^`]);
});

Deno.test("errors: a JSON path suggests the nearest key, or lists the available keys", () => {
  assertEquals(
    message(() => evaluate("jsonpath(doc, '$.a.nme')", NAMES)),
    "key: invalid token key 'nme' not found (1:1)\n | jsonpath(doc, '$.a.nme')\n | ^\n did you mean name?",
  );
  assertEquals(
    message(() => evaluate("jsonpath(doc, '$.b')", NAMES)).split("\n").at(-1),
    " the keys there are a, list",
  );
  assertEquals(
    message(() => evaluate("jsonpath(doc, '$.list[3]')", NAMES)).split("\n").at(-1),
    " the list there has 1 elements",
  );
  assertEquals(message(() => evaluate("jsonpath(doc, 'a')", NAMES)).split("\n").at(-1), " a path begins with $ or @");
});

Deno.test("errors: an unknown tag suggests the nearest name, and an unclosed tag shows where it opens", () => {
  assertEquals(
    message(() => render("hello {{inputs.parameters.nmae}}", NAMES)),
    "failed to resolve {{inputs.parameters.nmae}} (1:3)\n | {{inputs.parameters.nmae}}\n | ..^\n" +
      " did you mean inputs.parameters.name?",
  );
  assertEquals(
    message(() => renderText("a {{b", new Map(), { kind: "lenient" })),
    'Cannot find end tag="}}" in the template="a {{b" starting from "b" (1:3)\n | a {{b\n | ..^\n expected }} after it',
  );
});

Deno.test("errors: an expression tag names its missing name and suggests the nearest one, if no value can come later", () => {
  const scope = new Map([["inputs.parameters.name", "x"]]);
  assertEquals(
    message(() => renderText("{{=upper(inputs.parameters.nmae)}}", scope, { kind: "all" })),
    "failed to evaluate expression: inputs.parameters.nmae is missing (1:25)\n | upper(inputs.parameters.nmae)\n" +
      " | ........................^\n did you mean inputs.parameters.name?",
  );
});

Deno.test("errors: `when` shows the position in the text", () => {
  assertEquals(
    message(() => evaluateWhen("a and b")),
    "Invalid 'when' expression 'a and b': Cannot transition token types from VARIABLE [a] to VARIABLE [and] (1:3)\n" +
      " | a and b\n | ..^\n did you mean &&?",
  );
});

Deno.test("evaluateWhen(): one value in parentheses after `in` is an error that shows how to compare it", () => {
  assertEquals(
    message(() => evaluateWhen("a in (a)")).split("\n").at(-1),
    " parentheses around one value make no list: compare with ==, or list two values or more",
  );
});

Deno.test("evaluate(): a member of nil is an error that suggests ?.", () => {
  const names = { steps: { a: { outputs: null } } };
  assertEquals(
    message(() => evaluate("steps.a.outputs.result", names)).split("\n").at(-1),
    " the value before it is absent: with ?.result the result is nil, and ?? gives another value",
  );
  assertEquals(evaluate("steps.a.outputs?.result ?? 'none'", names), "none");
});

Deno.test("errors: `depends` suggests the nearest task, operator or result", () => {
  const tasks = [{ name: "build" }, { name: "test" }];
  const logic = (depends: string) => () => checkDependencies([...tasks, { name: "T", depends }], "T");
  assertEquals(
    message(logic("test && biuld.Succeeded")),
    "target biuld does not exist (1:9)\n | test && biuld.Succeeded\n | ........^\n did you mean build?",
  );
  assertEquals(message(logic("test and build")).split("\n").at(-1), " did you mean &&?");
  assertEquals(
    message(() => evaluateDepends("test.Succeded", new Map(), () => [])),
    "unable to evaluate expression 'test.Succeded': task result 'Succeded' for task 'test' is invalid (1:6)\n" +
      " | test.Succeded\n | .....^\n did you mean Succeeded?",
  );
});

Deno.test("errors: a schedule shows the invalid field and its accepted values", () => {
  assertEquals(
    message(() => parseSchedule("0 0 * * 7")),
    "end of range (7) above maximum (6): 7 (1:9)\n | 0 0 * * 7\n | ........^\n" +
      " the day of the week takes numbers 0-6 or sun-sat, lists a,b, ranges a-b and steps */n",
  );
  assertEquals(
    message(() => parseSchedule("@dialy")),
    "unrecognized descriptor: @dialy (1:1)\n | @dialy\n | ^\n did you mean @daily?",
  );
  assertEquals(
    message(() => parseSchedule("CRON_TZ=Europe/Berln 0 0 * * *")),
    "provided bad location Europe/Berln: unknown time zone Europe/Berln (1:9)\n" +
      " | CRON_TZ=Europe/Berln 0 0 * * *\n | ........^\n did you mean Europe/Berlin?",
  );
  assertEquals(
    message(() => parseSchedule("0 0 * *")).split("\n").at(-1),
    " expected minute, hour, day of the month, month and day of the week",
  );
});

Deno.test("errors: an expression that exceeds its limits of time or memory is an error", () => {
  assertEquals(
    message(() => evaluate("map(1..1000, map(1..1000, split(s, ''))) ", { s: "a".repeat(10_000) })).split(" (")[0],
    "memory budget exceeded",
  );
  assertEquals(
    message(() => evaluate("map(1..100, upper(s))", { s: "a".repeat(1_000_000) })).split(" (")[0],
    "loop budget exceeded: the work of one run may take 1.5s, upper would make it 1.51s",
  );
  assertEquals(message(() => evaluate("reduce(1..40, #acc + #acc, 'x')")).split(" (")[0], "memory budget exceeded");
  assertEquals(
    message(() => evaluateWhen("a == a && ".repeat(3_000) + "true")).includes("Expected at most 5000 words"),
    true,
  );
  // 5,000 words are allowed; one more is an error.
  const words = "true && ".repeat(2_499) + "true";
  assertEquals(evaluateWhen(`! ${words}`), false);
  assertEquals(message(() => evaluateWhen(`(! ${words}`)).includes("Expected at most 5000 words"), true);
  const pattern = `'${"(a?)".repeat(2_501)}'`;
  for (const when of [`a =~ ${pattern}`, `a !~ (${pattern} + '')`]) {
    assertEquals(message(() => evaluateWhen(when)).includes("a pattern of more than 10000 characters"), true);
  }
});
