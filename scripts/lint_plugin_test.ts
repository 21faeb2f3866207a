import { assertEquals } from "@std/assert";
import plugin from "./lint_plugin.ts";

function messages(source: string, file = "lib/example.ts"): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

Deno.test("tiphys/linear-regexp: reports only expressions that are slow for some texts", () => {
  assertEquals(messages(String.raw`export const A = /^(a+)+$/;`), [
    "The regular expression takes exponential time for some texts",
  ]);
  assertEquals(messages(String.raw`text.replace(/\s+$/, "");`), [
    "The regular expression takes polynomial time for some texts",
  ]);
  assertEquals(messages(String.raw`export const A = /^[a-z]+$/;`), []);
});

Deno.test("tiphys/linear-regexp: checks an expression that is built from constants of its file", () => {
  const parts = 'const WORD = "[a-z]+";\nconst END = /;/;\nconst RAW = String.raw`\\s*`;\n';
  assertEquals(messages(`${parts}new RegExp(\`^\${WORD}\${END.source}\`);`), []);
  assertEquals(messages(`${parts}new RegExp(\`^\${RAW}\${RAW}x\`);`).length, 1);
  assertEquals(messages(`${parts}RegExp(\`\${WORD}x\`, "g");`).length, 1);
});

Deno.test("tiphys/linear-regexp: reports an expression that is built from unknown values", () => {
  assertEquals(messages("export const f = (pattern: string) => new RegExp(pattern);"), [
    "The regular expression is built from unknown values",
  ]);
});

Deno.test("tiphys/linear-regexp: ignores tests and scripts", () => {
  assertEquals(messages("export const A = /^(a+)+$/;", "lib/example_test.ts"), []);
  assertEquals(messages("export const A = /^(a+)+$/;", "tests/example/main.ts"), []);
  assertEquals(messages("export const A = /^(a+)+$/;", "scripts/example.ts"), []);
});

Deno.test("tiphys/throws-tag: requires a tag for errors, in any line of a comment", () => {
  const expected = ["Document the errors of a function with `@throws`"];
  assertEquals(messages("/** Reads a number. Throws when it is none. */\nexport const a = 1;"), expected);
  assertEquals(messages("/**\n * Reads a number.\n * Throws\n * when it is none.\n */\nexport const a = 1;"), expected);
  assertEquals(messages("/** Throws always. */\nexport const a = 1;"), expected);
  assertEquals(messages("/**\n * Reads a number.\n * @throws when it is none.\n */\nexport const a = 1;"), []);
  assertEquals(messages("// Throws when it is none.\nexport const a = 1;"), []);
});

Deno.test("tiphys/read-what-enters: reports a type argument for the response of a Kubernetes client", () => {
  const expected = ["The response of a Kubernetes client must be validated before it has a type"];
  for (
    const asked of [
      "client.get",
      "this.#client.list",
      "caller.client.create",
      "client.inBackground().watch",
      "client.request",
    ]
  ) {
    assertEquals(messages(`${asked}<Pod>(PODS, "n", "p");`), expected, asked);
  }
  for (const asked of ["client.get", "client.get<KubeObject>", "client.list<object>", "map.get<Pod>", "get<Pod>"]) {
    assertEquals(messages(`${asked}(PODS, "n", "p");`), [], asked);
  }
  assertEquals(messages('client.get<Pod>(PODS, "n", "p");', "lib/example_test.ts"), []);
});

Deno.test("tiphys/json-is-unknown: reports parsed JSON that is used without validation", () => {
  const expected = ["Parsed JSON has an unknown shape until it is validated"];
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
  ) assertEquals(messages(source), expected, source);
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

Deno.test("tiphys/no-double-cast: reports a cast through unknown", () => {
  assertEquals(messages("const pod = value as unknown as Pod;"), [
    "A cast through `unknown` contradicts the compiler",
  ]);
  assertEquals(messages("const pod = value as Pod; const other = value as unknown;"), []);
  assertEquals(messages("const pod = value as unknown as Pod;", "tests/example.ts"), []);
});

Deno.test("tiphys/no-iterator-helpers: reports methods of iterators, which Node.js 20 lacks", () => {
  const expected = ["Node.js 20 has no methods of iterators"];
  for (const source of ["map.values().some((a) => a);", "text.matchAll(/a/g).map(([a]) => a);"]) {
    assertEquals(messages(source), expected, source);
  }
  for (const source of ["[...map.values()].some((a) => a);", "Object.values(a).map((b) => b);", "a.values().next();"]) {
    assertEquals(messages(source), [], source);
  }
});

Deno.test("tiphys/words-in-one-place: reports text in components and pages", () => {
  const expected = ["Texts for users belong in `ui/model/text/en`"];
  const of = (source: string, file = "ui/pages/example.tsx") => messages(source, file);
  for (
    const source of [
      "<p>Loading {name} …</p>;",
      "<p>{words.heading} yet</p>;",
      "<>runs</>;",
      '<p>{isEmpty ? "none" : count}</p>;',
      "<p>{at} of</p>;",
      '<p>{more > 0 && ", more"}</p>;',
      "<p>{`${first} to ${last}`}</p>;",
      '<input placeholder="name" />;',
      '<nav aria-label={isWide ? "pages" : words.pages} />;',
      '<td data-head="Next" />;',
      '<Dialog title={"Delete " + name} />;',
      '<SubmitLink word="Submit" />;',
      'const TOGGLE = { word: "Resume" };',
      'const KEYS = [["j", "The next run"]];',
      'setFault("Nothing was found");',
      'const BUTTON = "Terminate…";',
      "setProgress(`${done} of ${all}`);",
      "tell(`${name} will be deleted.`);",
      "tell(`Submit ${name}`);",
      'const asked = { name: "Select the run" };',
    ]
  ) {
    assertEquals(of(source), expected, source);
    assertEquals(of(source, "ui/components/run/example.tsx"), expected, source);
    assertEquals(of(source, "ui/pages/example_test.tsx"), [], source);
    assertEquals(of(source, "ui/model/text/en/example.tsx"), [], source);
    assertEquals(of(source, "tests/ui/example.tsx"), [], source);
  }
});

Deno.test("tiphys/words-in-one-place: reports sentences in the model, and errors that are shown to users", () => {
  const expected = ["Texts for users belong in `ui/model/text/en`"];
  for (
    const source of [
      'const TEXTS = { title: "You may not do this" };',
      "const text = `${node} failed with the message ${text}`;",
      'throw new ParquetError("its pages are too large");',
    ]
  ) {
    assertEquals(messages(source, "ui/model/run/example.ts"), expected, source);
    assertEquals(messages(source, "ui/model/run/example_test.ts"), [], source);
    assertEquals(messages(source, "ui/model/text/en/example.ts"), [], source);
  }
  for (
    const source of [
      'const LOOK = { word: "Running" };',
      'throw new Error("Expected one part at the end");',
      'valueOf(query, "with");',
    ]
  ) assertEquals(messages(source, "ui/model/run/example.ts"), [], source);
});

Deno.test("tiphys/words-in-one-place: ignores strings that are not shown", () => {
  for (
    const source of [
      'import { a } from "./the of.ts";',
      '<p class="muted number">{words.loading}</p>;',
      "<p>{count} / {all} · {name}: {text}</p>;",
      "<p>{`${name}, ${word}`}</p>;",
      '<p class={isOn ? "button primary" : "button"} />;',
      '<li id={`row-${index}`} role="option" aria-selected={at === index ? "true" : "false"} />;',
      '<a class="button" href="assets/schema.json" download="schema.json">{words.schemaLink}</a>;',
      "<pre>tiphys submit <span>examples/hello-world.yaml</span></pre>;",
      "<code>kubectl create token NAME</code>;",
      '<kbd>{isMac ? "⌘" : "Ctrl "}K</kbd>;',
      '<button aria-label={words.dismissButton} onClick={() => act("stop")}>✕</button>;',
      'const COMMANDS = ["tiphys list", "tiphys get @latest"];',
      'const kind: "of this" = place.kind === "run" ? "runs" : "crons";',
      'const KEYS = [["Ctrl K", words.searchAction]];',
      'element.closest("button, input, [tabindex]:not(main)");',
      'matchMedia("(max-width: 720px) or (print)");',
      "const short = `${text.slice(0, 60)}…`;",
      "const path = `M ${x} ${y}H${x2}L${y2} ${x}`;",
      "const path = `H${x - 6}Q${x} ${y} ${x2} ${y2}`;",
      'event.key === "ArrowDown";',
      'const page = { kind: "run", namespace: "default" };',
    ]
  ) assertEquals(messages(source, "ui/pages/example.tsx"), [], source);
});
