import { assertEquals } from "@std/assert";
import { coverageOf, namedCases } from "./case_coverage.ts";

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
