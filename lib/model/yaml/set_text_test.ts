import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseYaml } from "./parse.ts";
import { withTextAt } from "./set_text.ts";

const TEXT = `# A template of ours.
spec:
  arguments:
    parameters:
    - name: region # where it runs
      value: eu   # or us
      enum: [eu, us]
    # The day.
    - name: day   # no value yet
      description: "a day"
    - {name: flow, value: a}
    - name: block
      value: |
        two
        lines
    - name: empty
      value:
    - name: noted
      value: >-   # two folded lines
        two
        lines
    - name: anchored
      value: &r eu # named below
    - name: alias
      value: *r
    - name: tagged
      value: !!int 5
    - name: anchored empty
      value: &e
    - &p {name: whole, value: a}
    - *p
  # The end.
`;

/** The parameters whose values cannot be set without affecting others. */
const SHARED = [6, 7, 8, 9, 10, 11];

const at = (index: number, text = TEXT, value = "x") =>
  withTextAt(text, ["spec", "arguments", "parameters", index, "value"], value);

Deno.test("withTextAt: changes only the value", () => {
  assertEquals(at(0), TEXT.replace("value: eu   #", "value: x   #"));
  assertEquals(at(2), TEXT.replace("value: a}", 'value: "x"}'));
  assertEquals(at(3), TEXT.replace("value: |\n        two\n        lines\n", "value: x\n"));
  assertEquals(at(4), TEXT.replace("value:\n    - name: noted", "value: x\n    - name: noted"));
});

Deno.test("withTextAt: a block scalar keeps the comment of its first line", () => {
  assertEquals(
    at(5),
    TEXT.replace("value: >-   # two folded lines\n        two\n        lines\n", "value: x   # two folded lines\n"),
  );
});

Deno.test("withTextAt: does not change a value with an anchor or tag, an alias, or a field of an anchored map", () => {
  for (const index of SHARED) assertEquals(at(index), undefined, String(index));
  assertEquals(withTextAt("a: &a\n  name: b\nc: *a\n", ["a", "value"], "x"), undefined);
  assertEquals(withTextAt("&a\nname: b\n", ["name"], "x"), undefined);
});

Deno.test("withTextAt: adds a missing field after the first one, whose comment stays on its line", () => {
  assertEquals(at(1), TEXT.replace("day   # no value yet\n", "day   # no value yet\n      value: x\n"));
  assertEquals(withTextAt('{"a": {"name": "b"}}', ["a", "value"], "c"), '{"a": {"value": "c", "name": "b"}}');
  assertEquals(withTextAt("a:\n  name: |\n    b\n", ["a", "value"], "c"), "a:\n  value: c\n  name: |\n    b\n");
});

Deno.test("withTextAt: does not change a text that is not one document with that field", () => {
  assertEquals(at(12), undefined);
  assertEquals(withTextAt("a: [1", ["a", "b"], "x"), undefined);
  assertEquals(withTextAt("a: 1\n---\na: 2\n", ["a"], "x"), undefined);
  assertEquals(withTextAt("a: {b: 1}", ["a"], "x"), undefined);
  assertEquals(withTextAt("", ["a"], "x"), undefined);
});

Deno.test("withTextAt: parsing the result returns the text, and everything else is unchanged", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.toWellFormed()),
    fc.constantFrom(
      "",
      "true",
      "1",
      "null",
      "# no",
      "a: b",
      "{{x}}",
      "- a",
      "a\n\nb ",
      " x",
      "'",
      '"',
      "}",
      ", b",
      "~",
      "2024-01-01",
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 11 }), texts, (index, value) => {
      const text = at(index, TEXT, value);
      assertEquals(text === undefined, SHARED.includes(index));
      if (text === undefined) return;
      const [document] = parseYaml(text);
      const [before] = parseYaml(TEXT);
      const wanted = structuredClone(before!.value) as { spec: { arguments: { parameters: { value?: string }[] } } };
      wanted.spec.arguments.parameters[index]!.value = value;
      assertEquals([document!.errors, document!.value], [[], wanted]);
      for (const comment of TEXT.match(/#.*/g)!) assertEquals(text.includes(comment), true, comment);
    }),
    { numRuns: 80 },
  );
});
