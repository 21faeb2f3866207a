import { assertEquals } from "@std/assert";
import type { TemplateLookup } from "./context.ts";
import { main, problems, STEP, workflow } from "./testing/workflows.ts";
import { validateWorkflow } from "./workflow.ts";

const shared = workflow(`templates:
- name: greet
  inputs: {parameters: [{name: who}]}
  container: {image: i, args: ["{{inputs.parameters.who}} {{inputs.parameters.typo}}"]}`);

const lookup: TemplateLookup = {
  workflowTemplate: (name) => name === "shared" ? shared : undefined,
  clusterWorkflowTemplate: () => undefined,
};

Deno.test("validateWorkflow: follows references to other documents and reports their errors at the reference", () => {
  const spec = main(
    "steps: [[{name: a, templateRef: {name: shared, template: greet}, arguments: {parameters: [{name: who, value: x}]}}]]",
  );
  assertEquals(problems(spec, lookup), [
    `${STEP}: templates.main.steps[0].a templates.greet: failed to resolve {{inputs.parameters.typo}}`,
  ]);
});

Deno.test("validateWorkflow: a missing reference is an error unless missing ones are allowed", () => {
  const spec = main("steps: [[{name: a, templateRef: {name: other, template: greet}}]]");
  assertEquals(problems(spec, lookup), [
    `${STEP}.templateRef: templates.main.steps[0].a template reference other.greet not found`,
  ]);
  assertEquals(problems(spec, { ...lookup, allowMissing: true }), []);
  assertEquals(problems(spec), []);
});

Deno.test("validateWorkflow: checks a workflow with a template reference against the template's arguments", () => {
  assertEquals(
    problems("workflowTemplateRef: {name: shared}\nentrypoint: greet", lookup),
    [
      "spec: templates.greet inputs.parameters.who was not supplied",
      "spec: templates.greet: failed to resolve {{inputs.parameters.typo}}",
    ].toReversed(),
  );
});

Deno.test("validateWorkflow: checks a workflow with a template reference as stored, merged or not", () => {
  const merged = workflow(
    "workflowTemplateRef: {name: gone}\nentrypoint: a\ntemplates: [{name: a, container: {image: i}}]",
  );
  assertEquals(validateWorkflow({ ...merged, status: { storedWorkflowTemplateSpec: merged.spec } }, lookup), []);
  const { workflowTemplateRef } = merged.spec;
  const stored = { ...merged, spec: { workflowTemplateRef }, status: { storedWorkflowTemplateSpec: merged.spec } };
  assertEquals(validateWorkflow(stored), []);
});
