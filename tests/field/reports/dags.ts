/** Reports about the order of tasks and the phases that follow from it. */
import type { FieldReport } from "../field_report.ts";

/** Reports about the order of tasks and the phases that follow from it. */
export const DAGS: readonly FieldReport[] = [
  {
    issues: [12997],
    behavior: "container set in a DAG: containers with the names of steps elsewhere do not confuse it",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: each, template: set, withItems: [1] }
      - { name: steps, template: steps }
      - { name: prepare, template: ok, depends: each && steps }
  - name: set
    containerSet:
      containers:
      - { name: prepare, image: alpine, command: ["true"] }
      - { name: main, image: alpine, command: ["true"], dependencies: [prepare] }
  - name: steps
    steps: [[{ name: prepare, template: ok }], [{ name: main, template: set }]]`,
    expected: { phase: "Succeeded", calls: { set: 2, ok: 2 }, nodes: { each: "Succeeded", steps: "Succeeded" } },
  },
  {
    issues: [16000, 16967],
    behavior: "container set: containers that do not depend on one that fails run to their end",
    workflow: `
  - name: main
    containerSet:
      containers:
      - { name: a, image: alpine, command: ["false"] }
      - { name: b, image: alpine, command: ["true"] }`,
    answers: { main: { containers: { a: 3, b: 0 } } },
    expected: { phase: "Failed", nodes: { a: "Failed", b: "Succeeded" } },
  },
  {
    issues: [12869],
    behavior: "DAG below a task: an output that cannot be made ends the task, and the workflow with it",
    argo: "the workflow never ends",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: inner }
      - name: b
        depends: a
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.codes}}" }] }
  - name: inner
    outputs: { parameters: [{ name: codes, valueFrom: { parameter: "{{tasks.each.outputs.parameters.code}}" } }] }
    dag: { tasks: [{ name: each, template: give, withParam: "[0, 1]" }] }
  - name: give
    outputs: { parameters: [{ name: code, valueFrom: { path: /code } }] }
    container: { image: alpine, command: ["false"] }`,
    answers: { give: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { a: "Failed", b: "Omitted" } },
  },
  {
    issues: [4903],
    behavior: "depends: AllFailed and AnySucceeded are about the items of a loop",
    workflow: `
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: bad, template: bad, withItems: [1, 2] }
      - { name: some, template: try, withItems: [0, 1], arguments: { parameters: [{ name: c, value: "{{item}}" }] } }
      - { name: all-failed, template: ok, depends: bad.AllFailed }
      - { name: any-succeeded, template: ok, depends: some.AnySucceeded }
      - { name: none, template: ok, depends: some.AllFailed || bad.AnySucceeded }
  - name: try
    inputs: { parameters: [{ name: c }] }
    container: { image: alpine, command: [exit, "{{inputs.parameters.c}}"] }`,
    answers: { try: ({ inputs }) => ({ exitCode: Number(inputs.parameters.c) }) },
    expected: {
      nodes: { "all-failed": "Succeeded", "any-succeeded": "Succeeded", none: "Omitted", some: "Failed" },
    },
  },
  {
    issues: [2743],
    behavior: "continueOn: the task after a loop runs although an item failed",
    workflow: `
  - name: main
    dag:
      tasks:
      - name: each
        template: try
        withItems: [0, 1]
        continueOn: { failed: true }
        arguments: { parameters: [{ name: c, value: "{{item}}" }] }
      - { name: next, template: ok, dependencies: [each] }
  - name: try
    inputs: { parameters: [{ name: c }] }
    container: { image: alpine, command: [exit, "{{inputs.parameters.c}}"] }`,
    answers: { try: ({ inputs }) => ({ exitCode: Number(inputs.parameters.c) }) },
    expected: { phase: "Succeeded", nodes: { each: "Failed", next: "Succeeded" } },
  },
  {
    issues: [13806],
    behavior: "failFast: a DAG with parallelism ends its tasks and the workflow with the first failure",
    spec: "parallelism: 2",
    workflow: `
  - name: main
    parallelism: 1
    failFast: true
    steps:
    - - { name: a, template: dag }
      - { name: b, template: dag }
  - name: dag
    dag: { tasks: [{ name: c, template: bad }, { name: d, template: ok, depends: c }] }`,
    expected: { phase: "Failed", nodes: { a: "Failed" }, calls: { ok: 0 } },
  },
  {
    issues: [14904],
    behavior: "check: templates that call each other twice, 40 levels deep, are each checked once",
    workflow: `
  - { name: main, steps: [[{ name: a, template: t0, when: "false" }]] }${
      Array.from({ length: 40 }, (_, index) => `
  - name: t${index}
    steps: [[{ name: a, template: t${index + 1} }, { name: b, template: t${index + 1} }]]`).join("")
    }
  - { name: t40, container: { image: alpine, command: ["true"] } }`,
    expected: { phase: "Succeeded", nodes: { a: "Skipped" } },
  },
  {
    issues: [13619],
    behavior: "hook of a task: its arguments may be outputs of an earlier task",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: make }
      - name: b
        depends: a
        template: ok
        hooks:
          running:
            expression: tasks.b.status == "Running"
            template: show
            arguments: { parameters: [{ name: m, value: "running {{tasks.a.outputs.parameters.out}}" }] }
          exit:
            template: show
            arguments: { parameters: [{ name: m, value: "exit {{tasks.a.outputs.parameters.out}}" }] }`,
    answers: { ok: { durationSeconds: 10 } },
    expected: { phase: "Succeeded", inputs: { show: [{ m: "running made" }, { m: "exit made" }] } },
  },
  {
    issues: [13445],
    behavior:
      "exit hook: one that reads an output that the failed step did not write ends the step, not the controller",
    workflow: `
  - name: main
    steps:
    - - name: a
        template: give
        hooks:
          exit:
            template: show
            arguments: { parameters: [{ name: m, value: "{{steps.a.outputs.parameters.out}}" }] }
  - name: give
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["false"] }`,
    answers: { give: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { a: "Failed" } },
  },
  {
    issues: [14032],
    behavior: "exit hook: an expression that cannot be evaluated ends the step group with its error",
    workflow: `
  - name: main
    steps:
    - - name: a
        template: ok
        hooks: { exit: { template: ok, expression: 'int(steps["a"].status) > 3' } }`,
    expected: { phase: "Error", message: "steps" },
  },
  {
    issues: [14392, 16088],
    behavior: "exit hooks: tasks with parallelism 1 each get one",
    workflow: `
  - name: main
    parallelism: 1
    dag:
      tasks:
      - { name: a, template: ok, hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: a }] } } } }
      - name: b
        template: ok
        depends: a
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: b }] } } }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "a" }, { m: "b" }] } },
  },
  {
    issues: [11610, 14991],
    behavior: "exit handler: may use global artifacts whose names contain arguments of the workflow",
    spec: "onExit: bye\narguments: { parameters: [{ name: v, value: car }] }",
    workflow: `
  - name: main
    outputs: { artifacts: [{ name: r, globalName: "result-{{workflow.parameters.v}}", path: /r }] }
    container: { image: alpine, command: ["true"] }
  - name: bye
    steps:
    - - name: use
        template: use
        arguments: { artifacts: [{ name: f, from: "{{workflow.outputs.artifacts.result-car}}" }] }
  - name: use
    inputs: { artifacts: [{ name: f, path: /f }] }
    container: { image: alpine, command: [cat, /f] }`,
    answers: { main: { artifacts: { r: "data" } } },
    expected: { phase: "Succeeded", artifacts: { use: [{ f: "data" }] } },
  },
];
