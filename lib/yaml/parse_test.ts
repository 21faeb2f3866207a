import { assertEquals, assertMatch } from "@std/assert";
import { parseYaml, positionOf } from "./parse.ts";

function read(text: string): unknown {
  const [document] = parseYaml(text);
  assertEquals(document?.errors, []);
  return document?.value;
}

const scalars: [string, unknown][] = [
  ["y", true],
  ["Y", true],
  ["yes", true],
  ["On", true],
  ["TRUE", true],
  ["n", false],
  ["no", false],
  ["OFF", false],
  ["yEs", "yEs"],
  ["~", null],
  ["Null", null],
  ["", null],
  ["0755", 493],
  ["0o755", 493],
  ["-010", -8],
  ["0x1F", 31],
  ["0b101", 5],
  ["1_000", 1000],
  ["+7", 7],
  ["08", 8],
  ["1.50", 1.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["1.5e-3", 0.0015],
  ["1.2.3", "1.2.3"],
  ["2020-01-02", "2020-01-02"],
  ["2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"],
  ["12:30:45", "12:30:45"],
  ["'yes'", "yes"],
  ['"0755"', "0755"],
  ["!!str 5", "5"],
  ["!!binary aGVsbG8=", "hello"],
  ["1e400", "1e400"],
  ["a: b", { a: "b" }],
];

for (const [text, value] of scalars) {
  Deno.test(`The scalar ${JSON.stringify(text)} reads as ${JSON.stringify(value)}`, () => {
    assertEquals(read(`x: ${text.includes(": ") ? `{${text}}` : text}`), { x: value });
  });
}

Deno.test("Keys that are no text become text", () => {
  assertEquals(read("1: a\ntrue: b\n"), { "1": "a", "true": "b" });
});

Deno.test("A merge key brings the fields of an anchor, and own fields win", () => {
  assertEquals(read("base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  z: 3\n"), {
    base: { x: 1, "true": 2 },
    use: { x: 1, "true": 2, z: 3 },
  });
  assertEquals(read("base: &b {x: 1}\nuse: {<<: *b, x: 2}\n"), { base: { x: 1 }, use: { x: 2 } });
});

Deno.test("A text holds several documents, and empty ones do not count", () => {
  const documents = parseYaml("# only a comment\n---\na: 1\n---\n---\nb: 2\n");
  assertEquals(documents.map((document) => document.value), [{ a: 1 }, { b: 2 }]);
});

Deno.test("JSON is read too, tabs and surrogate pairs included", () => {
  assertEquals(read('{\n\t"a": [1, true, "\\ud83d\\ude00\\/"]\n}'), { a: [1, true, "😀/"] });
});

Deno.test("A duplicate key is an error with its place", () => {
  const [document] = parseYaml("a: 1\nb:\n  c: 1\n  c: 2\n");
  assertEquals(document?.errors.map(({ line, column }) => ({ line, column })), [{ line: 4, column: 3 }]);
  assertMatch(document?.errors[0]?.message ?? "", /unique/);
});

Deno.test("Broken text is an error with its place, and does not throw", () => {
  const [document] = parseYaml("a: [1, 2\nb: 3\n");
  assertEquals(document?.value, null);
  assertEquals(document?.errors[0]?.line, 2);
});

Deno.test("An alias without an anchor is an error", () => {
  assertMatch(parseYaml("a: *nowhere\n")[0]?.errors[0]?.message ?? "", /nowhere/);
});

Deno.test("A number that JSON cannot hold is an error", () => {
  assertMatch(parseYaml("a: .inf\n")[0]?.errors[0]?.message ?? "", /\.inf/);
});

Deno.test("A quoted text may go on further left than YAML allows, as long as it is closed", () => {
  const steps = "steps:\n- args: [\"\n  one\n    two \\\"x\\\"\n\n\"]\n  more: ['\na''s\n  ']\n";
  assertEquals(read(steps), { steps: [{ args: [' one two "x"\n'], more: [" a's "] }] });
});

Deno.test("A quoted text that is never closed is an error", () => {
  assertMatch(parseYaml('a: ["x\nb: 1\n')[0]?.errors[0]?.message ?? "", /quote/);
});

const text = `kind: Workflow
spec:
  templates:
  - name: a
    steps:
    - - name: x
        template: y
  base: &base
    image: i
  use:
    <<: *base
    other: 1
`;

const places: [string, number, number][] = [
  ["kind", 1, 1],
  ["spec.templates[0]", 4, 5],
  ["spec.templates[0].steps[0][0].template", 7, 9],
  ["spec.templates[0].steps[0][0].templte", 6, 9],
  ["spec.templates[7].name", 3, 3],
  ["spec.use.image", 9, 5],
  ["", 1, 1],
];

for (const [path, line, column] of places) {
  Deno.test(`The place of ${path || "the whole"} is line ${line}, column ${column}`, () => {
    assertEquals(parseYaml(text).map((document) => positionOf(document, path)), [{ line, column }]);
  });
}

Deno.test("Places in a later document count the lines of the whole text", () => {
  const [, second] = parseYaml("a: 1\n---\nb:\n  c: 2\n").map((document) => positionOf(document, "b.c"));
  assertEquals(second, { line: 4, column: 3 });
});

const keys: [string, string][] = [
  ["{{workflow.name}}", 'got an object: a text that begins with "{{" needs quotes'],
  ["a:\n  - b: {{inputs.parameters.p}}", 'got an object: a text that begins with "{{" needs quotes'],
  ["? {a: 1}\n: 2", "got an object"],
  ["? [a, b]\n: 1", "got a list"],
  ["? {a: 1}\n  b: 2\n: 3", "got an object"],
  ["null: 3", "got null"],
  ["{a: 1, : 2}", "got null"],
];
for (const [text, expected] of keys) {
  Deno.test(`parseYaml() refuses a key that JSON cannot have: ${JSON.stringify(text)}`, () => {
    const [document] = parseYaml(text);
    assertEquals(document?.value, null);
    assertMatch(document?.errors[0]?.message ?? "", new RegExp(expected.replace(/[{}]/g, "\\$&")));
  });
}

Deno.test("parseYaml() takes keys that are numbers, booleans and aliases of texts", () => {
  assertEquals(read("&k a: 1\n2: {true: 3}\nb: {*k : 4}"), { a: 1, 2: { true: 3 }, b: { a: 4 } });
});

const TOO_DEEP: Readonly<Record<string, readonly [text: string, line: number, column: number]>> = {
  "lists in braces": ["a: " + "[".repeat(1000) + "]".repeat(1000), 1, 203],
  "lists that nobody closes": ["[".repeat(100_000), 1, 201],
  "JSON objects": ['{"a":'.repeat(5000) + "1" + "}".repeat(5000), 1, 1001],
  "objects by their indents": [
    Array.from({ length: 3000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
    201,
    201,
  ],
  "lists in one line": [`${"- ".repeat(100_000)}1`, 1, 401],
  "keys": [`${"? ".repeat(5000)}1`, 1, 401],
  "pairs without braces": [`${"[a: ".repeat(150)}1${"]".repeat(150)}`, 1, 18],
  "a list in itself": ["x: 1\na: &a [*a]", 2, 8],
  "a later document": [`a: 1\n---\nb:\n  - 1\n  - ${"[".repeat(300)}`, 5, 203],
};

for (const [title, [text, line, column]] of Object.entries(TOO_DEEP)) {
  Deno.test(`What is nested too deeply is an error with its place: ${title}`, () => {
    const error = parseYaml(text).at(-1)?.errors[0];
    assertMatch(error?.message ?? "", /lists and objects lie more than 200 deep in each other$/);
    assertEquals([error?.line, error?.column], [line, column]);
  });
}

Deno.test("What is nested as deep as an object may be is read, and so are the documents before one that is too deep", () => {
  assertEquals(parseYaml("[".repeat(200) + "]".repeat(200))[0]?.errors, []);
  const [first, second, ...more] = parseYaml(`a: 1\n---\n${"[".repeat(201)}\n---\nb: 2\n`);
  assertEquals([first?.value, second?.value, more.length], [{ a: 1 }, null, 0]);
});
