import { assertEquals } from "@std/assert";
import type { WorkflowSpec } from "@tiphys/model/api";
import { unknownParameters } from "./unknown_parameters.ts";

const BASE: WorkflowSpec = {
  entrypoint: "main",
  arguments: { parameters: [{ name: "epochs", value: "1" }] },
  templates: [
    { name: "main", inputs: { parameters: [{ name: "start" }] }, steps: [] },
    {
      name: "other",
      inputs: { parameters: [{ name: "inner" }] },
      container: { args: ["{{workflow.parameters.rate}}"] },
    },
  ],
};

const REFERRED: WorkflowSpec = { workflowTemplateRef: { name: "base" } };
const TEMPLATES = [{ kind: "WorkflowTemplate", metadata: { name: "base" }, spec: BASE }];

Deno.test("unknownParameters(): returns names that are not declared, inputs of the entrypoint or used, with the nearest name", () => {
  const names = ["epochs", "start", "rate", "epoch", "inner", "zzz"];
  const warnings = [
    'no parameter "epoch"; did you mean "epochs"?',
    'no parameter "inner"',
    'no parameter "zzz"',
  ];
  assertEquals(unknownParameters({ spec: BASE }, [], names), warnings);
  assertEquals(unknownParameters({ spec: REFERRED }, TEMPLATES, names), warnings);
});

Deno.test("unknownParameters(): a value for an unknown name does not declare it", () => {
  const spec = { ...REFERRED, arguments: { parameters: [{ name: "epoch", value: "2" }] } };
  assertEquals(unknownParameters({ spec: REFERRED }, TEMPLATES, ["epoch"]).length, 1);
  assertEquals(unknownParameters({ spec }, TEMPLATES, ["epoch"]).length, 0, "its file declares it");
});

Deno.test("unknownParameters(): a workflow that reads all parameters at once uses every name", () => {
  for (const text of ["{{workflow.parameters}}", "{{workflow.parameters.json}}", "{{=workflow.parameters['x']}}"]) {
    const templates = [{ name: "main", container: { args: [text] } }];
    assertEquals(unknownParameters({ spec: { entrypoint: "main", templates } }, [], ["zzz"]), []);
  }
});
