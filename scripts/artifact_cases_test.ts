import { assertEquals } from "@std/assert";
import { CASES } from "../lib/artifacts/testing/contract/mod.ts";
import { ARTIFACT_CASES } from "./artifact_cases/mod.ts";
import { problemsOf } from "./case_coverage.ts";

const ROOT = new URL("../", import.meta.url);

/** `AR-50` of `AR-50b`. */
const numberOf = (id: string) => id.replace(/[a-z]$/, "");

Deno.test("ARTIFACT_CASES: each case has an existing test, or a reason why it is untested", async () => {
  const contract = "a requirement of the contract is not a case of this test";
  const cases = Object.entries(ARTIFACT_CASES).map((
    [id, artifactCase],
  ) => [id, artifactCase.contract ? { lacks: contract, ...artifactCase } : artifactCase]);
  assertEquals(await problemsOf(Object.fromEntries(cases), ROOT), []);
});

Deno.test("ARTIFACT_CASES: the cases of the driver contract are those that are marked as such", () => {
  const contractCases = new Set(CASES.map(({ id }) => numberOf(id)));
  // White space around secrets occurs in every server's tests; the others have their own numbers.
  const markedCases = Object.entries(ARTIFACT_CASES).filter(([id, { contract }]) => contract && id !== "AR-36").map((
    [id],
  ) => id);
  assertEquals(markedCases.toSorted(), [...contractCases].toSorted());
});
