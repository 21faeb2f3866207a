/** Workflows in YAML for the tests of the validation, and their errors. */
import { assertEquals } from "@std/assert";
import { formatFieldError, parseWorkflow, type Workflow } from "@tiphys/model/api";
import { parseYaml } from "@tiphys/model/yaml";
import type { TemplateLookup } from "../context.ts";
import { validateWorkflow } from "../workflow.ts";

/** Parses a spec from YAML; `echo` has a parameter `text`, `work` has no inputs. */
export function workflow(spec: string): Workflow {
  const [document] = parseYaml(`metadata: {name: w}\nspec:\n${spec.replace(/^/gm, "  ")}`);
  assertEquals(document?.errors, []);
  const parsed = parseWorkflow(document?.value);
  if (!parsed.ok) throw new Error(parsed.errors.map(formatFieldError).join("\n"));
  return parsed.value;
}

export function problems(spec: string, lookup?: TemplateLookup): string[] {
  return validateWorkflow(workflow(spec), lookup).map(formatFieldError);
}

/** A workflow whose entry template has this body. */
export function main(body: string): string {
  return `entrypoint: main
templates:
- name: main
${body.replace(/^/gm, "  ")}
- name: work
  script: {image: i, source: x}
- name: echo
  inputs: {parameters: [{name: text}]}
  outputs: {parameters: [{name: said, valueFrom: {path: /tmp/said}}]}
  container: {image: i, args: ["{{inputs.parameters.text}}"]}
`;
}

export const STEP = "spec.templates[0].steps[0][0]";
export const TASK = "spec.templates[0].dag.tasks[1]";

export const INPUT = "spec.templates[0].inputs.artifacts[0]";
export const IN = "templates.a.inputs.artifacts.x";

/** A template whose input artifact has these fields. */
export function input(fields: string): string {
  return `entrypoint: a\ntemplates: [{name: a, container: {image: i}, inputs: {artifacts: [{name: x, path: /x, ${fields}}]}}]`;
}

/** A template whose output artifact has these fields. */
export function output(fields: string): string {
  return `entrypoint: a\ntemplates: [{name: a, container: {image: i}, outputs: {artifacts: [{name: x, path: /x, ${fields}}]}}]`;
}

/** Tests that each workflow is rejected with its one error. */
export function testRejected(rows: readonly (readonly [what: string, spec: string, problem: string])[]): void {
  for (const [what, spec, problem] of rows) {
    Deno.test(`validateWorkflow: rejects ${what}`, () => assertEquals(problems(spec), [problem]));
  }
}

/** Tests that each workflow is accepted. */
export function testAccepted(rows: readonly (readonly [what: string, spec: string])[]): void {
  for (const [what, spec] of rows) {
    Deno.test(`validateWorkflow: accepts ${what}`, () => assertEquals(problems(spec), []));
  }
}
