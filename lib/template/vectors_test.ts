/**
 * The golden vectors of the template language: every kind that is not the expression language's own.
 * `VECTORS` names the folder; without it the folder beside this checkout is read, and where there is none the tests
 * are skipped.
 */
import { CRON } from "./testing/cron.ts";
import { DAG } from "./testing/dag.ts";
import { LOOPS } from "./testing/loops.ts";
import { NAMES } from "./testing/names.ts";
import { WHEN } from "./testing/when.ts";
import { SCOPES } from "./testing/scopes.ts";
import { SELECTORS } from "./testing/selectors.ts";
import { TAGS } from "./testing/tags.ts";
import { readGoldenVectors } from "../testing/golden_vectors.ts";
import type { Check, Vector } from "./testing/vector.ts";

const CHECKS: Record<string, Check> = {
  ...NAMES,
  ...WHEN,
  ...DAG,
  ...TAGS,
  ...LOOPS,
  ...SCOPES,
  ...CRON,
  ...SELECTORS,
};

const vectors = readGoldenVectors<Vector>();
const counts: string[] = [];

for (const [kind, check] of Object.entries(CHECKS)) {
  if (vectors === undefined) {
    Deno.test({ name: `golden vectors of kind ${kind} pass (skipped: there are none)`, ignore: true, fn() {} });
    continue;
  }
  const all = vectors.filter((vector) => vector.kind === kind);
  Deno.test(`all ${all.length} golden vectors of kind ${kind} pass`, () => {
    const failures: string[] = [];
    for (const vector of all) {
      try {
        check(vector);
      } catch (error) {
        failures.push(`${vector.id}: ${error instanceof Error ? error.message : error}`);
      }
    }
    counts.push(`${all.length - failures.length}/${all.length} ${kind}`);
    if (failures.length > 0) throw new Error(`${failures.length} differ:\n${failures.slice(0, 10).join("\n")}`);
    if (all.length === 0) throw new Error(`Found no vectors of kind ${kind}`);
  });
}

Deno.test({
  name: "the golden vectors are counted",
  ignore: vectors === undefined,
  fn() {
    console.log(counts.join("\n"));
    if (counts.length !== Object.keys(CHECKS).length) throw new Error("Some kinds were not reached");
  },
});
