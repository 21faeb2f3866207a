import { assertEquals } from "@std/assert";
import { simulate } from "../../simulate/mod.ts";
import { formulateResubmit } from "@tiphys/engine/workflow_actions";

/** The templates that contain a task that fails for item 2: loops, DAGs, steps and retries. */
const SHAPES: Readonly<Record<string, string>> = {
  "a DAG in a loop of a DAG": `
  - { name: main, dag: { tasks: [{ name: l, template: inner, ITEMS }, { name: after, template: ok, depends: l }] } }
  - { name: inner, INPUTS, dag: { tasks: [{ name: a, template: ok }, { name: b, template: work, depends: a, I }, { name: c, template: ok, depends: b }] } }`,
  "steps in a loop of a DAG": `
  - { name: main, dag: { tasks: [{ name: l, template: inner, ITEMS }, { name: after, template: ok, depends: l }] } }
  - { name: inner, INPUTS, steps: [[{ name: a, template: ok }], [{ name: b, template: work, I }], [{ name: c, template: ok }]] }`,
  "a DAG in a loop of steps": `
  - { name: main, steps: [[{ name: l, template: inner, ITEMS }], [{ name: after, template: ok }]] }
  - { name: inner, INPUTS, dag: { tasks: [{ name: a, template: ok }, { name: b, template: work, depends: a, I }, { name: c, template: ok, depends: b }] } }`,
  "a DAG with retries in a loop": `
  - { name: main, dag: { tasks: [{ name: l, template: inner, ITEMS }, { name: after, template: ok, depends: l }] } }
  - { name: inner, retryStrategy: { limit: 1 }, INPUTS, dag: { tasks: [{ name: a, template: ok }, { name: b, template: work, depends: a, I }, { name: c, template: ok, depends: b }] } }`,
};

function workflow(templates: string): string {
  return `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w, generateName: w- }
spec:
  entrypoint: main
  onExit: ok
  templates:${
    templates
      .replaceAll("ITEMS", `withItems: [1, 2], arguments: { parameters: [{ name: i, value: "{{item}}" }] }`)
      .replaceAll("INPUTS", "inputs: { parameters: [{ name: i }] }")
      .replaceAll(/\bI\b/g, `arguments: { parameters: [{ name: i, value: "{{inputs.parameters.i}}" }] }`)
  }
  - { name: ok, container: { image: busybox, command: ["true"] } }
  - { name: work, inputs: { parameters: [{ name: i }] }, container: { image: busybox, command: [work, "{{inputs.parameters.i}}"] } }
`;
}

for (const [shape, templates] of Object.entries(SHAPES)) {
  Deno.test(`resubmit --memoized: ${shape} runs the failed nodes and their successors`, async () => {
    const work = ({ inputs }: { readonly inputs: { readonly parameters: Readonly<Record<string, string>> } }) =>
      inputs.parameters.i === "2" ? { exitCode: 1 } : {};
    const failed = await simulate(workflow(templates), { templates: { work } });
    assertEquals(failed.phase, "Failed");
    const again = formulateResubmit(failed.workflow, { memoized: { suffix: "x" } }, new Date("2026-01-02T00:00:00Z"));
    const run = await simulate({ ...again, apiVersion: "argoproj.io/v1alpha1", kind: "Workflow" });
    assertEquals([run.phase, run.message], ["Succeeded", ""]);
    assertEquals(run.calls().map(({ node }) => node), ["b", "c", "after", "w-x.onExit"]);
  });
}
