/** The types of the npm package's exports, compared with those of the library. */
import { assertEquals } from "@std/assert";
import type * as publishedLint from "../../cli/npm/lint.d.ts";
import type * as publishedSimulate from "../../cli/npm/simulate.d.ts";
import {
  type Answer,
  type Run,
  type RunNode,
  simulate,
  type SimulateOptions,
  SimulationError,
  type TemplateCall,
  validate,
} from "../../mod.ts";

const simulated: typeof publishedSimulate.simulate = simulate;
const { lintFile, lintFiles }: typeof publishedLint = validate;

/** The fields that only one of two types has. */
type Difference<A, B> = Missing<A, B> | Missing<B, A>;
type Missing<A, B> = Exclude<keyof A, keyof B>;

type Problem = ReturnType<typeof validate.lintFile>[number];
type LintOptions = NonNullable<Parameters<typeof validate.lintFile>[2]>;

/** Fails to type-check if fields of the published types differ from those of the library; the error names them. */
const DIFFERENCES: Record<
  | Difference<publishedSimulate.Answer, Answer>
  | Difference<publishedSimulate.Run, Run>
  | Difference<publishedSimulate.RunNode, RunNode>
  | Difference<publishedSimulate.RunOutputs, RunNode["outputs"]>
  | Difference<publishedSimulate.SimulateOptions, SimulateOptions>
  | Difference<publishedSimulate.TemplateCall, TemplateCall>
  // The linter has more fields, for editors and programs of Tiphys.
  | Missing<publishedLint.LintOptions, LintOptions>
  | Missing<publishedLint.Problem, Problem>,
  never
> = {};

Deno.test("npm package: the types describe the exported functions", async () => {
  const workflow = "{apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: w}, spec: {entrypoint: main}}";
  assertEquals(lintFiles([{ name: "w.yaml", text: workflow }]), lintFile(workflow, "w.yaml"));
  const error = await simulated(workflow).then(() => undefined, (reason) => reason);
  assertEquals(error instanceof SimulationError, true);
  assertEquals(DIFFERENCES, {});
});
