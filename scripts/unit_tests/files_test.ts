import { assert, assertEquals } from "@std/assert";
import { batchesOf, testFiles } from "./files.ts";
import { LONG_TESTS } from "./long_tests.ts";
import { isOfPage } from "./sharing.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FILES = Array.from({ length: 200 }, (_, index) => `file_${index}_test.ts`);

Deno.test("batchesOf: every file is in one batch, and urgent files are in the first", () => {
  const batches = batchesOf(FILES, { urgent: new Set(["file_7_test.ts", "other_test.ts"]), millis: 5000 });
  assertEquals(batches[0], ["file_7_test.ts"]);
  assertEquals(batches.flat().toSorted(), FILES.toSorted());
  assert(batches.length > 2);
});

Deno.test("batchesOf: tests of components have separate batches, after all urgent files", () => {
  const pages = FILES.map((file) => `${file}x`);
  const urgent = new Set(["file_7_test.ts", "file_8_test.tsx"]);
  const batches = batchesOf([...FILES, ...pages], { urgent, millis: 5000 });
  assertEquals(batches.slice(0, 2).toSorted(), [["file_7_test.ts"], ["file_8_test.tsx"]]);
  for (const batch of batches) assertEquals(new Set(batch.map(isOfPage)).size, 1);
  assertEquals(batches.flat().toSorted(), [...FILES, ...pages].toSorted());
});

Deno.test("batchesOf: a seed gives a random order, the same for the same seed", () => {
  const of = (seed: number) => batchesOf(FILES, { urgent: new Set(), millis: 5000, seed });
  assertEquals(of(1), of(1));
  assertEquals(of(1).flat().toSorted(), FILES.toSorted());
  assert(of(1).flat().join() !== of(2).flat().join());
});

Deno.test("testFiles: lists test files and files with examples, below the given paths", async () => {
  const files = await testFiles(ROOT, ["scripts/unit_tests", "./docs/testing.md"]);
  assert(files.includes("scripts/unit_tests/files_test.ts"));
  assert(files.includes("docs/testing.md"));
  assertEquals(files.filter((file) => !/^(scripts\/unit_tests\/|docs\/testing\.md$)/.test(file)), []);
});

Deno.test("LONG_TESTS: names test files that exist", async () => {
  const files = new Set(await testFiles(ROOT, []));
  assertEquals(Object.keys(LONG_TESTS).filter((file) => !files.has(file)), []);
});
