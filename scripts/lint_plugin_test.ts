import { assertEquals } from "@std/assert";
import plugin from "./lint_plugin.ts";

function messages(source: string, file = "lib/example.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

Deno.test("tiphys/linear-regexp tells of an expression that is slow for some texts, and of none that is not", () => {
  assertEquals(messages(String.raw`export const A = /^(a+)+$/;`), [
    "The regular expression takes exponential time for some texts",
  ]);
  assertEquals(messages(String.raw`text.replace(/\s+$/, "");`), [
    "The regular expression takes polynomial time for some texts",
  ]);
  assertEquals(messages(String.raw`export const A = /^[a-z]+$/;`), []);
});

Deno.test("tiphys/linear-regexp judges an expression that is made of constants of its file", () => {
  const parts = 'const WORD = "[a-z]+";\nconst END = /;/;\nconst RAW = String.raw`\\s*`;\n';
  assertEquals(messages(`${parts}new RegExp(\`^\${WORD}\${END.source}\`);`), []);
  assertEquals(messages(`${parts}new RegExp(\`^\${RAW}\${RAW}x\`);`).length, 1);
  assertEquals(messages(`${parts}RegExp(\`\${WORD}x\`, "g");`).length, 1);
});

Deno.test("tiphys/linear-regexp tells of an expression that is made of what others say", () => {
  assertEquals(messages("export const f = (pattern: string) => new RegExp(pattern);"), [
    "The regular expression is made of what is not known here",
  ]);
});

Deno.test("tiphys/linear-regexp leaves tests and scripts alone", () => {
  assertEquals(messages("export const A = /^(a+)+$/;", "lib/example_test.ts"), []);
  assertEquals(messages("export const A = /^(a+)+$/;", "tests/example/main.ts"), []);
  assertEquals(messages("export const A = /^(a+)+$/;", "scripts/example.ts"), []);
});

Deno.test("tiphys/throws-tag wants what is thrown behind the tag, on whatever line of a comment it stands", () => {
  const told = ["What a function throws stands behind `@throws`"];
  assertEquals(messages("/** Reads a number. Throws when it is none. */\nexport const a = 1;"), told);
  assertEquals(messages("/**\n * Reads a number.\n * Throws\n * when it is none.\n */\nexport const a = 1;"), told);
  assertEquals(messages("/** Throws always. */\nexport const a = 1;"), told);
  assertEquals(messages("/**\n * Reads a number.\n * @throws when it is none.\n */\nexport const a = 1;"), []);
  assertEquals(messages("// Throws when it is none.\nexport const a = 1;"), []);
});

Deno.test("tiphys/read-what-enters tells of a kind that is claimed of what a Kubernetes client answers", () => {
  const told = ["What a Kubernetes client answers is read before it is of a kind"];
  for (
    const asked of [
      "client.get",
      "this.#client.list",
      "caller.client.create",
      "client.inBackground().watch",
      "client.request",
    ]
  ) {
    assertEquals(messages(`${asked}<Pod>(PODS, "n", "p");`), told, asked);
  }
  for (const asked of ["client.get", "client.get<KubeObject>", "client.list<object>", "map.get<Pod>", "get<Pod>"]) {
    assertEquals(messages(`${asked}(PODS, "n", "p");`), [], asked);
  }
  assertEquals(messages('client.get<Pod>(PODS, "n", "p");', "lib/example_test.ts"), []);
});

Deno.test("tiphys/json-is-unknown tells of JSON that is taken for something before a reader has looked", () => {
  const told = ["What a JSON text says is of unknown shape until a reader has looked"];
  for (
    const source of [
      "const pod = JSON.parse(text) as Pod;",
      "const pod: Pod = JSON.parse(text);",
      "const { kind } = JSON.parse(text);",
      "f(JSON.parse(text).kind);",
      "const pod = { metadata: JSON.parse(text) };",
      "function read(text: string): Pod { return JSON.parse(text); }",
      "const read = (text: string) => JSON.parse(text);",
      "let pod: Pod; pod = JSON.parse(text);",
      "async function read(): Promise<Pod> { return await answer.json(); }",
      "const said = await answer.json().catch(() => ({})) as Said;",
    ]
  ) assertEquals(messages(source), told, source);
  for (
    const source of [
      "const value: unknown = JSON.parse(text);",
      "let value: unknown; value = JSON.parse(text);",
      "const value = JSON.parse(text) as Json;",
      "const { kind } = fieldsOf(JSON.parse(text));",
      "Schema.parse(JSON.parse(text));",
      "JSON.parse(text);",
      "function read(text: string): unknown { return JSON.parse(text); }",
      "async function read(): Promise<unknown> { return await answer.json(); }",
      "Schema.safeParse(await answer.json().catch(() => undefined));",
      "if (JSON.parse(text) === key) done();",
      "const query = Schema.parse(text) as Query;",
    ]
  ) assertEquals(messages(source), [], source);
  assertEquals(messages("const pod = JSON.parse(text) as Pod;", "lib/example_test.ts"), []);
});

Deno.test("tiphys/no-double-cast tells of a cast by way of unknown", () => {
  assertEquals(messages("const pod = value as unknown as Pod;"), [
    "A cast by way of `unknown` says that the compiler is wrong",
  ]);
  assertEquals(messages("const pod = value as Pod; const other = value as unknown;"), []);
  assertEquals(messages("const pod = value as unknown as Pod;", "tests/example.ts"), []);
});
