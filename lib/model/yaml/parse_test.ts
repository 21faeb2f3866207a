import { assertEquals, assertMatch } from "@std/assert";
import { LIMITS } from "@tiphys/base/limits";
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
  Deno.test(`parseYaml: the scalar ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => {
    assertEquals(read(`x: ${text.includes(": ") ? `{${text}}` : text}`), { x: value });
  });
}

Deno.test("parseYaml: keys become strings", () => {
  assertEquals(read("1: a\ntrue: b\n"), { "1": "a", "true": "b" });
});

Deno.test("parseYaml: a merge key adds the fields of an anchor, and own fields win", () => {
  assertEquals(read("base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  z: 3\n"), {
    base: { x: 1, "true": 2 },
    use: { x: 1, "true": 2, z: 3 },
  });
  assertEquals(read("base: &b {x: 1}\nuse: {<<: *b, x: 2}\n"), { base: { x: 1 }, use: { x: 2 } });
});

Deno.test("parseYaml: returns several documents and omits empty ones", () => {
  const documents = parseYaml("# only a comment\n---\na: 1\n---\n---\nb: 2\n");
  assertEquals(documents.map((document) => document.value), [{ a: 1 }, { b: 2 }]);
});

Deno.test("parseYaml: reads JSON with tabs and surrogate pairs", () => {
  assertEquals(read('{\n\t"a": [1, true, "\\ud83d\\ude00\\/"]\n}'), { a: [1, true, "😀/"] });
});

Deno.test("parseYaml: a duplicate key is an error with its position", () => {
  const [document] = parseYaml("a: 1\nb:\n  c: 1\n  c: 2\n");
  assertEquals(document?.errors.map(({ line, column }) => ({ line, column })), [{ line: 4, column: 3 }]);
  assertMatch(document?.errors[0]?.message ?? "", /unique/);
});

Deno.test("parseYaml: a syntax error has a position and is not thrown", () => {
  const [document] = parseYaml("a: [1, 2\nb: 3\n");
  assertEquals(document?.value, null);
  assertEquals(document?.errors[0]?.line, 2);
});

Deno.test("parseYaml: an alias without an anchor is an error", () => {
  assertMatch(parseYaml("a: *nowhere\n")[0]?.errors[0]?.message ?? "", /nowhere/);
});

Deno.test("parseYaml: a number that JSON does not support is an error", () => {
  assertMatch(parseYaml("a: .inf\n")[0]?.errors[0]?.message ?? "", /\.inf/);
});

Deno.test("parseYaml: accepts quoted lines with less indentation than YAML allows if the quote is closed", () => {
  const steps = "steps:\n- args: [\"\n  one\n    two \\\"x\\\"\n\n\"]\n  more: ['\na''s\n  ']\n";
  assertEquals(read(steps), { steps: [{ args: [' one two "x"\n'], more: [" a's "] }] });
});

Deno.test("parseYaml: reads many quoted texts with less indentation in linear time", () => {
  const count = 5_000;
  const steps = `steps:\n${'- args: ["\n  one\n"]\n'.repeat(count)}`;
  const { steps: found } = read(steps) as { steps: readonly unknown[] };
  assertEquals([found.length, found.at(-1)], [count, { args: [" one "] }]);
});

Deno.test("parseYaml: a block scalar that begins with a quote is unchanged next to such a quoted text", () => {
  const text = 'a: |\n  \'x\n  y\' z\nb: ["\n"]\nc: |-\n  "x\n\n  y\n';
  assertEquals(read(text), { a: "'x\ny' z\n", b: [" "], c: '"x\n\ny' });
});

Deno.test("parseYaml: a deeply indented quoted text with many lines is an error and is not enlarged without limit", () => {
  const text = `a: [${" ".repeat(50_000)}"${"\nx".repeat(500)}"]\n`;
  assertMatch(parseYaml(text)[0]?.errors[0]?.message ?? "", /quote/);
});

Deno.test("parseYaml: an unclosed quoted text is an error", () => {
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
  Deno.test(`positionOf: ${path || "the root"} is at line ${line}, column ${column}`, () => {
    assertEquals(parseYaml(text).map((document) => positionOf(document, path)), [{ line, column }]);
  });
}

Deno.test("positionOf: lines of a later document are those of the whole text", () => {
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
  Deno.test(`parseYaml: rejects a key that JSON does not support: ${JSON.stringify(text)}`, () => {
    const [document] = parseYaml(text);
    assertEquals(document?.value, null);
    assertMatch(document?.errors[0]?.message ?? "", new RegExp(expected.replace(/[{}]/g, "\\$&")));
  });
}

Deno.test("parseYaml: accepts numbers, booleans and aliases of strings as keys", () => {
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
  Deno.test(`parseYaml: too deep nesting is an error with its position: ${title}`, () => {
    const error = parseYaml(text).at(-1)?.errors[0];
    assertMatch(error?.message ?? "", /lists and objects are nested more than 200 levels deep$/);
    assertEquals([error?.line, error?.column], [line, column]);
  });
}

Deno.test("parseYaml: accepts the maximum nesting depth, and stops at a document that is nested too deeply", () => {
  assertEquals(parseYaml("[".repeat(200) + "]".repeat(200))[0]?.errors, []);
  const [first, second, ...more] = parseYaml(`a: 1\n---\n${"[".repeat(201)}\n---\nb: 2\n`);
  assertEquals([first?.value, second?.value, more.length], [{ a: 1 }, null, 0]);
});

/** Returns the errors of a text as `line:column: message`. */
function errorsOf(text: string): string[] {
  return parseYaml(text).flatMap(({ errors }) =>
    errors.map((error) => `${error.line}:${error.column}: ${error.message}`)
  );
}

Deno.test("parseYaml: each repeat of a key is an error, in any style of map and key", () => {
  assertEquals(errorsOf("a: {b: 1, 'b': 2, b: 3}\n? a\n: 1\n1: x\n'1': y\n"), [
    "1:11: Map keys must be unique",
    "1:19: Map keys must be unique",
    "2:3: Map keys must be unique",
  ]);
  assertEquals(errorsOf("x: &x a\na: 1\n*x : 2\n<<: {b: 1}\n<<: {c: 1}\n"), []);
});

Deno.test("parseYaml: an anchor may be used many times, and be set again", () => {
  assertEquals(read(`- &a 1\n${"- *a\n".repeat(500)}- &a 2\n- *a\n`), [...Array(501).fill(1), 2, 2]);
});

Deno.test("parseYaml: a merge key accepts several objects, of which the first wins, and no other values", () => {
  assertEquals(read("- &a {x: 1}\n- &b {x: 2, z: 2}\n- {y: 1, <<: [*a, *b, {w: 3}]}\n"), [
    { x: 1 },
    { x: 2, z: 2 },
    { "true": 1, x: 1, z: 2, w: 3 },
  ]);
  assertEquals(errorsOf("a: 1\n<<: [1]\n"), ["2:5: Merge sources must be maps or map aliases"]);
});

Deno.test("parseYaml: tags of sets, ordered maps and times result in JSON values", () => {
  assertEquals(read("a: !!set {b, c}\nd: !!omap [e: 1]\nf: !!timestamp 2020-01-01\n"), {
    a: { b: null, c: null },
    d: [{ e: 1 }],
    f: "2020-01-01",
  });
});

Deno.test("parseYaml: a key named __proto__ is a field as any other", () => {
  assertEquals(
    JSON.stringify(read("__proto__: {a: 1}\nb: {<<: {__proto__: 2}}\n")),
    '{"__proto__":{"a":1},"b":{"__proto__":2}}',
  );
});

const TOO_MUCH: Readonly<Record<string, readonly [text: string, line: number, message: RegExp]>> = {
  "aliases": [`- &a 1\n${"- *a\n".repeat(LIMITS.yaml.aliases)}`, LIMITS.yaml.aliases + 1, /more than 10000 aliases/],
  "anchors": ["- &a 1\n".repeat(LIMITS.yaml.aliases + 1), LIMITS.yaml.aliases + 1, /more than 10000 aliases/],
  "repeated text": [
    `- &a ${"x".repeat(2000)}\n- [${"*a,".repeat(600)}]`,
    2,
    /^aliases repeat more than \d+ characters$/,
  ],
  "repeated lists": [
    `- &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `- &a${i + 1} [*a${i}, *a${i}]\n`).join("")}`,
    10,
    /^aliases repeat more than \d+ characters$/,
  ],
  "merged objects": [
    `- &a {${Array.from({ length: 300 }, (_, i) => `k${i}: 1`)}}\n${"- {<<: *a}\n".repeat(600)}`,
    2,
    /^aliases repeat more than \d+ characters$/,
  ],
  "directives": ["%TAG !a! x\n".repeat(200), 94, /more than 1024 characters of directives/],
  "comments under empty lines": [
    `a: |\n  x\n${"\n".repeat(5000)}${" # c\n".repeat(1000)}`,
    5000,
    /more than 4000000 tokens/,
  ],
};

for (const [title, [text, line, message]] of Object.entries(TOO_MUCH)) {
  Deno.test(`parseYaml: rejects a text with too many ${title}, with the position`, () => {
    const [error, ...more] = parseYaml(text).at(-1)?.errors ?? [];
    assertMatch(error?.message ?? "", message);
    assertEquals([error!.line >= line, more], [true, []]);
  });
}

Deno.test("parseYaml: a text has at most a hundred errors", () => {
  assertEquals(errorsOf("a: 1\n".repeat(500)).length, 100);
  assertEquals(errorsOf("{a: 1}: 1\n".repeat(500)).length, 100);
});

Deno.test("positionOf: finds a field through aliases and merge keys", () => {
  const [document] = parseYaml("a: &a {x: {z: 1}}\nb: *a\nc:\n  <<: [*a]\n");
  assertEquals(positionOf(document!, "b.x.z"), { line: 1, column: 12 });
  assertEquals(positionOf(document!, "c.x.z"), { line: 1, column: 12 });
});
