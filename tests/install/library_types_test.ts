/** The types of the npm package's exports, compared with the functions that it exports. */
import { assertEquals } from "@std/assert";
import type * as publishedLint from "../../cli/npm/lint.d.ts";
import type * as publishedSimulate from "../../cli/npm/simulate.d.ts";
import { simulate, SimulationError, validate } from "../../mod.ts";

const simulated: typeof publishedSimulate.simulate = simulate;
const { lintFile, lintFiles }: typeof publishedLint = validate;

Deno.test("npm package: its types describe the functions that it exports", async () => {
  const workflow = "{apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: w}, spec: {entrypoint: main}}";
  assertEquals(lintFiles([{ name: "w.yaml", text: workflow }]), lintFile(workflow, "w.yaml"));
  const error = await simulated(workflow).then(() => undefined, (reason) => reason);
  assertEquals(error instanceof SimulationError, true);
});
