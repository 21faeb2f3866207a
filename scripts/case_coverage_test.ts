import { assertEquals } from "@std/assert";
import { coverageOf, namedCases, problemsOf, titlesIn } from "./case_coverage.ts";

Deno.test("namedCases: finds one or more IDs at the end of a title, in any quotes", () => {
  const source = `
    Deno.test("one (AB-01)", () => {});
    Deno.test(\`two \${name} (AB-02, AB-03)\`, () => {});
    title: "three (AB-04)",
    name:
      "four (AB-05)",
  `;
  assertEquals(namedCases(source), ["AB-01", "AB-02", "AB-03", "AB-04", "AB-05"]);
});

Deno.test("namedCases: ignores IDs in comments and in other strings", () => {
  assertEquals(namedCases('// see (AB-01)\nDeno.test("AB-02 is (AB-03) nearly", () => {});'), []);
  assertEquals(
    namedCases('const gone = [\n  "of a test that is gone (AB-01)",\n];\nconst words = "more (AB-02)";'),
    [],
  );
});

Deno.test("coverageOf: returns covered, missing and unknown cases", () => {
  const found = coverageOf(["AB-01", "AB-02"], [
    'Deno.test("first (AB-02, AB-07)"',
    'Deno.test("another list (CD-01)"',
  ]);
  assertEquals(found, { covered: ["AB-02"], missing: ["AB-01"], unknown: ["AB-07"] });
});

Deno.test("problemsOf: reports cases without test and reason, and missing titles", async () => {
  const root = new URL("./", import.meta.url);
  const file = "case_coverage_test.ts";
  const call = `await ${problemsOf.name}({`;
  const problems = await problemsOf({
    "AB-01": { behavior: "asked", tests: [[file, "coverageOf: returns covered"]] },
    "AB-02": { behavior: "explained", lacks: "nobody can ask it" },
    "AB-03": { behavior: "forgotten" },
    "AB-04": { behavior: "in a body", tests: [[file, call]] },
    "AB-05": { behavior: "no such file", tests: [["nothing.ts", "x"], ["nothing.txt"]] },
    "AB-06": { behavior: "asked by data", tests: [["README.md"]] },
  }, root);
  assertEquals(problems, [
    "AB-03 has neither a test nor a reason",
    `AB-04: no title of case_coverage_test.ts has the words "${call}"`,
    "AB-05: no file nothing.ts",
    "AB-05: no file nothing.txt",
  ]);
});

Deno.test("titlesIn: finds titles on the line of their call or alone below it", () => {
  const source = `
    Deno.test("one line", () => {});
    Deno.test(
      "below the call",
      () => {},
    );
    Deno.test({ ...needs("git", hasGit, "of a program"), fn: () => {} });
      ...needs(
        "python3",
        await hasPython(),
        "third below needs",
      ),
      ...postgresql!.test(
        "below a database's test",
      ),
    for (const one of all) {
      await t.step(
        \`a step \${one}\`,
      );
    }
    export const CASES = [
      {
        title: "a scenario's",
      },
      {
        name:
          "below its key",
      },
      journey(
        "UI-01 a journey",
      ),
    ];
    const promises = {
      async "a promise"(store) {},
    };
  `;
  const lines = titlesIn(source).join("\n");
  for (
    const title of [
      "one line",
      "below the call",
      "third below needs",
      "below a database's test",
      "a step",
      "a scenario's",
      "below its key",
      "UI-01 a journey",
      "a promise",
    ]
  ) assertEquals(lines.includes(title), true, title);
});

Deno.test("titlesIn: ignores strings in lists, nested calls and comments", () => {
  const source = `
    // Deno.test("taken out", () => {});
    const texts = [
      "first of a list",
      "second of a list",
    ];
    Deno.test(
      "the title",
      () => {
        assertEquals(
          "of a call within",
          \`and its second\`,
        );
      },
    );
    ...needs(
      "what it needs",
      isThere,
      "the title of needs",
      "behind the title",
    ),
  `;
  assertEquals(titlesIn(source).map((line) => line.trim()), ['"the title",', '"the title of needs",']);
});
