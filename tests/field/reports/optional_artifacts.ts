/** Reports about artifacts that may be absent. */
import type { FieldReport } from "../field_report.ts";

const GEN = `
  - name: gen
    outputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: ["true"] }`;

const PERHAPS = `
  - name: perhaps
    outputs: { artifacts: [{ name: f, path: /f, optional: true }] }
    container: { image: alpine, command: ["true"] }`;

const USE = `
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f, optional: true }] }
    container: { image: alpine, command: [cat, /tmp/f] }`;

/** Reports about artifacts that may be absent. */
export const OPTIONAL_ARTIFACTS: readonly FieldReport[] = [
  {
    issues: [16477, 4647],
    behavior: "optional artifact: the step runs without that of a skipped step",
    argo: "ends in Error",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: gen, when: "false" }
    - - name: use
        template: use
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}", optional: true }] }${GEN}${USE}`,
    expected: { phase: "Succeeded", optional: { use: [["f"]] } },
  },
  {
    issues: [],
    behavior: "optional artifact: the input decides, in steps and DAGs alike",
    argo: "the argument decides: the DAG ends in Error",
    workflow: `
  - name: main
    steps:
    - - { name: steps, template: steps }
      - { name: dag, template: dag }
  - name: steps
    steps:
    - - { name: gen, template: gen, when: "false" }
    - - { name: use, template: use, arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}" }] } }
  - name: dag
    dag:
      tasks:
      - { name: gen, template: gen, when: "false" }
      - name: use
        template: use
        depends: gen
        arguments: { artifacts: [{ name: f, from: "{{tasks.gen.outputs.artifacts.f}}" }] }${GEN}${USE}`,
    expected: { phase: "Succeeded", optional: { use: [["f"], ["f"]] } },
  },
  {
    issues: [],
    behavior: "required artifact: the argument does not make it optional",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: gen, when: "false" }
    - - name: use
        template: use
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}", optional: true }] }${GEN}
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: {
      phase: "Failed",
      message: "inputs.artifacts.f missing location information: {{steps.gen.outputs.artifacts.f}}",
    },
  },
  {
    issues: [],
    behavior: "artifact with a location in its template: that location counts where the source was skipped",
    argo: "ends in Error",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: gen, when: "false" }
    - - { name: use, template: use, arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}" }] } }${GEN}
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f, raw: { data: usual } }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: { phase: "Succeeded", artifacts: { use: [{ f: "usual" }] } },
  },
  {
    issues: [14778],
    behavior: "optional output artifact: a step that does not write it succeeds",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: perhaps }
    - - name: use
        template: use
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}" }] }${PERHAPS}${USE}`,
    expected: { phase: "Succeeded", optional: { use: [["f"]] } },
  },
  {
    issues: [14267],
    behavior: "optional artifact: each item of a loop runs without it",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: perhaps }
    - - name: use
        template: use
        withItems: [1, 2]
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}", optional: true }] }${PERHAPS}${USE}`,
    expected: { phase: "Succeeded", optional: { use: [["f"], ["f"]] } },
  },
];
