/** Reports about `withItems`, `withParam` and `withSequence`. */
import type { FieldReport } from "../field_report.ts";

/** Reports about `withItems`, `withParam` and `withSequence`. */
export const LOOPS: readonly FieldReport[] = [
  {
    issues: [],
    behavior: "withItems: an empty list skips the task",
    argo: "runs the task once, with the text {{item}}",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: x, template: show, withItems: [], arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
      - { name: end, template: show, depends: x, arguments: { parameters: [{ name: m, value: done }] } }`,
    expected: {
      phase: "Succeeded",
      nodes: { x: "Skipped: Skipped, empty params", end: "Succeeded" },
      inputs: { show: [{ m: "done" }] },
    },
  },
  {
    issues: [],
    behavior: "withItems: an empty list skips the step",
    argo: "runs the step once, with the text {{item}}",
    workflow: `
  - name: main
    steps:
    - - { name: x, template: show, withItems: [], arguments: { parameters: [{ name: m, value: "{{item.a}}" }] } }
    - - { name: end, template: show, arguments: { parameters: [{ name: m, value: done }] } }`,
    expected: {
      phase: "Succeeded",
      nodes: { x: "Skipped: Skipped, empty params" },
      inputs: { show: [{ m: "done" }] },
    },
  },
  {
    issues: [16003],
    behavior: "withSequence: a count of 0 skips the task without evaluating its arguments",
    argo: "ends in Error: failed to evaluate expression",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: nn, template: num }
      - name: loop
        depends: nn
        template: show
        arguments:
          parameters: [{ name: m, value: "{{=jsonpath(tasks.nn.outputs.parameters.cfg, '$.start')}} {{item}}" }]
        withSequence: { count: "{{tasks.nn.outputs.parameters.c}}" }
      - { name: end, template: show, depends: loop, arguments: { parameters: [{ name: m, value: done }] } }
  - name: num
    outputs: { parameters: [{ name: c, valueFrom: { path: /tmp/c } }, { name: cfg, valueFrom: { path: /tmp/cfg } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { num: { parameters: { c: "0", cfg: "{}" } } },
    expected: {
      phase: "Succeeded",
      nodes: { loop: "Skipped: Skipped, empty params", end: "Succeeded" },
      inputs: { show: [{ m: "done" }] },
    },
  },
  {
    issues: [16003],
    behavior: "withParam: an empty list skips the step without evaluating its arguments",
    argo: "ends in Error: failed to evaluate expression",
    workflow: `
  - name: main
    steps:
    - - { name: nn, template: num }
    - - name: loop
        template: show
        arguments:
          parameters: [{ name: m, value: "{{=fromJSON(steps.nn.outputs.parameters.cfg).start.at}} {{item}}" }]
        withParam: "{{steps.nn.outputs.parameters.list}}"
  - name: num
    outputs:
      parameters: [{ name: list, valueFrom: { path: /tmp/c } }, { name: cfg, valueFrom: { path: /tmp/cfg } }]
    container: { image: alpine, command: ["true"] }`,
    answers: { num: { parameters: { list: " [ ] ", cfg: "{}" } } },
    expected: { phase: "Succeeded", nodes: { loop: "Skipped: Skipped, empty params" }, inputs: { show: [] } },
  },
  {
    issues: [13564],
    behavior: "subPath: {{item}} names the part of the artifact that each item gets",
    spec: "arguments: { artifacts: [{ name: d, s3: { key: d } }] }",
    workflow: `
  - name: main
    inputs: { artifacts: [{ name: d }] }
    steps:
    - - name: each
        template: use
        withParam: '["a", "b", "{{item}}"]'
        arguments: { artifacts: [{ name: f, from: "{{inputs.artifacts.d}}", subPath: "{{item}}.txt" }] }
      - { name: dag, template: dag, arguments: { artifacts: [{ name: d, from: "{{inputs.artifacts.d}}" }] } }
  - name: dag
    inputs: { artifacts: [{ name: d }] }
    dag:
      tasks:
      - name: each
        template: use
        withItems: [{ file: p }, { file: q }]
        arguments:
          artifacts: [{ name: f, from: "{{inputs.artifacts.d}}", subPath: "{{item.file}}/{{item.file}}2" }]
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: {
      phase: "Succeeded",
      artifacts: {
        use: [{ f: "d/a.txt" }, { f: "d/b.txt" }, { f: "d/{{item}}.txt" }, { f: "d/p/p2" }, { f: "d/q/q2" }],
      },
    },
  },
  {
    issues: [],
    behavior: "subPath: an item cannot lead out of the artifact",
    spec: "arguments: { artifacts: [{ name: d, s3: { key: secret/d } }] }",
    workflow: `
  - name: main
    inputs: { artifacts: [{ name: d }] }
    steps:
    - - name: each
        template: use
        withItems: [../other]
        arguments: { artifacts: [{ name: f, from: "{{inputs.artifacts.d}}", subPath: "{{item}}" }] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /tmp/f }] }
    container: { image: alpine, command: [cat, /tmp/f] }`,
    expected: { phase: "Failed", message: "leads out of the key", artifacts: { use: [] } },
  },
  {
    issues: [9474],
    behavior: "withParam: two loops after each other may use the outputs of the same loop",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: one, template: make, withParam: '["a", "b"]', arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
      - name: two
        depends: one
        template: make
        withParam: "{{tasks.one.outputs.parameters}}"
        arguments: { parameters: [{ name: m, value: "{{item.out}}" }] }
      - name: three
        depends: two
        template: show
        withParam: "{{tasks.two.outputs.parameters.out}}"
        arguments: { parameters: [{ name: m, value: "{{item}} of {{tasks.one.outputs.parameters.out}}" }] }
  - name: make
    inputs: { parameters: [{ name: m }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { make: ({ inputs }) => ({ parameters: { out: `${inputs.parameters.m}+` } }) },
    expected: { phase: "Succeeded", inputs: { show: [{ m: 'a++ of ["a+","b+"]' }, { m: 'b++ of ["a+","b+"]' }] } },
  },
];
