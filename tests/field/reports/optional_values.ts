/** Reports about optional inputs. */
import type { FieldReport } from "../field_report.ts";

/** Reports about inputs that a template does without. */
export const OPTIONAL_VALUES: readonly FieldReport[] = [
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
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}", optional: true }] }
  - name: gen
    outputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: ["true"] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f, optional: true }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
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
        arguments: { artifacts: [{ name: f, from: "{{tasks.gen.outputs.artifacts.f}}" }] }
  - name: gen
    outputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: ["true"] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f, optional: true }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
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
        arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}", optional: true }] }
  - name: gen
    outputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: ["true"] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: { phase: "Failed", message: "inputs.artifacts.f missing location information" },
  },
  {
    issues: [],
    behavior: "artifact with a location in its template: that location counts where the source was skipped",
    argo: "ends in Error",
    workflow: `
  - name: main
    steps:
    - - { name: gen, template: gen, when: "false" }
    - - { name: use, template: use, arguments: { artifacts: [{ name: f, from: "{{steps.gen.outputs.artifacts.f}}" }] } }
  - name: gen
    outputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: ["true"] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f, raw: { data: usual } }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: { phase: "Succeeded", artifacts: { use: [{ f: "usual" }] } },
  },
  {
    issues: [16123, 16561],
    behavior: "skipped step: an expression may ask for its status before it reads its outputs",
    argo: "waits forever",
    workflow: `
  - name: main
    steps:
    - - { name: hi, template: say, when: "false" }
    - - name: use
        template: show
        arguments:
          parameters:
          - { name: m, value: "{{= steps['hi'].status == 'Skipped' ? 'none' : steps['hi'].outputs.parameters.out }}" }
  - name: say
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }
  - name: show
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "none" }] } },
  },
  {
    issues: [15837, 15949, 15873],
    behavior: "skipped task: an argument that is its output takes the default of the input, or of the output",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: bare, template: bare, when: "false" }
      - { name: given, template: given, when: "false" }
      - name: use
        depends: bare && given
        template: show
        arguments:
          parameters:
          - { name: m, value: "{{tasks.bare.outputs.parameters.out}}" }
          - { name: k, value: "{{tasks.given.outputs.parameters.out}}" }
  - name: bare
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }
  - name: given
    outputs: { parameters: [{ name: out, valueFrom: { path: /out, default: of the output } }] }
    container: { image: alpine, command: ["true"] }
  - name: show
    inputs: { parameters: [{ name: m, default: of the input }, { name: k }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "of the input", k: "of the output" }] } },
  },
  {
    issues: [14498],
    behavior: "skipped task: its result is nil in an expression",
    argo: "prints the text of the tag",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: print, when: "false" }
      - name: b
        depends: a
        template: show
        arguments: { parameters: [{ name: m, value: "{{= tasks.a.outputs?.result ?? 'none' }}" }] }
  - { name: print, script: { image: alpine, command: [sh], source: echo } }
  - name: show
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "none" }] } },
  },
];
