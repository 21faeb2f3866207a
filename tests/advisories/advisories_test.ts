import { assert, assertEquals } from "@std/assert";

/** The number of advisories that Argo has published. */
const PUBLISHED = 20;

const folder = new URL(".", import.meta.url).pathname;

/** The rows of the table in README.md: the advisory, the fault in Argo, and its tests. */
async function rows(): Promise<{ advisory: string; fault: string; tests: string }[]> {
  const text = await Deno.readTextFile(`${folder}README.md`);
  return text.split("\n").filter((line) => line.startsWith("| ")).slice(2).map((line) => {
    const [advisory = "", fault = "", tests = ""] = line.split("|").slice(1).map((cell) => cell.trim());
    return { advisory, fault, tests };
  });
}

Deno.test("advisories: the table has each published advisory once, with its fault and its tests", async () => {
  const all = await rows();
  assertEquals(new Set(all.map(({ advisory }) => advisory)).size, PUBLISHED);
  assertEquals(all.length, PUBLISHED);
  for (const { advisory, fault, tests } of all) {
    assert(/^(CVE-\d{4}-\d{4,5}|GHSA-[0-9a-z-]{4,})$/.test(advisory), advisory);
    assert(fault.length > 10 && tests.length > 5, advisory);
  }
});

Deno.test("advisories: each file in the table exists and names its advisory, and each test file is in the table", async () => {
  const named = new Set<string>();
  for (const { advisory, tests } of await rows()) {
    for (const [, file = ""] of tests.matchAll(/`([^`]+_test\.ts)`/g)) {
      const path = file.includes("/") ? new URL(`../../${file}`, import.meta.url).pathname : `${folder}${file}`;
      const text = await Deno.readTextFile(path);
      named.add(file);
      if (!file.includes("/")) assert(text.includes(advisory), `${file} names ${advisory}`);
      assert(text.includes("Deno.test("), file);
    }
    assert(tests.includes("`"), `${advisory} has a test`);
  }
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith("_test.ts"));
  assertEquals(files.filter((name) => !named.has(name)), ["advisories_test.ts"]);
});
