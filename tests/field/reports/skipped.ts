/** Reports about outputs of nodes that were skipped, omitted or failed. */
import type { FieldReport } from "../field_report.ts";

/** Reports about outputs of nodes that were skipped, omitted or failed. */
export const SKIPPED: readonly FieldReport[] = [
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
    container: { image: alpine, command: ["true"] }`,
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
        arguments: { parameters: [{ name: m, value: "{{= tasks.a.outputs?.result ?? 'none' }}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "none" }] } },
  },
  {
    issues: [16223],
    behavior: "skipped or omitted task: an argument without any default ends the consumer with an error that names it",
    workflow: `
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: skipped, template: make, when: "false" }
      - { name: omitted, template: make, depends: skipped.Failed }
      - name: one
        depends: skipped
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.skipped.outputs.parameters.out}}" }] }
      - name: two
        depends: omitted || omitted.Omitted
        template: show
        arguments: { parameters: [{ name: m, value: "<{{tasks.omitted.outputs.parameters.out}}>" }] }`,
    expected: {
      phase: "Error",
      nodes: {
        skipped: "Skipped",
        omitted: "Omitted",
        one: "Error: tasks.skipped.outputs.parameters.out",
        two: "Error: tasks.omitted.outputs.parameters.out",
      },
    },
  },
  {
    issues: [16223],
    behavior: "skipped step: a subPath that reads its output fails the workflow",
    spec: "arguments: { artifacts: [{ name: d, s3: { key: d } }] }",
    workflow: `
  - name: main
    inputs: { artifacts: [{ name: d }] }
    steps:
    - - { name: where, template: make, when: "false" }
    - - name: use
        template: use
        arguments:
          artifacts:
          - { name: f, from: "{{inputs.artifacts.d}}", subPath: "{{steps.where.outputs.parameters.out}}" }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: { phase: "Failed", message: "steps.where.outputs.parameters.out", calls: { use: 0 } },
  },
  {
    issues: [15932, 15931],
    behavior: "skipped step: a condition that reads its output uses the declared default",
    workflow: `
  - name: main
    steps:
    - - { name: one, template: job }
    - - { name: two, template: job, when: "'{{steps.one.outputs.parameters.status}}' == FAILED" }
    - - { name: handler, template: ok, when: "'{{steps.two.outputs.parameters.status}}' != DONE" }
  - name: job
    outputs: { parameters: [{ name: status, valueFrom: { path: /status, default: none } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { job: { parameters: { status: "DONE" } } },
    expected: { phase: "Succeeded", nodes: { two: "Skipped", handler: "Succeeded" } },
  },
  {
    issues: [16793, 16801],
    behavior: "loop with only skipped items: its output takes the declared default",
    argo: "waits forever",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: each, template: give, withParam: '[{"k": 1}]', when: "{{item.k}} == 2" }
      - name: use
        depends: each
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.each.outputs.parameters.out}}" }] }
  - name: give
    outputs: { parameters: [{ name: out, valueFrom: { path: /out, default: usual } }] }
    container: { image: alpine, command: ["true"] }`,
    expected: { phase: "Succeeded", nodes: { "each(0:k:1)": "Skipped" }, inputs: { show: [{ m: "usual" }] } },
  },
  {
    issues: [16983],
    behavior: "failed task: a reference to an output that it never wrote ends the consumer with an error",
    argo: "waits forever",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: give }
      - name: b
        depends: a.Failed
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.out}}" }] }
  - name: give
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["false"] }`,
    answers: { give: { exitCode: 1 } },
    expected: { phase: "Error", nodes: { b: "Error: tasks.a.outputs.parameters.out" } },
  },
  {
    issues: [15824, 15839],
    behavior: "task whose condition is false: its arguments are not evaluated",
    spec: "arguments: { parameters: [{ name: data, value: '' }] }",
    workflow: `
  - name: main
    steps: [[{ name: steps, template: steps }, { name: dag, template: dag }]]
  - name: steps
    steps:
    - - name: s
        template: show
        when: "{{= workflow.parameters.data != '' }}"
        arguments: { parameters: [{ name: m, value: "{{= fromJSON(workflow.parameters.data)[0]['id'] }}" }] }
  - name: dag
    dag:
      tasks:
      - name: t
        template: show
        when: "{{= workflow.parameters.data != '' }}"
        arguments: { parameters: [{ name: m, value: "{{= jsonpath(workflow.parameters.data, '$.id') }}" }] }`,
    expected: { phase: "Succeeded", nodes: { s: "Skipped", t: "Skipped" } },
  },
  {
    issues: [15839],
    behavior: "loop: the condition of an item may use ?? for a field that it does not have",
    workflow: `
  - name: main
    steps:
    - - name: each
        template: show
        withItems: [{ k: a, type: "" }, { k: b, type: test }, { k: c }]
        when: "{{= (item.type ?? 'always') in ['', 'always'] }}"
        arguments: { parameters: [{ name: m, value: "{{item.k}}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "a" }, { m: "c" }] } },
  },
  {
    issues: [12230, 15240, 14911],
    behavior: "suspend: outputs that nobody supplied take their default, or that of the input of the same name",
    workflow: `
  - name: main
    steps:
    - - { name: wait, template: wait }
    - - name: use
        template: show
        arguments:
          parameters:
          - { name: m, value: "{{steps.wait.outputs.parameters.a}} {{steps.wait.outputs.parameters.b}}" }
  - name: wait
    suspend: { duration: 1s }
    inputs: { parameters: [{ name: b, default: of the input, enum: [of the input, other] }] }
    outputs:
      parameters:
      - { name: a, valueFrom: { supplied: {}, default: of the output } }
      - { name: b, valueFrom: { supplied: {} } }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "of the output of the input" }] } },
  },
  {
    issues: [13929],
    behavior: "suspend: an output with a plain value has that value",
    argo: "fails: the controller reports a runtime error",
    workflow: `
  - name: main
    steps:
    - - { name: wait, template: wait }
    - - name: use
        template: show
        arguments: { parameters: [{ name: m, value: "{{steps.wait.outputs.parameters.config}}" }] }
  - name: wait
    suspend: { duration: "1" }
    outputs: { parameters: [{ name: config, value: "{}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "{}" }] } },
  },
  {
    issues: [],
    behavior:
      "global output that no step exported: a reference to it takes the default, or ends its step with an error",
    argo: "the pod gets the text of the tag",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: export, when: "false" }
    - - { name: defaulted, template: optional, arguments: { parameters: [{ name: m, value: "{{workflow.outputs.parameters.all}}" }] } }
      - name: argument
        template: show
        continueOn: { error: true }
        arguments: { parameters: [{ name: m, value: "x {{workflow.outputs.parameters.all}}" }] }
      - { name: loop, template: ok, continueOn: { error: true }, withParam: "{{workflow.outputs.parameters.all}}" }
      - { name: condition, template: ok, continueOn: { error: true }, when: "{{=workflow.outputs.parameters.all}} == 1" }
  - name: export
    outputs: { parameters: [{ name: o, globalName: all, valueFrom: { path: /o } }] }
    container: { image: alpine, command: ["true"] }
  - name: optional
    inputs: { parameters: [{ name: m, default: d }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    expected: {
      phase: "Succeeded",
      runs: { optional: ["echo d"] },
      calls: { show: 0, ok: 0 },
      nodes: {
        argument:
          "Error: failed to resolve {{workflow.outputs.parameters.all}}: no step or task that has ended exported",
        loop: "Error: failed to resolve {{workflow.outputs.parameters.all}}",
        condition: "Error: failed to resolve {{workflow.outputs.parameters.all}}",
      },
    },
  },
  {
    issues: [],
    behavior: "global output that no task exported: a template that reads it directly ends with an error",
    argo: "the pod gets the text of the tag",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: export, when: "false" }
      - { name: container, template: read, depends: a }
      - { name: http, template: request, depends: a }
  - name: export
    outputs: { parameters: [{ name: o, globalName: all, valueFrom: { path: /o } }] }
    container: { image: alpine, command: ["true"] }
  - { name: read, container: { image: alpine, command: [echo, "{{workflow.outputs.parameters.all}}"] } }
  - { name: request, http: { url: "http://host/{{workflow.outputs.parameters.all}}" } }`,
    expected: {
      phase: "Error",
      calls: { read: 0, request: 0 },
      nodes: {
        container: "Error: failed to resolve {{workflow.outputs.parameters.all}}",
        http: "Error: failed to resolve {{workflow.outputs.parameters.all}}",
      },
    },
  },
  {
    issues: [],
    behavior: "failed task: an expression that reads an output of it takes the declared default",
    argo: "the workflow never ends",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: give }
      - { name: b, template: show, depends: a.Failed, arguments: { parameters: [{ name: m, value: "{{=tasks.a.outputs.parameters.o}}" }] } }
  - name: give
    outputs: { parameters: [{ name: o, valueFrom: { path: /o, default: d } }] }
    container: { image: alpine, command: ["false"] }`,
    answers: { give: { exitCode: 1 } },
    expected: { phase: "Succeeded", inputs: { show: [{ m: "d" }] } },
  },
  {
    issues: [],
    behavior: "loop with only skipped items in steps: its outputs are nil in an expression",
    argo: "the step ends with an error",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: make, withItems: [1, 2], when: "{{item}} > 5" }
      - { name: c, template: print, withItems: [1, 2], when: "{{item}} > 5" }
    - - { name: b, template: show, arguments: { parameters: [{ name: m, value: "{{=steps.a.outputs.parameters.out ?? 'none'}} {{=steps.c.outputs.result ?? 'none'}}" }] } }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "none none" }] } },
  },
  {
    issues: [],
    behavior: "loop with only skipped items in a DAG: its outputs are nil in an expression",
    argo: "the step ends with an error",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: make, withItems: [1, 2], when: "{{item}} > 5" }
      - { name: c, template: print, withItems: [1, 2], when: "{{item}} > 5" }
      - { name: b, template: show, depends: a && c, arguments: { parameters: [{ name: m, value: "{{=tasks.a.outputs.parameters.out ?? 'none'}} {{=tasks.c.outputs.result ?? 'none'}}" }] } }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "none []" }] } },
  },
  {
    issues: [15841],
    behavior: "skipped task: its outputs have their defaults in an indirect descendant, in tags and expressions",
    argo: "before 4.0.4: waits forever",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: give, when: "false" }
      - { name: b, template: ok, depends: a.Skipped }
      - { name: c, template: show, depends: b, arguments: { parameters: [{ name: m, value: "c {{tasks.a.outputs.parameters.o}}" }] } }
      - name: d
        template: show
        depends: b
        arguments: { parameters: [{ name: m, value: "d {{=tasks.a.outputs.parameters.o + tasks.a.status}}" }] }
      - name: e
        template: show
        depends: c && d
        when: "{{tasks.a.outputs.parameters.o}} == usual"
        arguments: { parameters: [{ name: m, value: e }] }
  - name: give
    outputs: { parameters: [{ name: o, valueFrom: { path: /o, default: usual } }] }
    container: { image: alpine, command: ["true"] }
  - name: show
    inputs: { parameters: [{ name: m, default: none }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "c usual" }, { m: "d usualSkipped" }, { m: "e" }] } },
  },
];
