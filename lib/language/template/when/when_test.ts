import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "../error.ts";
import { evaluateStrictWhen, evaluateWhen } from "./when.ts";

function holds(...texts: readonly string[]): void {
  for (const text of texts) assertEquals(evaluateWhen(text), true, text);
}

function fails(...texts: readonly string[]): void {
  for (const text of texts) assertThrows(() => evaluateWhen(text), TemplateError, undefined);
}

Deno.test("when: an empty text is true, a text of spaces is an error", () => {
  holds("");
  fails(" ");
});

Deno.test("when: the value must be a boolean; nothing is converted", () => {
  assertEquals(evaluateWhen("false"), false);
  fails("1", "yes", "'true'", "True", "1 + 1", "nil");
});

Deno.test("when: bare words are strings", () => {
  holds("foo == 'foo'", "foo != bar", "日本 == 日本", "foo in (foo, bar)", "[any text] == 'any text'");
});

Deno.test("when: bare words with operators in them are not one word", () => {
  fails("a-b == a-b", "a/b == a/b", "a.b == a.b", "a b == a b", "1x == 1x", "_x == _x", "1e3 == 1e3");
});

Deno.test("when: a prefix operator cannot precede a bare word, because words become strings after parsing", () => {
  fails("!foo", "-a == -a", "~a");
});

Deno.test("when: comparing a number with a quoted number is false, not an error", () => {
  assertEquals(evaluateWhen("1 == '1'"), false);
  holds("1 == 1.0", "0x10 == 16", "1 != '1'", "1 / 2 == 0.5");
});

Deno.test("when: true and false equal no string", () => {
  assertEquals(evaluateWhen("true == 'true'"), false);
});

Deno.test("when: comparisons need two numbers or two strings", () => {
  holds("2 < 10", "'2' > '10'", "a < b");
  fails("'2' < 10", "true < false");
});

Deno.test("when: either quote ends a string, and a backslash escapes the next character", () => {
  fails(`"it's" == "it's"`);
  holds(String.raw`'it\'s' == "it\'s"`, String.raw`"\d" == d`, String.raw`a\-b == "a-b"`);
});

Deno.test("when: a quoted date is a number", () => {
  holds(
    "'2024-01-01' < '2024-01-02'",
    "'2024-01-01' == 1704067200",
    "'2024-13-01' == '2024-13-01'",
    "'3:04PM' < '3:05PM'",
  );
});

Deno.test("when: all operators are left-associative, including exponents", () => {
  holds("10 - 4 - 3 == 3", "2 ** 3 ** 2 == 64", "2 + 3 * 4 == 14", "-2 ** 2 == 4", "1 | 2 == 3");
});

Deno.test("when: logical operators need booleans, but evaluate the right side only if it matters", () => {
  holds("true || 1", "!(false && 1)");
  fails("1 || true", "true && 1", "'true' && true");
});

Deno.test("when: a question mark without a colon evaluates to nothing if the condition is false", () => {
  assertEquals(evaluateStrictWhen("false ? 1"), null);
  assertEquals(evaluateStrictWhen("false ? 1 : 2"), 2);
  assertEquals(evaluateStrictWhen("true ? 1 : 2"), 1);
});

Deno.test("when: `in` needs a list of two or more values", () => {
  fails("a in (a)", "a in ()", "a in a");
  holds("a in (b, a)");
});

Deno.test("when: patterns use RE2 syntax and match anywhere", () => {
  holds("foo =~ 'o'", "foo !~ '^o'", String.raw`'5' =~ '\\d'`);
  fails("foo =~ '['", "1 =~ '1'", "foo =~ '(?=o)'");
});

Deno.test("when: adjacent symbols are one symbol", () => {
  fails("!!true", "5--3 == 8", "true &&!false");
  holds("true && !false");
});

Deno.test("when: only a logical operator may follow a pattern, because patterns are known before the text is parsed again", () => {
  fails("foo =~ 'o' ? true : false");
  holds("foo =~ 'o' && true", "foo =~ o ? true : false");
});

Deno.test("when: messages print a date and a dotted name as Argo does", () => {
  const reasons = ["1 + '2024-01-02'", "a b.C.D"].map((when) =>
    messageOf(when)[0]?.replace(/.*': | \(\d+:\d+\)$/g, "")
  );
  assertEquals(reasons, [
    "Cannot transition token types from MODIFIER [+] to TIME [2024-01-02 00:00:00 +0000 UTC]",
    "Cannot transition token types from VARIABLE [a] to ACCESSOR [[b C D]]",
  ]);
});

Deno.test("when: functions and other spellings of operators are errors", () => {
  fails("len(a) == 1", "not true", "true and true", "true or false");
});

Deno.test("when: an unresolved tag is an error", () => {
  fails("{{item}} == foo");
  assertEquals(evaluateWhen("'{{item}}' == foo"), false);
});

function messageOf(when: string): string[] {
  return assertThrows(() => evaluateWhen(when), TemplateError).message.split("\n");
}

Deno.test("when: messages begin like Argo's, then show the place and the accepted tokens", () => {
  assertEquals(messageOf("a @ b"), [
    "Invalid 'when' expression 'a @ b': Invalid token: '@' (hint: try wrapping the affected expression in quotes (\")) (1:3)",
    " | a @ b",
    " | ..^",
    " expected an operator",
  ]);
});

Deno.test("when: a message has a caret under the error and a hint", () => {
  const cases: Record<string, [string, string]> = {
    "a == b and c == d": [".......^", "did you mean &&?"],
    "not a == b": ["....^", "did you mean !?"],
    "a = b": ["..^", "did you mean ==?"],
    "a b": ["..^", "expected an operator; a text of several words needs quotes"],
    "a == ": ["..^", "expected a value"],
    "== a": ["^", "expected a value"],
    "x-y == z": [".^", "a text with signs in it needs quotes: 'x-y'"],
    "true && a.b == c": ["........^", "a text with a dot needs quotes: 'a.b'"],
    "(a == b": ["^", "this parenthesis is never closed"],
    "a == b)": ["......^", "this parenthesis closes nothing"],
    "a == 'b": [".....^", "expected a closing quote"],
    "len(a) == 1": ["^", "there are no functions here; compute it in a tag: {{=…}}"],
    "'é😀' =~ '('": ["........^", "expected a pattern of RE2's syntax"],
    "1e3 == 1e3": [".^", "expected an operator; a text of several words needs quotes"],
    "text": ["^", "expected a comparison, or true or false without quotes"],
  };
  for (const [when, [caret, hint]] of Object.entries(cases)) {
    assertEquals(messageOf(when).slice(-2), [` | ${caret}`, ` ${hint}`], when);
  }
});

Deno.test("evaluateStrictWhen() rejects bare words", () => {
  assertThrows(() => evaluateStrictWhen("foo == foo"), TemplateError, "No parameter 'foo' found.");
});

Deno.test("when: extreme nesting is an error, not a crash", () => {
  fails("(".repeat(100_000) + "true" + ")".repeat(100_000));
  holds("(".repeat(100) + "true" + ")".repeat(100));
});

Deno.test("when: a plus concatenates if either side is a text", () => {
  holds("'a' + 1 == 'a1'", "1 + 'a' == '1a'", "'a' + 'b' == 'ab'", "1 + 1 == 2");
});
