import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { firstState, indentAfter, tokenAt } from "./manifest_tokens.ts";

function tokensOf(text: string): string[] {
  const state = firstState();
  return text.split("\n").flatMap((line) => {
    const found: string[] = [];
    for (let offset = 0; offset < line.length;) {
      const { end, kind } = tokenAt(line, offset, state);
      assert(end > offset && end <= line.length, `${line} at ${offset}`);
      if (kind !== undefined && kind !== "punctuation") found.push(`${kind} ${line.slice(offset, end)}`);
      offset = end;
    }
    return found;
  });
}

Deno.test("tokenAt: distinguishes fields, texts, numbers, booleans, comments and anchors", () => {
  assertEquals(
    tokensOf(`---
# ours
apiVersion: argoproj.io/v1alpha1 # a:b
spec:
  "quoted": 'it''s'
  parallelism: 12
  suspend: true
  at: 10:30
  args: [a: 1, "b", {c: null}]
  base: &base
  - <<: *base
  - name: x#y
`),
    [
      "meta ---",
      "comment # ours",
      "propertyName apiVersion",
      "comment # a:b",
      "propertyName spec",
      'propertyName "quoted"',
      "string 'it'",
      "string 's'",
      "propertyName parallelism",
      "number 12",
      "propertyName suspend",
      "atom true",
      "propertyName at",
      "propertyName args",
      "propertyName a",
      "number 1",
      'string "b"',
      "propertyName c",
      "atom null",
      "propertyName base",
      "labelName &base",
      "propertyName <<",
      "labelName *base",
      "propertyName name",
    ],
  );
});

Deno.test("tokenAt: a block text lasts while lines are indented further, and a quoted text may span lines", () => {
  assertEquals(
    tokensOf('- source: |-\n    a: 1\n\n    # b\n  name: c\n- d: "x\n  y: z"\n- >\n  e: 1\nf: g'),
    [
      "propertyName source",
      "string     a: 1",
      "string     # b",
      "propertyName name",
      "propertyName d",
      'string "x',
      'string   y: z"',
      "string   e: 1",
      "propertyName f",
    ],
  );
});

Deno.test("tokenAt: JSON has the same tokens", () => {
  assertEquals(tokensOf('{"a":1,"b": ["c:d", true], "e" : "f\\"g"}'), [
    'propertyName "a"',
    "number 1",
    'propertyName "b"',
    'string "c:d"',
    "atom true",
    'propertyName "e"',
    'string "f\\"g"',
  ]);
});

Deno.test("tokenAt: tokens cover any line to its end", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab:-#\"'|>{}[],&*! \t\n\\1.") });
  fc.assert(fc.property(text, (line) => void tokensOf(line)));
});

Deno.test("indentAfter: indents a new line by what it belongs to", () => {
  const cases: readonly [string, number][] = [
    ["spec:", 2],
    ["  spec: # it", 4],
    ["  name: a", 2],
    ["  - name: a", 4],
    ["  - name:", 6],
    ["  - - name: a", 6],
    ["  source: |", 4],
    ['  "a": {', 4],
    ["", 0],
  ];
  for (const [line, indent] of cases) assertEquals(indentAfter(line, 2), indent, line);
});
