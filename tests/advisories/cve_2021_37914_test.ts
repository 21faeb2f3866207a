/** The controller evaluated values of parameters and outputs of steps as expressions. */
import { assertEquals } from "@std/assert";
import { simulate } from "../../simulate/mod.ts";

const TEMPLATE = `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: greeting }
spec:
  entrypoint: main
  arguments: { parameters: [{ name: whom }] }
  templates:
  - name: main
    steps:
    - - { name: make, template: make }
    - - name: greet
        template: greet
        arguments:
          parameters:
          - { name: chosen, value: "{{workflow.parameters.whom}}" }
          - { name: printed, value: "{{steps.make.outputs.result}}" }
  - name: make
    script: { image: i, command: [sh], source: make }
  - name: greet
    inputs: { parameters: [{ name: chosen }, { name: printed }] }
    container: { image: i, command: [echo, "{{inputs.parameters.chosen}}", "{{inputs.parameters.printed}}"] }
`;

for (
  const text of [
    "{{=1+1}}",
    "{{= sprig.env('HOME') }}",
    "{{workflow.name}}",
    "{{=workflow.name}} {{inputs.parameters.chosen}}",
  ]
) {
  Deno.test(`CVE-2021-37914: a parameter and an output with the value ${text} reach the command unchanged`, async () => {
    let command: readonly string[] = [];
    const workflow = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name: "wf" },
      spec: { workflowTemplateRef: { name: "greeting" }, arguments: { parameters: [{ name: "whom", value: text }] } },
    };
    const { phase } = await simulate(workflow, {
      objects: [TEMPLATE],
      templates: {
        make: () => ({ result: text }),
        greet: ({ pod }) => {
          const main = pod?.spec.containers.find(({ name }) => name === "main");
          command = [...main?.command ?? [], ...main?.args ?? []].slice(-2);
          return {};
        },
      },
    });
    assertEquals([phase, ...command], ["Succeeded", text, text]);
  });
}
