import { assertEquals } from "@std/assert";
import { VARIABLES } from "../controller/config/environment.ts";
import { CONTROLLER_SETTINGS } from "@tiphys/model/api";
import { BUILT_IN_METRICS } from "@tiphys/base/metrics";
import { problemsOf } from "./case_coverage.ts";
import { ENGINE_CASES, KEY_CASES, METRIC_CASES, VARIABLE_CASES } from "./engine_cases/mod.ts";

const ROOT = new URL("../", import.meta.url);

const TABLES = {
  "of the engine": ENGINE_CASES,
  "of the ConfigMap": KEY_CASES,
  "of the environment": VARIABLE_CASES,
  "of metrics": METRIC_CASES,
};

for (const [which, cases] of Object.entries(TABLES)) {
  Deno.test(`engine cases: each case ${which} has an existing test, or a reason why it is untested`, async () => {
    assertEquals(await problemsOf(cases, ROOT), []);
  });
}

Deno.test("engine cases: each key of the ConfigMap, environment variable and metric of the controller has a case", () => {
  assertEquals(Object.keys(KEY_CASES).toSorted(), Object.keys(CONTROLLER_SETTINGS).toSorted());
  assertEquals(Object.keys(VARIABLE_CASES).toSorted(), Object.keys(VARIABLES).toSorted());
  const metrics = BUILT_IN_METRICS.map(({ name }) => name);
  assertEquals(Object.keys(METRIC_CASES).toSorted(), metrics.toSorted());
});
