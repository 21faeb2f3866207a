import { assertEquals } from "@std/assert";
import { phrasesOf } from "./check_voice.ts";

const found = (path: string, text: string) => phrasesOf(path, text).map(({ line, phrase }) => `${line}: ${phrase}`);

Deno.test("phrasesOf: checks comments, also where a phrase spans lines", () => {
  assertEquals(
    found("a.ts", "/**\n * A pass is tried\n * anew, and then goes\n * on.\n */\nconst anew = 1; // is no key"),
    [
      "3: anew",
      "3: goes on",
      "6: is no key",
    ],
  );
});

Deno.test("phrasesOf: checks the first words of comments and test titles", () => {
  const text =
    '/** What a pod needs. */\n// How many pods to start.\nDeno.test("those who wait", f);\nDeno.test("Who waits", f);';
  assertEquals(found("a_test.ts", text), ["1: What …", "2: How …", "4: Who …"]);
});

Deno.test("phrasesOf: checks titles that are data, in any file", () => {
  const text = `const rows = [{ title: "what runs" }, { title: "What goes on", text: "put out" }];
const cases = { async "a lock is told"(bench) {}, async go() { return "is none"; } };
Deno.test({ ...needs("Linux", isLinux, "the lock lets go"), fn });`;
  assertEquals(found("testing/contract.ts", text), ["1: What …", "1: goes on", "2: told", "3: lets go"]);
});

Deno.test("phrasesOf: checks messages, not other strings, and not the expected messages of tests", () => {
  const text = 'throw new UserError(`${place}: is none`);\nlog.warn("pod let go", { pod });\nconst key = "put out";';
  assertEquals(found("a.ts", text), ["1: is none", "2: let go"]);
  assertEquals(found("a_test.ts", text), []);
});

Deno.test("phrasesOf: checks the names of types", () => {
  assertEquals(found("a.ts", "interface Asked {}\nexport type PodsFound = 1;\ntype Feed = 2;\nclass Speed {}"), [
    "1: Asked",
    "2: PodsFound",
  ]);
});

Deno.test("phrasesOf: checks Markdown without its code, and leaves headings alone", () => {
  assertEquals(found("a.md", "# What it does\n\n`put out`\n\n```\nput out\n```\n\nEverything is told twice.\n"), [
    "9: told",
  ]);
});

Deno.test("phrasesOf: accepts standard English that resembles a phrase", () => {
  assertEquals(found("a.ts", "// There is no pod. It is no longer there. It is over 5 MB. See the look-ahead."), []);
});
