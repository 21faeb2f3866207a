/** Reports about what follows a failure. */
import type { FieldReport } from "../field_report.ts";

/** Reports about retries, `failFast` and phases. */
export const FAILURES: readonly FieldReport[] = [
  {
    issues: [16849],
    behavior: "failFast: the retry node of the failing step ends with its attempts",
    argo: "leaves the node Running in a workflow that has failed",
    workflow: `
  - name: main
    parallelism: 1
    failFast: true
    steps:
    - - { name: a, template: bad }
      - { name: b, template: ok }
  - { name: bad, retryStrategy: { limit: 1 }, container: { image: alpine, command: ["false"] } }`,
    answers: { bad: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { a: "Failed", "a(0)": "Failed" }, noNodes: ["b"] },
  },
  {
    issues: [14337],
    behavior: "DAG: a task whose outputs cannot be resolved fails it",
    argo: "the DAG is Succeeded",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: inner }
      - { name: b, template: ok, depends: a }
  - name: inner
    outputs:
      parameters: [{ name: p, valueFrom: { expression: "fromJSON(tasks.x.outputs.result).missing.deep" } }]
    dag: { tasks: [{ name: x, template: js }] }
  - { name: js, script: { image: alpine, command: [sh], source: echo } }`,
    answers: { js: { result: { k: 1 } } },
    expected: { phase: "Error", nodes: { a: "Error", b: "Omitted" } },
  },
  {
    issues: [10980],
    behavior: "retryStrategy: an expression sees that an attempt ended in Error",
    workflow: `
  - name: main
    retryStrategy: { limit: 2, expression: lastRetry.status == "Error" }
    container: { image: alpine, command: ["true"] }`,
    answers: { main: { error: "the machine went away" } },
    expected: { phase: "Error", nodes: { "w(0)": "Error", "w(2)": "Error" } },
  },
  {
    issues: [2603],
    behavior: "activeDeadlineSeconds: the exit handler runs after it",
    spec: "activeDeadlineSeconds: 1\nonExit: bye",
    workflow: `
  - { name: main, container: { image: alpine, command: [sleep, "60"] } }
  - { name: bye, container: { image: alpine, command: [echo, "{{workflow.status}}"] } }`,
    answers: { main: { durationSeconds: 60 } },
    expected: { phase: "Failed", nodes: { "w.onExit": "Succeeded" }, runs: { bye: ["echo Failed"] } },
  },
];
