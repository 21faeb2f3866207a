import { assert, assertEquals } from "@std/assert";

/** The number of advisories that Argo has published. */
const PUBLISHED = 20;

const folder = new URL(".", import.meta.url).pathname;

/** The rows of the table: the advisory, what it was, and where its test is. */
async function rows(): Promise<{ advisory: string; was: string; here: string }[]> {
  const text = await Deno.readTextFile(`${folder}README.md`);
  return text.split("\n").filter((line) => line.startsWith("| ")).slice(2).map((line) => {
    const [advisory = "", was = "", here = ""] = line.split("|").slice(1).map((cell) => cell.trim());
    return { advisory, was, here };
  });
}

Deno.test("the table has each published advisory once, with a sentence and a place", async () => {
  const all = await rows();
  assertEquals(new Set(all.map(({ advisory }) => advisory)).size, PUBLISHED);
  assertEquals(all.length, PUBLISHED);
  for (const { advisory, was, here } of all) {
    assert(/^(CVE-\d{4}-\d{4,5}|GHSA-[0-9a-z-]{4,})$/.test(advisory), advisory);
    assert(was.length > 10 && here.length > 5, advisory);
  }
});

Deno.test("each file that the table names is there, has a test of that advisory, and each test is in the table", async () => {
  const named = new Set<string>();
  for (const { advisory, here } of await rows()) {
    for (const [, file = ""] of here.matchAll(/`([^`]+_test\.ts)`/g)) {
      const path = file.includes("/") ? new URL(`../../${file}`, import.meta.url).pathname : `${folder}${file}`;
      const text = await Deno.readTextFile(path);
      named.add(file);
      if (!file.includes("/")) assert(text.includes(advisory), `${file} names ${advisory}`);
      assert(text.includes("Deno.test("), file);
    }
    assert(/`|with /.test(here), `${advisory} has a test, or says with what it comes`);
  }
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith("_test.ts"));
  assertEquals(files.filter((name) => !named.has(name)), ["advisories_test.ts"]);
});
