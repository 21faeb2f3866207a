/** Reports about workflows that a person retries or resubmits. */
import type { FieldReport } from "../field_report.ts";

/** Reports about workflows that a person retries or resubmits. */
export const RESUBMITS: readonly FieldReport[] = [
  {
    issues: [16938],
    behavior: "resubmit --memoized: after a failure in a loop over a nested DAG, only failed nodes run again",
    argo: "never ends",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: each, template: inner, withItems: [a, b], arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
      - { name: after, template: ok, depends: each }
  - name: inner
    inputs: { parameters: [{ name: m }] }
    dag:
      tasks:
      - { name: one, template: show, arguments: { parameters: [{ name: m, value: "{{inputs.parameters.m}}" }] } }
      - { name: skipped, template: ok, depends: one, when: "false" }
      - name: two
        depends: one
        template: try
        arguments: { parameters: [{ name: m, value: "{{inputs.parameters.m}}" }] }
      - { name: omitted, template: ok, depends: two }
  - name: try
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    answers: { try: ({ inputs }) => ({ exitCode: inputs.parameters.m === "b" ? 1 : 0 }) },
    expected: { phase: "Failed" },
    secondRun: {
      by: "resubmit --memoized",
      expected: { phase: "Succeeded", calls: { show: 0 }, inputs: { try: [{ m: "b" }] } },
    },
  },
  {
    issues: [16938],
    behavior: "resubmit --memoized: a step after a DAG runs again, and the DAG does not wait for it",
    argo: "never ends",
    workflow: `
  - { name: main, steps: [[{ name: d, template: dag }], [{ name: e, template: try }]] }
  - name: dag
    dag:
      tasks:
      - { name: a, template: ok }
      - { name: s, template: ok, depends: a, when: "false" }
      - { name: z, template: ok, depends: s }
  - { name: try, container: { image: alpine, command: ["true"] } }`,
    answers: { try: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { s: "Skipped" } },
    secondRun: {
      by: "resubmit --memoized",
      expected: { phase: "Succeeded", calls: { ok: 0, try: 1 }, nodes: { d: "Succeeded", s: "Skipped" } },
    },
  },
  {
    issues: [16938],
    behavior: "resubmit --memoized: exit hooks that were ended run again, suspended steps and HTTP calls do not",
    argo: "never ends",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: wait, template: wait }
      - { name: call, template: call }
      - { name: a, template: make, hooks: { exit: { template: clean } } }
      - { name: c, template: make, hooks: { exit: { template: tidy } } }
      - { name: b, template: ok, depends: a && c && wait && call }
  - { name: wait, suspend: { duration: "5" } }
  - { name: call, http: { url: "http://example.com" } }
  - { name: clean, container: { image: alpine, command: ["true"] } }
  - { name: tidy, retryStrategy: { limit: 1 }, container: { image: alpine, command: ["true"] } }`,
    answers: { clean: { durationSeconds: Infinity }, tidy: { durationSeconds: Infinity } },
    shutdown: { strategy: "Terminate", afterSeconds: 10 },
    expected: { phase: "Failed", nodes: { a: "Succeeded", "a.onExit": "Failed" } },
    secondRun: {
      by: "resubmit --memoized",
      expected: {
        phase: "Succeeded",
        calls: { wait: 0, call: 0, make: 0, clean: 1, tidy: 1, ok: 1 },
        nodes: { "a.onExit": "Succeeded" },
      },
    },
  },
  {
    issues: [16938],
    behavior: "resubmit --memoized: a daemon of the failed workflow is started again",
    argo: "leaves it dead",
    workflow: `
  - name: main
    steps:
    - - { name: d, template: d }
    - - { name: use, template: use, arguments: { parameters: [{ name: ip, value: "{{steps.d.ip}}" }] } }
  - { name: d, daemon: true, container: { image: alpine, command: [serve] } }
  - name: use
    inputs: { parameters: [{ name: ip }] }
    container: { image: alpine, command: [wget, "{{inputs.parameters.ip}}"] }`,
    answers: { use: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: { by: "resubmit --memoized", expected: { phase: "Succeeded", calls: { d: 1, use: 1 } } },
  },
  {
    issues: [16376, 16883],
    behavior: "node IDs: a step whose name has the same hash as a node above it runs",
    argo: "the controller overflows its stack",
    workflow: `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: custom-job-thbh7 }
spec:
  entrypoint: main
  templates:
  - { name: main, steps: [[{ name: custom-job, template: inner }]] }
  - { name: inner, steps: [[{ name: custom-job-main, template: run }]] }
  - { name: run, container: { image: alpine, command: ["true"] } }`,
    expected: { phase: "Succeeded", nodes: { "custom-job-main": "Succeeded" }, calls: { run: 1 } },
  },
  {
    issues: [16891, 17028],
    behavior: "resubmit --memoized: two nodes whose new names have the same hash stay two nodes",
    argo: "one of them is lost",
    workflow: `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: c-, generateName: c- }
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - { name: a150629, template: give, arguments: { parameters: [{ name: m, value: a }] } }
      - { name: b124022, template: give, arguments: { parameters: [{ name: m, value: b }] } }
    - - name: last
        template: last
        arguments:
          parameters:
          - { name: m, value: "{{steps.a150629.outputs.parameters.out}} {{steps.b124022.outputs.parameters.out}}" }
  - name: give
    inputs: { parameters: [{ name: m }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }
  - name: last
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    answers: { give: ({ inputs }) => ({ parameters: { out: `<${inputs.parameters.m}>` } }), last: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: {
      by: "resubmit --memoized",
      expected: { phase: "Succeeded", calls: { give: 0 }, inputs: { last: [{ m: "<a> <b>" }] } },
    },
  },
  {
    issues: [13484, 7095],
    behavior: "retry: a daemon of the failed workflow is started again",
    argo: "leaves it dead",
    workflow: `
  - name: main
    steps:
    - - { name: d, template: d }
    - - { name: use, template: use, arguments: { parameters: [{ name: ip, value: "{{steps.d.ip}}" }] } }
  - { name: d, daemon: true, container: { image: alpine, command: [serve] } }
  - name: use
    inputs: { parameters: [{ name: ip }] }
    container: { image: alpine, command: [wget, "{{inputs.parameters.ip}}"] }`,
    answers: { use: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: { by: "retry", expected: { phase: "Succeeded", calls: { d: 1, use: 1 } } },
  },
  {
    issues: [11631],
    behavior: "retry: other arguments reach the templates of a workflowTemplateRef",
    objects: [
      `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  entrypoint: run
  arguments: { parameters: [{ name: code, value: "1" }] }
  templates:
  - name: run
    inputs: { parameters: [{ name: code, value: "{{workflow.parameters.code}}" }] }
    container: { image: alpine, command: [exit, "{{inputs.parameters.code}}"] }`,
    ],
    workflow: `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec: { workflowTemplateRef: { name: t } }`,
    answers: { run: ({ inputs }) => ({ exitCode: Number(inputs.parameters.code) }) },
    expected: { phase: "Failed" },
    secondRun: {
      by: "retry",
      parameters: { code: "0" },
      answers: { run: ({ inputs }) => ({ exitCode: Number(inputs.parameters.code) }) },
      expected: { phase: "Succeeded", runs: { run: ["exit 0"] } },
    },
  },
  {
    issues: [13849, 12543, 10536],
    behavior: "retry: a selector chooses which failed nodes run again",
    argo: "runs all that failed",
    workflow: `
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: a, template: one }
      - { name: b, template: two }
  - { name: one, container: { image: alpine, command: ["true"] } }
  - { name: two, container: { image: alpine, command: ["true"] } }`,
    answers: { one: { exitCode: 1 }, two: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: {
      by: "retry",
      nodeFieldSelector: "displayName=a",
      expected: { phase: "Failed", calls: { one: 1, two: 0 }, nodes: { a: "Succeeded", b: "Failed" } },
    },
  },
  {
    issues: [14282],
    behavior: "retry: a task that was skipped for the value of a suspended step is decided by its new value",
    argo: "the task stays skipped",
    workflow: `
  - name: main
    steps:
    - - { name: ask, template: ask }
    - - { name: go, template: ok, when: "{{steps.ask.outputs.parameters.answer}} == yes" }
    - - { name: last, template: last }
  - name: ask
    suspend: { duration: "60" }
    outputs: { parameters: [{ name: answer, valueFrom: { supplied: {}, default: no } }] }
  - { name: last, container: { image: alpine, command: ["true"] } }`,
    answers: { last: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { go: "Skipped" } },
    secondRun: {
      by: "retry",
      restartSuccessful: true,
      nodeFieldSelector: "displayName=ask",
      answers: { ask: { parameters: { answer: "yes" }, durationSeconds: 1 } },
      expected: { phase: "Succeeded", nodes: { go: "Succeeded" }, calls: { ok: 1, last: 1 } },
    },
  },
  {
    issues: [],
    behavior: "retry: a failed task runs again if the task after it could not start without its output",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: give }
      - { name: b, template: show, depends: a.Failed || a.Succeeded, arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.o}}" }] } }
  - name: give
    outputs: { parameters: [{ name: o, valueFrom: { path: /o } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { give: { exitCode: 1 } },
    expected: { phase: "Error", calls: { show: 0 } },
    secondRun: {
      by: "retry",
      answers: { give: { parameters: { o: "v" } } },
      expected: { phase: "Succeeded", calls: { give: 1 }, inputs: { show: [{ m: "v" }] } },
    },
  },
  {
    issues: [],
    behavior: "retry: a daemon that failed while later steps ran starts again, with the steps after it",
    workflow: `
  - name: main
    steps:
    - - { name: d, template: serve }
    - - { name: b, template: ok }
    - - { name: c, template: slow }
  - { name: serve, daemon: true, container: { image: alpine, command: [serve] } }
  - { name: slow, container: { image: alpine, command: [sleep] } }`,
    answers: { serve: { exitCode: 1, durationSeconds: 5 }, slow: { durationSeconds: 20 } },
    expected: { phase: "Failed", nodes: { d: "Failed", c: "Failed" } },
    secondRun: { by: "retry", expected: { phase: "Succeeded", calls: { serve: 1, ok: 1, slow: 1 } } },
  },
  {
    issues: [],
    behavior: "resubmit --memoized: global outputs of steps that are not run again keep their values",
    argo: "the pod gets the text of the tag",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: export }
    - - { name: f, template: work }
    - - { name: b, template: show, arguments: { parameters: [{ name: m, value: "{{workflow.outputs.parameters.all}}" }] } }
  - name: export
    outputs: { parameters: [{ name: o, globalName: all, valueFrom: { path: /o } }] }
    container: { image: alpine, command: ["true"] }
  - { name: work, container: { image: alpine, command: [work] } }`,
    answers: { export: { parameters: { o: "v" } }, work: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: {
      by: "resubmit --memoized",
      expected: { phase: "Succeeded", calls: { export: 0, work: 1 }, inputs: { show: [{ m: "v" }] } },
    },
  },
];
