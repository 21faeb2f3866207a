/** Reports about stop, terminate, deadlines and suspended workflows. */
import type { FieldReport } from "../field_report.ts";

/** Templates that share a mutex: the first one to get it holds it forever. */
const LOCKED = `
  - name: locked
    synchronization: { mutexes: [{ name: m }] }
    container: { image: alpine, command: [sleep, "9999"] }`;

/** Reports about stop, terminate, deadlines and suspended workflows. */
export const SHUTDOWN: readonly FieldReport[] = [
  ...(["Stop", "Terminate"] as const).map((strategy): FieldReport => ({
    issues: [16777, 7633],
    behavior: `${strategy}: a node that waits for a lock ends at once, in steps and in a DAG`,
    workflow: `
  - name: main
    dag: { tasks: [{ name: a, template: locked }, { name: b, template: locked }, { name: c, template: steps }] }
  - { name: steps, steps: [[{ name: d, template: locked }]] }${LOCKED}`,
    shutdown: { strategy, afterSeconds: 10 },
    answers: { locked: { durationSeconds: Infinity } },
    expected: {
      phase: "Failed",
      nodes: { a: "Failed", b: `Failed: Stopped with strategy '${strategy}'`, d: "Failed" },
      calls: { locked: 1 },
      seconds: { b: 10, d: 10 },
    },
  })),
  {
    issues: [16776],
    behavior: "Terminate: a workflow that still waits for its lock is Failed and has no nodes",
    objects: [`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { none: "0" } }`],
    spec: "synchronization: { semaphores: [{ configMapKeyRef: { name: c, key: none } }] }",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }`,
    shutdown: { strategy: "Terminate", afterSeconds: 10 },
    expected: { phase: "Failed", message: "Stopped with strategy 'Terminate'", calls: { main: 0 }, noNodes: ["w"] },
  },
  {
    issues: [16488],
    behavior: "Stop: an exit handler that is a DAG runs to its end",
    spec: "onExit: bye",
    workflow: `
  - name: main
    dag: { tasks: [{ name: a, template: long }] }
  - { name: long, container: { image: alpine, command: [sleep, "9999"] } }
  - name: bye
    dag: { tasks: [{ name: one, template: show, arguments: { parameters: [{ name: m, value: "{{workflow.status}}" }] } }, { name: two, template: ok, depends: one }] }`,
    shutdown: { strategy: "Stop", afterSeconds: 10 },
    answers: { long: { durationSeconds: Infinity }, show: { durationSeconds: 60 } },
    expected: {
      phase: "Failed",
      nodes: { "w.onExit": "Succeeded", one: "Succeeded", two: "Succeeded" },
      inputs: { show: [{ m: "Failed" }] },
    },
  },
  ...(["Stop", "Terminate"] as const).map((strategy): FieldReport => ({
    issues: [17041],
    behavior: `${strategy}: ends a workflow that is suspended as a whole`,
    argo: "has no effect",
    spec: "suspend: true\nonExit: bye",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }
  - { name: bye, container: { image: alpine, command: ["true"] } }`,
    shutdown: { strategy, afterSeconds: 10 },
    expected: { phase: "Failed", calls: { main: 0, bye: strategy === "Stop" ? 1 : 0 } },
  })),
  ...(["Stop", "Terminate"] as const).map((strategy): FieldReport => ({
    issues: [15740],
    behavior: `${strategy}: a retry node ends with its attempt, and starts no other one`,
    workflow: `
  - name: main
    dag: { tasks: [{ name: a, template: flaky }, { name: b, template: delayed }] }
  - { name: flaky, retryStrategy: { limit: 5 }, container: { image: alpine, command: [sleep, "9999"] } }
  - name: delayed
    retryStrategy: { limit: 5, backoff: { duration: 1h } }
    container: { image: alpine, command: ["false"] }`,
    shutdown: { strategy, afterSeconds: 10 },
    answers: { flaky: { durationSeconds: Infinity }, delayed: { exitCode: 1 } },
    expected: {
      phase: "Failed",
      nodes: { a: "Failed", "a(0)": "Failed", b: "Failed" },
      calls: { flaky: 1, delayed: 1 },
      seconds: { b: 10 },
    },
  })),
  {
    issues: [13052, 13120],
    behavior: "Terminate: ends an exit handler that is running",
    spec: "onExit: bye",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }
  - { name: bye, container: { image: alpine, command: [sleep, "9999"] } }`,
    shutdown: { strategy: "Terminate", afterSeconds: 10 },
    answers: { bye: { durationSeconds: Infinity } },
    expected: { phase: "Failed", nodes: { w: "Succeeded", "w.onExit": "Failed" }, seconds: { "w.onExit": 10 } },
  },
  {
    issues: [13016],
    behavior: "activeDeadlineSeconds: an exit handler is not bounded by it",
    spec: "activeDeadlineSeconds: 5\nonExit: bye",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }
  - name: bye
    steps: [[{ name: a, template: long }], [{ name: b, template: ok }]]
  - { name: long, container: { image: alpine, command: [sleep, "60"] } }`,
    answers: { long: { durationSeconds: 60 } },
    expected: { phase: "Succeeded", nodes: { a: "Succeeded", b: "Succeeded" }, seconds: { a: 60 } },
  },
  {
    issues: [1407],
    behavior: "Terminate: ends a step that waits for a person",
    workflow: `
  - { name: main, steps: [[{ name: ask, template: ask }]] }
  - { name: ask, suspend: {} }`,
    shutdown: { strategy: "Terminate", afterSeconds: 10 },
    expected: { phase: "Failed", nodes: { ask: "Failed" }, seconds: { ask: 10 } },
  },
  {
    issues: [16982, 16983],
    behavior: "activeDeadlineSeconds: ends a workflow with a step that waits for a lock",
    spec: "activeDeadlineSeconds: 20",
    workflow: `
  - { name: main, steps: [[{ name: a, template: locked }, { name: b, template: locked }]] }${LOCKED}`,
    answers: { locked: { durationSeconds: Infinity } },
    expected: { phase: "Failed", nodes: { a: "Failed", b: "Failed" }, seconds: { b: 20 }, calls: { locked: 1 } },
  },
];
