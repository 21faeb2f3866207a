import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "../error.ts";
import { evaluateStrictWhen, evaluateWhen } from "./when.ts";

function holds(...texts: readonly string[]): void {
  for (const text of texts) assertEquals(evaluateWhen(text), true, text);
}

function fails(...texts: readonly string[]): void {
  for (const text of texts) assertThrows(() => evaluateWhen(text), TemplateError, undefined);
}

Deno.test("an empty when is true, one of spaces is an error", () => {
  holds("");
  fails(" ");
});

Deno.test("the answer must be a boolean; nothing is converted to one", () => {
  assertEquals(evaluateWhen("false"), false);
  fails("1", "yes", "'true'", "True", "1 + 1", "nil");
});

Deno.test("bare words are strings", () => {
  holds("foo == 'foo'", "foo != bar", "日本 == 日本", "foo in (foo, bar)", "[any text] == 'any text'");
});

Deno.test("bare words with signs in them are not one word", () => {
  fails("a-b == a-b", "a/b == a/b", "a.b == a.b", "a b == a b", "1x == 1x", "_x == _x", "1e3 == 1e3");
});

Deno.test("a sign cannot stand before a bare word, because words become strings after parsing", () => {
  fails("!foo", "-a == -a", "~a");
});

Deno.test("numbers and quoted numbers differ without failing", () => {
  assertEquals(evaluateWhen("1 == '1'"), false);
  holds("1 == 1.0", "0x10 == 16", "1 != '1'", "1 / 2 == 0.5");
});

Deno.test("true and false equal no string", () => {
  assertEquals(evaluateWhen("true == 'true'"), false);
});

Deno.test("comparisons need two numbers or two strings", () => {
  holds("2 < 10", "'2' > '10'", "a < b");
  fails("'2' < 10", "true < false");
});

Deno.test("either quote ends a string, and a backslash takes the next character whatever it is", () => {
  fails(`"it's" == "it's"`);
  holds(String.raw`'it\'s' == "it\'s"`, String.raw`"\d" == d`, String.raw`a\-b == "a-b"`);
});

Deno.test("a quoted date is a number", () => {
  holds(
    "'2024-01-01' < '2024-01-02'",
    "'2024-01-01' == 1704067200",
    "'2024-13-01' == '2024-13-01'",
    "'3:04PM' < '3:05PM'",
  );
});

Deno.test("all operators group to the left, exponents too", () => {
  holds("10 - 4 - 3 == 3", "2 ** 3 ** 2 == 64", "2 + 3 * 4 == 14", "-2 ** 2 == 4", "1 | 2 == 3");
});

Deno.test("logical operators need booleans but look at the right side only where it matters", () => {
  holds("true || 1", "!(false && 1)");
  fails("1 || true", "true && 1", "'true' && true");
});

Deno.test("a question mark without its colon gives nothing when it is false", () => {
  assertEquals(evaluateStrictWhen("false ? 1"), null);
  assertEquals(evaluateStrictWhen("false ? 1 : 2"), 2);
  assertEquals(evaluateStrictWhen("true ? 1 : 2"), 1);
});

Deno.test("the operator `in` needs a list of two or more", () => {
  fails("a in (a)", "a in ()", "a in a");
  holds("a in (b, a)");
});

Deno.test("patterns are RE2's and match anywhere", () => {
  holds("foo =~ 'o'", "foo !~ '^o'", String.raw`'5' =~ '\\d'`);
  fails("foo =~ '['", "1 =~ '1'", "foo =~ '(?=o)'");
});

Deno.test("symbols that touch are one symbol", () => {
  fails("!!true", "5--3 == 8", "true &&!false");
  holds("true && !false");
});

Deno.test("nothing but a logical operator may follow a pattern, since patterns are known before the text is read again", () => {
  fails("foo =~ 'o' ? true : false");
  holds("foo =~ 'o' && true", "foo =~ o ? true : false");
});

Deno.test("a date and a dotted name stand in messages as the peer prints them", () => {
  const reasons = ["1 + '2024-01-02'", "a b.C.D"].map((when) =>
    messageOf(when)[0]?.replace(/.*': | \(\d+:\d+\)$/g, "")
  );
  assertEquals(reasons, [
    "Cannot transition token types from MODIFIER [+] to TIME [2024-01-02 00:00:00 +0000 UTC]",
    "Cannot transition token types from VARIABLE [a] to ACCESSOR [[b C D]]",
  ]);
});

Deno.test("there are no functions and no other words for operators", () => {
  fails("len(a) == 1", "not true", "true and true", "true or false");
});

Deno.test("an unresolved tag fails", () => {
  fails("{{item}} == foo");
  assertEquals(evaluateWhen("'{{item}}' == foo"), false);
});

function messageOf(when: string): string[] {
  return assertThrows(() => evaluateWhen(when), TemplateError).message.split("\n");
}

Deno.test("messages begin as the peer's, then show the place and what would be accepted", () => {
  assertEquals(messageOf("a @ b"), [
    "Invalid 'when' expression 'a @ b': Invalid token: '@' (hint: try wrapping the affected expression in quotes (\")) (1:3)",
    " | a @ b",
    " | ..^",
    " expected an operator",
  ]);
});

Deno.test("a caret stands under what is wrong, and a hint says what to do about it", () => {
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

Deno.test("evaluateStrictWhen() knows no bare words", () => {
  assertThrows(() => evaluateStrictWhen("foo == foo"), TemplateError, "No parameter 'foo' found.");
});

Deno.test("absurd nesting is an error, not a crash", () => {
  fails("(".repeat(100_000) + "true" + ")".repeat(100_000));
  holds("(".repeat(100) + "true" + ")".repeat(100));
});

Deno.test("a plus puts together as soon as one side is a text, whichever it is", () => {
  holds("'a' + 1 == 'a1'", "1 + 'a' == '1a'", "'a' + 'b' == 'ab'", "1 + 1 == 2");
});
