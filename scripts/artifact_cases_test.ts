import { assertEquals } from "@std/assert";
import { CASES } from "../lib/artifacts/testing/contract/mod.ts";
import { ARTIFACT_CASES } from "./artifact_cases.ts";
import { problemsOf } from "./case_coverage.ts";

const ROOT = new URL("../", import.meta.url);

/** `AR-50` of `AR-50b`. */
const numberOf = (id: string) => id.replace(/[a-z]$/, "");

Deno.test("every case of artifacts is asked somewhere, or says why not; the tests that the table names are there", async () => {
  const contract = "what the contract asks is no case of this test";
  const cases = Object.entries(ARTIFACT_CASES).map((
    [id, one],
  ) => [id, one.contract ? { lacks: contract, ...one } : one]);
  assertEquals(await problemsOf(Object.fromEntries(cases), ROOT), []);
});

Deno.test("the cases of the contract of drivers are those that the table says it asks", () => {
  const asked = new Set(CASES.map(({ id }) => numberOf(id)));
  // White space around secrets is in every server's secrets; the others have cases of their own number.
  const said = Object.entries(ARTIFACT_CASES).filter(([id, { contract }]) => contract && id !== "AR-36").map(([id]) =>
    id
  );
  assertEquals(said.toSorted(), [...asked].toSorted());
});
