import { assert, assertEquals } from "@std/assert";
import { CASES } from "../lib/artifact/testing/contract/mod.ts";
import { ARTIFACT_CASES } from "./artifact_cases.ts";

const ROOT = new URL("../", import.meta.url);

/** `AR-50` of `AR-50b`. */
const numberOf = (id: string) => id.replace(/[a-z]$/, "");

/** The lines of a source that hold the title of a test: at its call, or alone where that takes several lines. */
function titlesIn(source: string): string[] {
  return source.split("\n").filter((line) => /Deno\.test\(\s*["`]|^\s*(?:name: |\.\.\.needs\(.*, )?["`]/.test(line));
}

Deno.test("every case of artifacts is asked somewhere, or says why not", () => {
  for (const [id, { contract, tests, lacks }] of Object.entries(ARTIFACT_CASES)) {
    assert(contract || tests?.length || lacks, `${id} is asked nowhere and says nothing of it`);
  }
});

Deno.test("the cases of the contract of drivers are those that the table says it asks", () => {
  const asked = new Set(CASES.map(({ id }) => numberOf(id)));
  // White space around secrets is in every server's secrets; the others have cases of their own number.
  const said = Object.entries(ARTIFACT_CASES).filter(([id, { contract }]) => contract && id !== "AR-36").map(([id]) =>
    id
  );
  assertEquals(said.toSorted(), [...asked].toSorted());
});

Deno.test("the tests that the table names are there", async () => {
  const known = new Map<string, readonly string[]>();
  for (const [id, { tests = [] }] of Object.entries(ARTIFACT_CASES)) {
    for (const [file, words] of tests) {
      const titles = known.get(file) ?? titlesIn(await Deno.readTextFile(new URL(file, ROOT)));
      known.set(file, titles);
      assert(
        titles.some((title) => title.includes(words)),
        `${id}: no title of ${file} has the words ${JSON.stringify(words)}`,
      );
    }
  }
});
