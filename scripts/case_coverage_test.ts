import { assertEquals } from "@std/assert";
import { coverageOf, missingProofs, namedCases, unprovenCases } from "./case_coverage.ts";

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

const TABLE = {
  "AB-1": { says: "Proven.", tests: [["a_test.ts", "one of them"]] },
  "AB-2": { says: "Proven by data.", tests: [["one.txt"]] },
  "AB-3": { says: "Explained.", lacks: "nobody could" },
} as const;

const FILES: Readonly<Record<string, string>> = {
  "a_test.ts": 'Deno.test("only one of them is there", () => {});\n// no title of another of them',
  "one.txt": "pass",
};

const read = async (file: string) => await Promise.resolve(FILES[file] ?? Promise.reject(new Error("no file")));

Deno.test("unprovenCases() finds the cases that have neither a test nor a reason", () => {
  assertEquals(unprovenCases(TABLE), []);
  assertEquals(unprovenCases({ ...TABLE, "AB-4": { says: "Hoped for." }, "AB-5": { says: "So.", tests: [] } }), [
    "AB-4",
    "AB-5",
  ]);
});

Deno.test("missingProofs() finds titles and files that are not there, and takes no comment for a title", async () => {
  assertEquals(await missingProofs(TABLE, read), []);
  const found = await missingProofs({
    "AB-6": { says: "Gone.", tests: [["a_test.ts", "another of them"], ["two.txt"], ["b_test.ts", "x"]] },
  }, read);
  assertEquals(found, [
    'AB-6: no title of a_test.ts has the words "another of them"',
    "AB-6: there is no two.txt",
    "AB-6: there is no b_test.ts",
  ]);
});
