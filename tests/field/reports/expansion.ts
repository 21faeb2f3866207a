/** Reports about tags that are filled in, or are not. */
import type { FieldReport } from "../field_report.ts";

/** Reports about tags that are, or are not, filled in. */
export const EXPANSION: readonly FieldReport[] = [
  {
    issues: [],
    behavior: "input: a value that refers to the input itself takes its default",
    argo: "prints the text of the tag",
    workflow: `
  - name: main
    inputs: { parameters: [{ name: m, value: "{{inputs.parameters.m}}", default: given }] }
    steps:
    - - { name: value, template: value }
      - { name: argument, template: value, arguments: { parameters: [{ name: v, value: "{{inputs.parameters.m}}!" }] } }
  - name: value
    inputs: { parameters: [{ name: v, value: "<{{ inputs.parameters.v }}>", default: usual }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.v}}"] }`,
    expected: { phase: "Succeeded", runs: { value: ["echo <usual>", "echo given!"] } },
  },
];
