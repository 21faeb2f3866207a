/** Reports about mutexes, semaphores, memoization and parallelism. */
import type { FieldReport } from "../field_report.ts";

const LIMITS = [`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { one: "1", two: "2" } }`];

/** Reports about mutexes, semaphores, memoization and parallelism. */
export const LOCKS: readonly FieldReport[] = [
  {
    issues: [14461],
    behavior: "mutexes: a template with several releases all of them",
    workflow: `
  - name: main
    steps:
    - - { name: both, template: both, withItems: [1, 2] }
    - - { name: one, template: one }
  - name: both
    synchronization: { mutexes: [{ name: a }, { name: b }, { name: c }] }
    container: { image: alpine, command: ["true"] }
  - { name: one, synchronization: { mutexes: [{ name: c }] }, container: { image: alpine, command: ["true"] } }`,
    answers: { both: { durationSeconds: 10 } },
    expected: { phase: "Succeeded", calls: { both: 2, one: 1 }, seconds: { w: 20 } },
  },
  {
    issues: [16567, 16613],
    behavior: "semaphore: every item of a loop gets its turn",
    objects: LIMITS,
    workflow: `
  - { name: main, steps: [[{ name: each, template: run, withSequence: { count: "5" } }]] }
  - name: run
    synchronization: { semaphores: [{ configMapKeyRef: { name: c, key: two } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { run: { durationSeconds: 10 } },
    expected: { phase: "Succeeded", calls: { run: 5 }, seconds: { w: 30 } },
  },
  {
    issues: [14184, 13358],
    behavior: "semaphores: two keys of one ConfigMap are two limits",
    objects: LIMITS,
    workflow: `
  - { name: main, steps: [[{ name: a, template: a, withItems: [1, 2] }, { name: b, template: b, withItems: [1, 2] }]] }
  - name: a
    synchronization: { semaphores: [{ configMapKeyRef: { name: c, key: two } }, { configMapKeyRef: { name: c, key: one } }] }
    container: { image: alpine, command: ["true"] }
  - name: b
    synchronization: { semaphores: [{ configMapKeyRef: { name: c, key: two } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { a: { durationSeconds: 10 }, b: { durationSeconds: 10 } },
    expected: { phase: "Succeeded", calls: { a: 2, b: 2 } },
  },
  {
    issues: [16695],
    behavior: "memoize: a second call of steps uses the outputs that the first one saved",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: top }
    - - { name: b, template: top }
    - - name: use
        template: show
        arguments: { parameters: [{ name: m, value: "{{steps.b.outputs.parameters.url}}" }] }
  - name: top
    memoize: { key: k, cache: { configMap: { name: cache } } }
    outputs: { parameters: [{ name: url, valueFrom: { expression: "'https://x/' + steps.in.outputs.parameters.out" } }] }
    steps: [[{ name: in, template: make }]]`,
    expected: { phase: "Succeeded", calls: { make: 1 }, inputs: { show: [{ m: "https://x/made" }] } },
  },
  {
    issues: [11853, 11219],
    behavior: "memoize: a call that waited for a mutex uses what the call before it saved",
    workflow: `
  - name: main
    dag: { tasks: [{ name: a, template: slow }, { name: b, template: slow }] }
  - name: slow
    synchronization: { mutexes: [{ name: m }] }
    memoize: { key: k, cache: { configMap: { name: cache } } }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { slow: { parameters: { out: 1 }, durationSeconds: 10 } },
    expected: { phase: "Succeeded", calls: { slow: 1 }, nodes: { a: "Succeeded", b: "Succeeded" } },
  },
  {
    issues: [10426],
    behavior: "memoize: a DAG and a template with retries save and use their outputs",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: dag }
    - - { name: b, template: dag }
    - - { name: c, template: flaky }
  - name: dag
    memoize: { key: d, cache: { configMap: { name: cache } } }
    outputs: { parameters: [{ name: out, valueFrom: { parameter: "{{tasks.in.outputs.parameters.out}}" } }] }
    dag: { tasks: [{ name: in, template: flaky }] }
  - name: flaky
    memoize: { key: f, cache: { configMap: { name: cache } } }
    retryStrategy: { limit: 1 }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { flaky: ({ attempt }) => attempt === 0 ? { exitCode: 1 } : { parameters: { out: 1 } } },
    expected: { phase: "Succeeded", calls: { flaky: 2 } },
  },
  {
    issues: [14148],
    behavior: "progress: counts steps that waited for a mutex",
    workflow: `
  - { name: main, steps: [[{ name: each, template: run, withItems: [1, 2] }]] }
  - { name: run, synchronization: { mutexes: [{ name: m }] }, container: { image: alpine, command: ["true"] } }`,
    expected: { phase: "Succeeded", workflow: { status: { progress: "2/2" } } },
  },
  {
    issues: [13182],
    behavior: "synchronization: a mutex and a semaphore of one template both hold",
    objects: [`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { two: "2" } }`],
    workflow: `
  - { name: main, steps: [[{ name: each, template: run, withItems: [1, 2] }]] }
  - name: run
    synchronization:
      mutexes: [{ name: m }]
      semaphores: [{ configMapKeyRef: { name: c, key: two } }]
    container: { image: alpine, command: ["true"] }`,
    answers: { run: { durationSeconds: 10 } },
    expected: { phase: "Succeeded", calls: { run: 2 }, seconds: { w: 20 } },
  },
];
