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
  for (const asked of ["client.get", "this.#client.list", "caller.client.create", "client.inBackground().watch"]) {
    assertEquals(messages(`${asked}<Pod>(PODS, "n", "p");`), told, asked);
  }
  for (const asked of ["client.get", "client.get<KubeObject>", "client.list<object>", "map.get<Pod>", "get<Pod>"]) {
    assertEquals(messages(`${asked}(PODS, "n", "p");`), [], asked);
  }
  assertEquals(messages('client.get<Pod>(PODS, "n", "p");', "lib/example_test.ts"), []);
});
