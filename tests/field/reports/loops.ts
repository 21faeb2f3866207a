/** Reports about `withItems`, `withParam` and `withSequence`. */
import type { FieldReport } from "../field_report.ts";

const INNER_STEPS = `{ steps: [
          [{ name: a, template: print, arguments: { parameters: [{ name: m, value: "in {{item}}" }] } }],
          [{ name: b, template: show,
             arguments: { parameters: [{ name: m, value: "{{steps.a.outputs.result}} {{item}}" }] } }],
          ] }`;

/** Reports about `withItems`, `withParam` and `withSequence`. */
export const LOOPS: readonly FieldReport[] = [
  {
    issues: [16270],
    behavior: "when: a condition about the item selects among the items of another task's output",
    argo: "skips the whole task: Skipped, empty params",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: list, template: list }
      - name: each
        template: show
        depends: list
        withParam: "{{tasks.list.outputs.parameters.items}}"
        when: "{{item.size}} > 1 && '{{item.kind}}' == 'big'"
        arguments: { parameters: [{ name: m, value: "{{item.size}}" }] }
  - name: list
    outputs: { parameters: [{ name: items, valueFrom: { path: /items } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: {
      list: {
        parameters: { items: [{ size: 1, kind: "big" }, { size: 2, kind: "big" }, { size: 3, kind: "small" }] },
      },
    },
    expected: { phase: "Succeeded", inputs: { show: [{ m: "2" }] } },
  },
  {
    issues: [10173],
    behavior: "withParam: a task whose condition is false is skipped without reading the list",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: list, template: print }
      - name: each
        template: show
        depends: list
        when: "{{tasks.list.outputs.result}} != printed"
        withParam: "{{tasks.list.outputs.result}}"
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
      - { name: end, template: ok, depends: each.Skipped }`,
    expected: { phase: "Succeeded", nodes: { each: "Skipped", end: "Succeeded" }, calls: { show: 0 } },
  },
  {
    issues: [6684],
    behavior: "loops: a DAG exports the outputs that the items of a task produced",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: inner, template: inner }
      - name: read
        template: show
        depends: inner
        arguments: { parameters: [{ name: m, value: "{{tasks.inner.outputs.parameters.all}}" }] }
  - name: inner
    dag: { tasks: [{ name: each, template: make, withItems: [1, 2] }] }
    outputs: { parameters: [{ name: all, valueFrom: { parameter: "{{tasks.each.outputs.parameters.out}}" } }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: '["made","made"]' }] } },
  },
  {
    issues: [],
    behavior: "loops: a tag of another tool in an argument of the workflow stays in the text",
    workflow: `
  - name: main
    inputs: { parameters: [{ name: q }] }
    dag:
      tasks:
      - name: x
        template: show
        withItems: [1]
        arguments: { parameters: [{ name: m, value: "{{workflow.parameters.q}} {{inputs.parameters.q}} {{item}}" }] }`,
    spec: "arguments: { parameters: [{ name: q }, { name: r, value: here }] }",
    parameters: { q: "day = {{ ds }} in {{workflow.parameters.r}} {{ retry_count }}" },
    expected: {
      phase: "Succeeded",
      inputs: {
        show: [{
          m: "day = {{ ds }} in here {{ retry_count }} day = {{ ds }} in here {{ retry_count }} 1",
        }],
      },
    },
  },
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
  {
    issues: [],
    behavior: "inline template: {{item}} in it is the item of the innermost loop",
    argo: "fills in the item of the outer loop",
    workflow: `
  - name: main
    steps:
    - - name: out
        withItems: [a, b]
        inline:
          dag:
            tasks:
            - { name: own, template: show, arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
            - name: in
              depends: own
              withItems: [1, "{{item}}2"]
              when: "{{item}} != 7"
              template: show
              arguments: { parameters: [{ name: m, value: "{{item}}" }] }`,
    expected: {
      phase: "Succeeded",
      inputs: { show: ["a", "b", "1", "a2", "1", "b2"].map((m) => ({ m })) },
    },
  },
  {
    issues: [],
    behavior: "inline template: its steps refer to each other, not to a step of that name around it",
    argo: "a loop ends in Error, and others get the output of the step around it",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: print, arguments: { parameters: [{ name: m, value: outer }] } }
    - - name: loop
        withItems: [x, z]
        inline: ${INNER_STEPS}
      - name: plain
        inline: ${INNER_STEPS.replaceAll("{{item}}", "plain")}
  - name: print
    inputs: { parameters: [{ name: m }] }
    script: { image: alpine, command: [sh], source: "echo {{inputs.parameters.m}}" }`,
    answers: { print: ({ inputs }) => ({ result: inputs.parameters.m }) },
    expected: {
      phase: "Succeeded",
      inputs: { show: ["in x x", "in z z", "in plain plain"].map((m) => ({ m })) },
    },
  },
  {
    issues: [],
    behavior: "withParam: the result of a skipped step ends the step alone, before it starts",
    argo: "the group ends in Error: none of its steps starts",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: print, when: "false" }
    - - { name: param, template: print, withParam: "{{steps.a.outputs.result}}" }
      - { name: count, template: print, withSequence: { count: "{{steps.a.outputs.result}}" } }
      - { name: when, template: print, when: "{{steps.a.outputs.result}} == 1" }
      - { name: text, template: show, arguments: { parameters: [{ name: m, value: "a {{steps.a.outputs.result}}" }] } }
      - name: declared
        template: show
        withParam: "{{steps.a.outputs.parameters.list}}"
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
  - name: print
    outputs: { parameters: [{ name: list, valueFrom: { path: /l, default: '["x"]' } }] }
    script: { image: alpine, command: [sh], source: echo }`,
    expected: {
      phase: "Failed",
      nodes: {
        param: "Error: unable to substitute {{steps.a.outputs.result}}",
        count: "Error: unable to substitute {{steps.a.outputs.result}}",
        when: "Error: unable to substitute {{steps.a.outputs.result}}",
        text: "Error: unable to substitute {{steps.a.outputs.result}}",
      },
      inputs: { show: [{ m: "x" }] },
    },
  },
  {
    issues: [],
    behavior: "loop in steps that cannot be expanded: the message of the workflow names the step",
    argo: "no message names the step",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: print }
    - - { name: b, template: ok, withParam: "{{steps.a.outputs.result}}" }`,
    expected: {
      phase: "Failed",
      message: "child w[1].b error: withParam value could not be parsed as a JSON list: printed",
    },
  },
];
