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
  {
    issues: [],
    behavior:
      "continueOn.error in steps: applies to a step that cannot be built, of every kind, and to items of a loop",
    argo: "the group ends with an error, and pods of its other steps keep running",
    workflow: `
  - name: main
    steps:
    - - name: pod
        template: patched
        continueOn: { error: true }
        arguments: { parameters: [{ name: x, value: '"' }] }
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "{{steps.pod.status}}" }] } } }
      - name: loop
        template: patched
        continueOn: { error: true }
        withItems: [a, '"']
        arguments: { parameters: [{ name: x, value: "{{item}}" }] }
      - { name: retried, template: retried, continueOn: { error: true } }
      - { name: again, template: again, continueOn: { error: true } }
      - { name: pause, template: pause, continueOn: { error: true } }
      - { name: other, template: slow }
    - - name: last
        template: show
        arguments: { parameters: [{ name: m, value: "{{steps.pod.status}} {{steps.retried.status}} {{steps.pause.status}}" }] }
  - name: patched
    inputs: { parameters: [{ name: x }] }
    podSpecPatch: '{"nodeSelector": {"n": "{{inputs.parameters.x}}"}}'
    container: { image: alpine, command: ["true"] }
  - { name: retried, retryStrategy: { limit: 1 }, podSpecPatch: "{", container: { image: alpine, command: ["true"] } }
  - name: again
    retryStrategy: { limit: 1, retryPolicy: Always }
    podSpecPatch: "{"
    container: { image: alpine, command: ["true"] }
  - { name: pause, inputs: { parameters: [{ name: d, value: x }] }, suspend: { duration: "{{inputs.parameters.d}}" } }
  - { name: slow, container: { image: alpine, command: [sleep, "10"] } }`,
    answers: { slow: { durationSeconds: 10 } },
    expected: {
      phase: "Succeeded",
      nodes: {
        pod: "Error: Error applying PodSpecPatch",
        "pod.onExit": "Succeeded",
        "loop(0:a)": "Succeeded",
        retried: "Error: Error applying PodSpecPatch",
        again: "Error: No more retries left",
        pause: "Error: templates.pause.suspend.duration",
        other: "Succeeded",
      },
      runs: { show: ["echo Error", "echo Error Error Error"] },
      seconds: { other: 10 },
    },
  },
  {
    issues: [],
    behavior:
      "timeout in steps: fails its step as any failure does, with continueOn.failed, siblings and a named message",
    argo: "the group fails at once with the message timeout, in spite of continueOn",
    workflow: `
  - name: main
    steps:
    - - { name: ignored, template: never, continueOn: { failed: true } }
      - { name: other, template: slow }
    - - { name: late, template: never }
      - { name: other-too, template: slow }
    - - { name: not-reached, template: ok }
  - { name: never, timeout: 10s, http: { url: "http://x" } }
  - { name: slow, container: { image: alpine, command: [sleep, "60"] } }`,
    answers: { never: { durationSeconds: 1000 }, slow: { durationSeconds: 60 } },
    expected: {
      phase: "Failed",
      message: "(late: timeout)' failed",
      nodes: { ignored: "Failed: timeout", other: "Succeeded", late: "Failed: timeout", "other-too": "Succeeded" },
      noNodes: ["not-reached"],
      seconds: { ignored: 10, late: 10, "other-too": 60 },
    },
  },
];
