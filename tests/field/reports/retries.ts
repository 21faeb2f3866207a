/** Reports about `retryStrategy`. */
import type { FieldReport } from "../field_report.ts";

/** Reports about `retryStrategy`. */
export const RETRIES: readonly FieldReport[] = [
  {
    issues: [15277],
    behavior: "backoff: a delay that exceeds every clock does not overflow",
    workflow: `
  - name: main
    retryStrategy: { limit: 40, backoff: { duration: 5s, factor: 2 } }
    container: { image: alpine, command: ["true"] }`,
    answers: { main: ({ attempt }) => ({ exitCode: attempt < 33 ? 1 : 0 }) },
    expected: { phase: "Succeeded", nodes: { "w(33)": "Succeeded" } },
  },
  {
    issues: [13772, 13782],
    behavior: "backoff: cap bounds each delay",
    workflow: `
  - name: main
    retryStrategy: { limit: 4, backoff: { duration: "10", factor: 10, cap: "15" } }
    container: { image: alpine, command: ["false"] }`,
    answers: { main: { exitCode: 1 } },
    expected: { phase: "Failed", seconds: { w: 10 + 15 + 15 + 15 }, nodes: { "w(4)": "Failed" } },
  },
  {
    issues: [13058, 13165],
    behavior: "retryStrategy: its expression is evaluated for attempts that failed, not for one that succeeded",
    workflow: `
  - name: main
    retryStrategy: { limit: 3, expression: "asInt(lastRetry.exitCode) == 3" }
    container: { image: alpine, command: ["true"] }`,
    answers: { main: ({ attempt }) => ({ exitCode: attempt === 0 ? 3 : 0 }) },
    expected: { phase: "Succeeded", nodes: { "w(1)": "Succeeded" }, calls: { main: 2 } },
  },
  {
    issues: [15051, 15574],
    behavior: "retryStrategy of the workflow: inline templates run below it",
    spec: "retryStrategy: { limit: 1 }",
    workflow: `
  - name: main
    steps:
    - - { name: hello, inline: { container: { image: alpine, command: [echo, hello] } } }
    - - { name: dag, inline: { dag: { tasks: [{ name: in, inline: { container: { image: alpine, command: [echo, in] } } }] } } }`,
    expected: { phase: "Succeeded", nodes: { w: "Succeeded" }, calls: { hello: 1, in: 1 } },
  },
  {
    issues: [14228, 14299, 14647],
    behavior: "loop with retries: its outputs are those of the last attempts, in steps and in a DAG",
    workflow: `
  - name: main
    steps:
    - - { name: each, template: flaky, withItems: [a, b], arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
      - { name: dag, template: dag }
    - - name: use
        template: show
        arguments: { parameters: [{ name: m, value: "{{steps.each.outputs.parameters.out}}" }] }
  - name: dag
    dag:
      tasks:
      - { name: each, template: flaky, withItems: [c], arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
      - name: use
        depends: each
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.each.outputs.parameters.out}}" }] }
  - name: flaky
    retryStrategy: { limit: 2 }
    inputs: { parameters: [{ name: m }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: {
      flaky: ({ attempt, inputs }) =>
        attempt === 0 ? { exitCode: 1 } : { parameters: { out: `${inputs.parameters.m}${attempt}` } },
    },
    expected: { phase: "Succeeded", inputs: { show: [{ m: '["c1"]' }, { m: '["a1","b1"]' }] } },
  },
  {
    issues: [14715, 13705],
    behavior: "daemon: one that fails while it serves is started again by its retryStrategy",
    workflow: `
  - name: main
    steps:
    - - { name: d, template: d }
    - - { name: use, template: use, arguments: { parameters: [{ name: ip, value: "{{steps.d.ip}}" }] } }
  - name: d
    daemon: true
    retryStrategy: { limit: 2 }
    container: { image: alpine, command: [serve] }
  - name: use
    inputs: { parameters: [{ name: ip }] }
    container: { image: alpine, command: [wget, "{{inputs.parameters.ip}}"] }`,
    answers: {
      d: ({ attempt }) => attempt === 0 ? { exitCode: 1, durationSeconds: 5 } : {},
      use: { durationSeconds: 30 },
    },
    expected: { phase: "Succeeded", calls: { d: 2, use: 1 }, nodes: { "d(0)": "Failed", "d(1)": "Succeeded" } },
  },
  {
    issues: [2798],
    behavior: "continueOn: a step whose retries are exhausted lets the workflow continue",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: flaky, continueOn: { failed: true } }
    - - { name: b, template: ok }
  - { name: flaky, retryStrategy: { limit: 1 }, container: { image: alpine, command: ["false"] } }`,
    answers: { flaky: { exitCode: 1 } },
    expected: { phase: "Succeeded", nodes: { a: "Failed: No more retries left", b: "Succeeded" } },
  },
  {
    issues: [16450, 16451, 16454],
    behavior: "retry: in a diamond over a loop, only the failed task runs again, and the loop stays completed",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: p, template: ok }
      - { name: g, template: ok, withItems: [a, b] }
      - { name: x, template: last, depends: p && g }
  - { name: last, container: { image: alpine, command: ["true"] } }`,
    answers: { last: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { x: "Failed" } },
    secondRun: {
      by: "retry",
      expected: { phase: "Succeeded", calls: { ok: 0, last: 1 }, nodes: { g: "Succeeded", x: "Succeeded" } },
    },
  },
  {
    issues: [15802, 15827],
    behavior: "retry: with another list, items that are not in it are gone",
    spec: 'arguments: { parameters: [{ name: list, value: \'["pass", "fail"]\' }] }',
    workflow: `
  - name: main
    dag:
      tasks:
      - name: each
        template: try
        withParam: "{{workflow.parameters.list}}"
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
  - name: try
    retryStrategy: { limit: 0 }
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    answers: { try: ({ inputs }) => ({ exitCode: inputs.parameters.m === "fail" ? 1 : 0 }) },
    expected: { phase: "Failed" },
    secondRun: {
      by: "retry",
      parameters: { list: '["fail"]' },
      expected: {
        phase: "Succeeded",
        inputs: { try: [{ m: "fail" }] },
        nodes: { "each(0:fail)": "Succeeded" },
        noNodes: ["each(0:pass)", "each(1:fail)"],
      },
    },
  },
  {
    issues: [14796, 14803],
    behavior: "retry: a retry node that succeeded after a failed attempt does not run again",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: flaky }
    - - { name: b, template: last }
  - { name: flaky, retryStrategy: { limit: 2 }, container: { image: alpine, command: ["true"] } }
  - { name: last, container: { image: alpine, command: ["true"] } }`,
    answers: { flaky: ({ attempt }) => ({ exitCode: attempt === 0 ? 1 : 0 }), last: { exitCode: 1 } },
    expected: { phase: "Failed" },
    secondRun: {
      by: "retry",
      expected: { phase: "Succeeded", calls: { flaky: 0, last: 1 }, nodes: { a: "Succeeded" } },
    },
  },
  {
    issues: [13196],
    behavior: "retry: in a workflow of a single node whose exit handler failed, only the exit handler runs again",
    spec: "onExit: bye",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }
  - { name: bye, container: { image: alpine, command: ["true"] } }`,
    answers: { bye: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { w: "Succeeded", "w.onExit": "Failed" } },
    secondRun: {
      by: "retry",
      expected: { phase: "Succeeded", calls: { main: 0, bye: 1 }, nodes: { "w.onExit": "Succeeded" } },
    },
  },
  {
    issues: [14180, 14181],
    behavior: "retry: a node that runs again runs its exit handler again",
    spec: "onExit: bye",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: last, hooks: { exit: { template: ok } } }
  - { name: last, container: { image: alpine, command: ["true"] } }
  - { name: bye, container: { image: alpine, command: [echo, "{{workflow.status}}"] } }`,
    answers: { last: { exitCode: 1 } },
    expected: { phase: "Failed", calls: { ok: 1 }, runs: { bye: ["echo Failed"] } },
    secondRun: {
      by: "retry",
      expected: { phase: "Succeeded", calls: { last: 1, ok: 1 }, runs: { bye: ["echo Succeeded"] } },
    },
  },
  {
    issues: [13799],
    behavior: "retries: arguments of steps below a template with retries may use it",
    workflow: `
  - name: main
    retryStrategy: { limit: 2 }
    steps:
    - - { name: a, template: try, arguments: { parameters: [{ name: "n", value: "{{retries}}" }] } }
  - name: try
    inputs: { parameters: [{ name: "n" }] }
    container: { image: alpine, command: [exit, "{{inputs.parameters.n}}"] }`,
    answers: { try: ({ inputs }) => ({ exitCode: inputs.parameters.n === "1" ? 0 : 1 }) },
    expected: { phase: "Succeeded", inputs: { try: [{ n: "0" }, { n: "1" }] } },
  },
  {
    issues: [13799],
    behavior: "retries: conditions and loops below a template with retries may use it",
    workflow: `
  - name: main
    retryStrategy: { limit: 1 }
    dag:
      tasks:
      - { name: again, template: ok, when: "{{retries}} > 0" }
      - { name: bad, template: bad, depends: again || again.Skipped, when: "{{retries}} == 0" }`,
    expected: { phase: "Succeeded", calls: { ok: 1, bad: 1 } },
  },
  {
    issues: [16855],
    behavior: "backoff: maxDuration bounds the time from the first attempt to the last",
    workflow: `
  - name: main
    retryStrategy: { limit: 10, backoff: { duration: 10s, factor: 2, maxDuration: 1m } }
    container: { image: alpine, command: ["false"] }`,
    answers: { main: { exitCode: 1, durationSeconds: 5 } },
    expected: { phase: "Failed", message: "Backoff would exceed max duration limit", calls: { main: 3 } },
  },
  {
    issues: [],
    behavior: "retry: a step that a stop ended runs again, also where the workflow may continue after its failure",
    workflow: `
  - { name: main, steps: [[{ name: a, template: long, continueOn: { failed: true } }], [{ name: b, template: ok }]] }
  - { name: long, container: { image: alpine, command: [sleep, "60"] } }`,
    answers: { long: { durationSeconds: 60 } },
    shutdown: { strategy: "Stop", afterSeconds: 10 },
    expected: { phase: "Failed", nodes: { a: "Failed", b: "Failed" } },
    secondRun: { by: "retry", expected: { phase: "Succeeded", nodes: { a: "Succeeded" }, calls: { long: 1, ok: 1 } } },
  },
  {
    issues: [],
    behavior: "messages: a workflow whose entry template exhausts its retries names the last attempt and quotes it",
    argo: "ends with the message: No more retries left",
    workflow: `
  - { name: main, retryStrategy: { limit: 1 }, container: { image: alpine, command: ["false"] } }`,
    answers: { main: { exitCode: 3 } },
    expected: {
      phase: "Failed",
      message: "No more retries left: w(1): main: Error (exit code 3)",
      nodes: { w: "Failed: No more retries left" },
    },
  },
  {
    issues: [],
    behavior: "messages: a workflow whose retry expression is false names the only attempt and quotes it",
    argo: "ends with the message: retryStrategy.expression evaluated to false",
    workflow: `
  - name: main
    retryStrategy: { limit: 3, expression: "lastRetry.exitCode != '3'" }
    container: { image: alpine, command: ["false"] }`,
    answers: { main: { exitCode: 3 } },
    expected: {
      phase: "Failed",
      message: "retryStrategy.expression evaluated to false: w(0): main: Error (exit code 3)",
    },
  },
  {
    issues: [],
    behavior: "messages: a workflow whose only attempt fails under limit 0 keeps the message that clients match",
    workflow: `
  - { name: main, retryStrategy: { limit: 0 }, container: { image: alpine, command: ["false"] } }`,
    answers: { main: { exitCode: 1 } },
    expected: { phase: "Failed", workflow: { status: { message: "No more retries left" } } },
  },
];
