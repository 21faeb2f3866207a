/** Reports about hooks and exit handlers. */
import type { FieldReport } from "../field_report.ts";

/** Reports about hooks and exit handlers. */
export const HOOKS: readonly FieldReport[] = [
  {
    issues: [15163],
    behavior: "running hook of the workflow: the entrypoint runs once, and the workflow waits for a slower hook",
    argo: "runs the entrypoint again while the hook runs",
    workflow: `
  - name: main
    retryStrategy: { limit: 2 }
    container: { image: alpine, command: ["true"] }
  - { name: slow, container: { image: alpine, command: ["true"] } }`,
    spec: `hooks: { running: { template: slow, expression: "workflow.status == 'Running'" } }`,
    answers: { main: { durationSeconds: 5 }, slow: { durationSeconds: 100 } },
    expected: { phase: "Succeeded", calls: { main: 1, slow: 1 }, nodes: { "w.hooks.running": "Succeeded" } },
  },
  {
    issues: [12120],
    behavior: "exit hook of a task: retries of the hook end while the next tasks run",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: some, template: ok, hooks: { exit: { template: report } } }
      - { name: finish, template: ok, depends: some }
  - name: report
    retryStrategy: { limit: 2 }
    container: { image: alpine, command: ["true"] }`,
    answers: { report: ({ attempt }) => ({ exitCode: attempt === 0 ? 1 : 0, durationSeconds: 10 }) },
    expected: { phase: "Succeeded", calls: { report: 2 }, nodes: { "some.onExit": "Succeeded", finish: "Succeeded" } },
  },
  {
    issues: [],
    behavior: "exit handler: loops over workflow.failures",
    argo: "the loop is an error, because the value is a quoted text",
    spec: "onExit: each",
    workflow: `
  - name: main
    steps: [[{ name: a, template: bad }]]
  - name: each
    steps:
    - - name: one
        template: show
        withParam: "{{workflow.failures}}"
        arguments: { parameters: [{ name: m, value: "{{item.displayName}}" }] }`,
    expected: { phase: "Failed", calls: { show: 3 } },
  },
  {
    issues: [13239],
    behavior: "exit hook of a loop: runs once for each item in a DAG, with that item",
    argo: "runs once more for the loop, with the text {{item}}",
    workflow: `
  - name: main
    dag:
      tasks:
      - name: hook
        withItems: [a, b]
        template: ok
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "exit {{item}}" }] } } }
      - { name: after, depends: hook, template: ok }`,
    expected: {
      phase: "Succeeded",
      inputs: { show: [{ m: "exit a" }, { m: "exit b" }] },
      nodes: { "hook(0:a).onExit": "Succeeded", "hook(1:b).onExit": "Succeeded", after: "Succeeded" },
      noNodes: ["hook.onExit"],
    },
  },
  {
    issues: [],
    behavior: "exit hook of a loop: runs once for each item in steps, with that item",
    workflow: `
  - name: main
    steps:
    - - name: hook
        withItems: [a, b]
        template: ok
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "exit {{item}}" }] } } }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "exit a" }, { m: "exit b" }] } },
  },
  {
    issues: [],
    behavior: "hook of a loop: its expression sees the status of each item",
    argo: "the workflow ends in Error",
    workflow: `
  - name: main
    steps: [[{ name: steps, template: steps }, { name: dag, template: dag }]]
  - name: steps
    steps:
    - - name: hook
        withItems: [a, b]
        template: only
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
        continueOn: { failed: true }
        hooks:
          failed:
            expression: steps["hook"].status == "Failed"
            template: show
            arguments: { parameters: [{ name: m, value: "steps {{item}} {{steps.hook.status}}" }] }
  - name: dag
    dag:
      failFast: false
      tasks:
      - name: hook
        withItems: [a, b]
        template: only
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
        hooks:
          failed:
            expression: tasks.hook.status == "Failed"
            template: show
            arguments: { parameters: [{ name: m, value: "dag {{item}} {{tasks.hook.status}}" }] }
      - { name: after, depends: hook.Failed, template: ok }
  - name: only
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [test, "{{inputs.parameters.m}}", "=", a] }`,
    answers: { only: ({ inputs }) => ({ exitCode: inputs.parameters.m === "a" ? 0 : 1 }) },
    expected: {
      phase: "Succeeded",
      inputs: { show: [{ m: "steps b Failed" }, { m: "dag b Failed" }] },
      nodes: { after: "Succeeded" },
    },
  },
  {
    issues: [],
    behavior: "exit hook of a loop: gets the outputs of its item",
    argo: "the hook gets the text of the tag",
    workflow: `
  - name: main
    dag:
      tasks:
      - name: make
        withParam: '["a", "b"]'
        template: make
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
        hooks:
          exit:
            template: show
            arguments: { parameters: [{ name: m, value: "{{tasks.make.outputs.parameters.out}} of {{item}}" }] }
  - name: make
    inputs: { parameters: [{ name: m }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { make: ({ inputs }) => ({ parameters: { out: `<${inputs.parameters.m}>` } }) },
    expected: { phase: "Succeeded", inputs: { show: [{ m: "<a> of a" }, { m: "<b> of b" }] } },
  },
  {
    issues: [13245, 8882],
    behavior: "exit hook of the workflow: may refer to workflow.failures, as onExit does",
    argo: "refuses the workflow: failed to resolve {{workflow.failures}}",
    spec: "hooks: { exit: { template: bye } }",
    workflow: `
  - { name: main, container: { image: alpine, command: ["false"] } }
  - { name: bye, script: { image: alpine, command: [sh], source: "{{workflow.status}} {{workflow.failures}}" } }`,
    answers: { main: { exitCode: 4 } },
    expected: {
      phase: "Failed",
      nodes: { "w.onExit": "Succeeded" },
      includes: { bye: [['Failed "[{', "exit code 4"]] },
    },
  },
  {
    issues: [],
    behavior: "hook of a task: its expression may refer to tasks before it, also by a computed name",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: before, template: ok }
      - name: spelled
        depends: before
        template: ok
        hooks:
          one: { expression: 'tasks["before"].status == "Succeeded" && tasks.spelled.status == "Succeeded"', template: ok }
      - name: computed
        depends: before
        template: ok
        hooks: { one: { expression: 'tasks["be" + "fore"].status == "Succeeded"', template: ok } }`,
    expected: {
      phase: "Succeeded",
      nodes: { "spelled.hooks.one": "Succeeded", "computed.hooks.one": "Succeeded" },
    },
  },
  {
    issues: [],
    behavior: "hooks of a call that never starts: run although the DAG ends with it",
    workflow: `
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: words, template: words }
      - name: one
        depends: words
        template: ok
        when: "{{tasks.words.outputs.result}}"
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: one }] } } }
      - name: unresolved
        depends: one.Errored
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.one.outputs.result}}" }] }
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: unresolved }] } } }
      - name: loop
        depends: one.Errored
        template: ok
        withItems: [x y, "false"]
        when: "{{item}}"
        hooks:
          exit: { template: show, arguments: { parameters: [{ name: m, value: "exit {{item}}" }] } }
          skip:
            expression: tasks.loop.status == "Skipped"
            template: show
            arguments: { parameters: [{ name: m, value: "skip {{item}}" }] }
  - { name: words, script: { image: alpine, command: [sh], source: echo } }`,
    answers: { words: { result: "x y" } },
    expected: {
      phase: "Error",
      inputs: { show: [{ m: "one" }, { m: "exit x y" }, { m: "unresolved" }, { m: "skip false" }] },
      nodes: { one: "Error", unresolved: "Error", "loop(0:x y)": "Error", "loop(1:false)": "Skipped" },
    },
  },
  {
    issues: [],
    behavior: "hook: an argument that is an output of a failed task takes the default, or ends the hook with an error",
    argo: "the hook gets the text of the tag",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: give }
      - name: defaulted
        depends: a.Failed
        template: ok
        hooks: { exit: { template: optional, arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.o}}" }] } } }
      - name: without
        depends: a.Failed
        template: ok
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "{{=tasks.a.outputs.parameters.o}} {{tasks.a.exitCode}}" }] } } }
  - name: give
    outputs: { parameters: [{ name: o, valueFrom: { path: /o } }] }
    container: { image: alpine, command: ["false"] }
  - name: optional
    inputs: { parameters: [{ name: m, default: d }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    answers: { give: { exitCode: 1 } },
    expected: {
      phase: "Succeeded",
      calls: { show: 0 },
      runs: { optional: ["echo d"] },
      nodes: {
        "without.onExit":
          "Error: failed to resolve {{tasks.a.outputs.parameters.o}}: tasks.a failed and has no output o",
      },
    },
  },
  {
    issues: [],
    behavior: "exit hook in steps: its error ends the group, and every message names the handler",
    argo: "the node of the steps says Workflow operation error",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: ok, hooks: { exit: { templateRef: { name: absent, template: x } } } }`,
    expected: {
      phase: "Error",
      message: "step group deemed errored due to child w[0].a.onExit error: workflow template absent not found",
      nodes: {
        w: "Error: step group deemed errored due to child w[0].a.onExit error",
        "[0]": "Error: step group deemed",
      },
    },
  },
  {
    issues: [],
    behavior: "exit handler of a loop: runs once if the loop cannot be expanded, and not for an item that is not there",
    workflow: `
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: a, template: print }
      - { name: loop, template: ok, depends: a, withParam: "{{tasks.a.outputs.result}}", onExit: seen }
      - name: items
        depends: a
        template: ok
        withSequence: { count: "{{tasks.a.outputs.result}}" }
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "{{item}}" }] } } }
  - { name: seen, container: { image: alpine, command: [echo] } }`,
    expected: {
      phase: "Error",
      calls: { ok: 0, show: 0, seen: 1 },
      nodes: {
        loop: "Error: withParam value could not be parsed as a JSON list",
        "loop.onExit": "Succeeded",
        items: "Error: withSequence.count is not an integer",
        "items.onExit": "Error: failed to resolve {{item}}: item has no value",
      },
    },
  },
  {
    issues: [],
    behavior: "hooks: their expressions read the outputs of their own step, task or item",
    argo:
      "an exit code is nil, and outputs are an error that fails the steps, or the handler of a task without a trace",
    workflow: `
  - name: main
    steps:
    - - name: loop
        template: say
        withItems: [1, 2]
        arguments: { parameters: [{ name: x, value: "{{item}}" }] }
        hooks:
          exit: { template: seen, expression: steps.loop.outputs.result == "2" }
      - name: made
        template: make
        hooks:
          done: { template: seen, expression: 'steps.made.status == "Succeeded" && steps.made.outputs.parameters.out == "made"' }
          plain: { template: seen, expression: steps.made.outputs.parameters.out == "made" }
      - name: code
        template: bad
        continueOn: { failed: true }
        hooks:
          exit: { template: seen, expression: 'steps.code.exitCode == "1" && steps.code.outputs.result == ""' }
    - - { name: tasks, template: tasks }
  - name: tasks
    dag:
      tasks:
      - name: task
        template: make
        hooks:
          done: { template: seen, expression: 'tasks.task.status == "Succeeded" && tasks.task.outputs.parameters.out == "made"' }
          plain: { template: seen, expression: tasks.task.outputs.parameters.out == "made" }
          exit: { template: seen, expression: tasks.task.outputs.parameters.out == "other" }
  - { name: say, inputs: { parameters: [{ name: x }] }, script: { image: alpine, command: [sh], source: "{{inputs.parameters.x}}" } }
  - { name: seen, container: { image: alpine, command: [echo] } }`,
    answers: { say: ({ inputs }) => ({ result: inputs.parameters["x"]! }) },
    expected: {
      phase: "Succeeded",
      nodes: {
        "loop(1:2).onExit": "Succeeded",
        "made.hooks.done": "Succeeded",
        "made.hooks.plain": "Succeeded",
        "task.hooks.done": "Succeeded",
        "task.hooks.plain": "Succeeded",
        "code.onExit": "Succeeded",
      },
      noNodes: ["loop(0:1).onExit", "task.onExit"],
      calls: { seen: 6 },
    },
  },
  {
    issues: [],
    behavior: "retry: hooks of every reopened node run again, as those of a node that is created again do",
    argo: "hooks that succeeded are kept, so a second failure is not reported",
    spec: `hooks:
  failed: { template: seen, expression: workflow.status == "Failed" }`,
    workflow: `
  - name: main
    dag:
      tasks:
      - name: nested
        template: nested
        hooks:
          start: { template: seen, expression: tasks.nested.status == "Running" }
          failed: { template: seen, expression: tasks.nested.status == "Failed" }
          exit: { template: seen }
  - name: nested
    steps:
    - - { name: first, template: ok, hooks: { done: { template: seen, expression: steps.first.status == "Succeeded" } } }
    - - { name: second, template: again, hooks: { failed: { template: seen, expression: steps.second.status == "Failed" } } }
  - { name: again, retryStrategy: { limit: 1 }, container: { image: alpine, command: ["false"] } }
  - { name: seen, container: { image: alpine, command: [echo] } }`,
    answers: { again: { exitCode: 1 } },
    expected: { phase: "Failed", calls: { seen: 6 } },
    secondRun: {
      by: "retry",
      answers: { again: { exitCode: 1 } },
      expected: {
        phase: "Failed",
        // All but the hook of the step that succeeded.
        calls: { seen: 5, ok: 0 },
        nodes: { "w.hooks.failed": "Succeeded", "nested.hooks.start": "Succeeded", "second.hooks.failed": "Succeeded" },
      },
    },
  },
];
