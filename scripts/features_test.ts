import { assertEquals } from "@std/assert";
import { type CoveredCase, problemsOf } from "./case_coverage.ts";
import { FEATURES, testsOf } from "./features/mod.ts";

const ROOT = new URL("../", import.meta.url);

Deno.test("features: every row has tests that exist, or is absent with a reason", async () => {
  const rows = Object.values(FEATURES).flatMap((area) => Object.entries(area)).map(
    ([name, { verdict, note, proofs }]) => {
      const lacks = verdict === "absent" && note !== "" ? note : undefined;
      const row: CoveredCase = { behavior: name, tests: proofs.flatMap(testsOf), ...(lacks && { lacks }) };
      return [name, row] as const;
    },
  );
  assertEquals(await problemsOf(Object.fromEntries(rows), ROOT), []);
});

Deno.test("features: every row that differs from Argo has a note", () => {
  const silent = Object.values(FEATURES).flatMap((area) => Object.entries(area))
    .filter(([, { verdict, note }]) => verdict !== "same" && note === "");
  assertEquals(silent, []);
});
