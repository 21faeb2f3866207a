import { assertEquals } from "@std/assert";
import { coverageOf, namedCases, problemsOf } from "./case_coverage.ts";

Deno.test("namedCases() finds the ids at the ends of titles, in whatever quotes, several in one too", () => {
  const source = `
    Deno.test("one (AB-01)", () => {});
    Deno.test(\`two \${name} (AB-02, AB-03)\`, () => {});
    ["three (AB-04)", 1],
    { title: 'four (AB-05)' },
  `;
  assertEquals(namedCases(source), ["AB-01", "AB-02", "AB-03", "AB-04", "AB-05"]);
});

Deno.test("namedCases() does not take a mention for a proof", () => {
  assertEquals(namedCases('// see (AB-01)\nDeno.test("AB-02 is (AB-03) nearly", () => {});'), []);
});

Deno.test("coverageOf() tells what is covered, what is missing, and what is on no list", () => {
  const found = coverageOf(["AB-01", "AB-02"], ['"first (AB-02, AB-07)"', '"another list (CD-01)"']);
  assertEquals(found, { covered: ["AB-02"], missing: ["AB-01"], unknown: ["AB-07"] });
});

Deno.test("problemsOf() tells of cases that nothing asks and nothing explains, and of titles that are not there", async () => {
  const root = new URL("./", import.meta.url);
  const file = "case_coverage_test.ts";
  const call = `await ${problemsOf.name}({`;
  const problems = await problemsOf({
    "AB-01": { says: "asked", tests: [[file, "coverageOf() tells what is covered"]] },
    "AB-02": { says: "explained", lacks: "nobody can ask it" },
    "AB-03": { says: "forgotten" },
    "AB-04": { says: "in a body", tests: [[file, call]] },
    "AB-05": { says: "no such file", tests: [["nothing.ts", "x"], ["nothing.txt"]] },
    "AB-06": { says: "asked by data", tests: [["README.md"]] },
  }, root);
  assertEquals(problems, [
    "AB-03 is asked nowhere and says nothing of it",
    `AB-04: no title of case_coverage_test.ts has the words "${call}"`,
    "AB-05: there is no nothing.ts",
    "AB-05: there is no nothing.txt",
  ]);
});
