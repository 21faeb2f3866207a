import { assertEquals, assertThrows } from "@std/assert";
import { labelValueErrors, qualifiedNameErrors, subdomainErrors } from "./label_rules.ts";
import { meetsRequirement, parseRequirements, printRequirements, SelectorError } from "./label_selector.ts";

function matches(selector: string, labels: Record<string, string>): boolean {
  return parseRequirements(selector).every((requirement) => meetsRequirement(requirement, (key) => labels[key]));
}

Deno.test("selector: an empty selector matches everything", () => {
  assertEquals(matches("", {}), true);
});

Deno.test("selector: all requirements must hold", () => {
  assertEquals(matches("a=1,b", { a: "1", b: "" }), true);
  assertEquals(matches("a=1,b", { a: "1" }), false);
});

Deno.test("selector: a label that must not have a value may also be missing", () => {
  assertEquals(["a!=1", "a notin (1, 2)", "!a"].map((selector) => matches(selector, {})), [true, true, true]);
  assertEquals(["a!=1", "a notin (1, 2)", "!a"].map((selector) => matches(selector, { a: "1" })), [
    false,
    false,
    false,
  ]);
});

Deno.test("selector: greater and less compare only integers", () => {
  assertEquals(matches("n>3", { n: "5" }), true);
  assertEquals(matches("n<6", { n: "5" }), true);
  assertEquals(matches("n>3", { n: "five" }), false);
  assertThrows(() => parseRequirements("n>x"), SelectorError, "must be an integer");
});

Deno.test("selector: `in` and `notin` are keys where a key is expected", () => {
  assertEquals(matches("in in (in)", { in: "in" }), true);
});

Deno.test("selector: a NUL ends a word or a mark, and the text elsewhere", () => {
  assertEquals(printRequirements(parseRequirements("a=\u00001")), "a=1");
  assertEquals(printRequirements(parseRequirements("a \u0000,b")), "a");
});

Deno.test("selector: an omitted value is the empty value", () => {
  assertEquals(matches("a=", { a: "" }), true);
  assertEquals(matches("a in ()", { a: "" }), true);
});

Deno.test("selector: is printed sorted and without spaces", () => {
  assertEquals(printRequirements(parseRequirements(" b , a in (y,x) ,c == 1, !d ")), "a in (x,y),b,c==1,!d");
});

Deno.test("selector: a syntax error names the found and the expected token", () => {
  assertThrows(() => parseRequirements("a=1 b=2"), SelectorError, "found 'b', expected: ',' or 'end of string'");
  assertThrows(() => parseRequirements("a in x"), SelectorError, "found 'x' expected: '('");
  assertThrows(() => parseRequirements("a in ("), SelectorError, "found '', expected: ',', ')' or identifier");
  assertThrows(() => parseRequirements("n>-"), SelectorError, 'parse requirement: [values[0]: Invalid value: "-": for');
  assertThrows(() => parseRequirements("a=1,"), SelectorError, "expected: identifier after ','");
  assertThrows(() => parseRequirements("a/b/c"), SelectorError, "a valid label key must consist of");
});

Deno.test("labelValueErrors: a value has at most 63 characters and ends in a letter or digit", () => {
  assertEquals(labelValueErrors(""), []);
  assertEquals(labelValueErrors("A-b_c.d"), []);
  assertEquals(labelValueErrors("a-").length, 1);
  assertEquals(labelValueErrors("a".repeat(64)), ["must be no more than 63 bytes"]);
});

Deno.test("qualifiedNameErrors: a key may have one prefix, which is a domain", () => {
  assertEquals(qualifiedNameErrors("example.com/Name_1"), []);
  assertEquals(qualifiedNameErrors("Example.com/x").length, 1);
  assertEquals(qualifiedNameErrors("/x"), ["prefix part must be non-empty"]);
  assertEquals(qualifiedNameErrors("x/").length, 2);
});

Deno.test("subdomainErrors: a subdomain is lower case", () => {
  assertEquals(subdomainErrors("my-wf.1"), []);
  assertEquals(subdomainErrors("MyWf").length, 1);
});

Deno.test("subdomainErrors: the limit of a name is in characters, that of a label's prefix in bytes", () => {
  assertEquals(subdomainErrors("a".repeat(254)), ["must be no more than 253 characters"]);
  assertEquals(qualifiedNameErrors(`${"a".repeat(254)}/x`), ["prefix part must be no more than 253 bytes"]);
});

Deno.test("selector: less and greater exclude the bound", () => {
  const found = ["4", "5", "6"].map((a) => [matches("a<5", { a }), matches("a>5", { a })]);
  assertEquals(found, [[true, false], [false, false], [false, true]]);
});
