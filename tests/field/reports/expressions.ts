/** Reports about expressions. */
import type { FieldReport } from "../field_report.ts";

/** Reports about expressions. */
export const EXPRESSIONS: readonly FieldReport[] = [
  {
    issues: [16274],
    behavior: "expression: ?? and ?. replace a field that an item does not have",
    workflow: `
  - name: main
    steps:
    - - name: each
        template: show
        withItems: [{ k: a, o: set }, { k: b }]
        arguments:
          parameters:
          - { name: m, value: "{{= item.o ?? 'no' }} {{= item['o'] ?? 'no' }} {{= item?.o ?? 'no' }} {{= item.p?.q ?? 'none' }}" }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "set set set none" }, { m: "no no no none" }] } },
  },
  {
    issues: [15093],
    behavior: "expression: a variadic function accepts nil among its arguments",
    workflow: `
  - name: main
    container: { image: alpine, command: [echo, "{{= sprig.dig('nope', 'usual', workflow) }} {{= sprig.dig('name', nil, workflow) }}"] }`,
    expected: { phase: "Succeeded", runs: { main: ["echo usual w"] } },
  },
  {
    issues: [15033],
    behavior: "expression: a function of sprig may be applied to the item of a loop",
    workflow: `
  - name: main
    steps:
    - - name: steps
        template: show
        withItems: [example]
        arguments: { parameters: [{ name: m, value: "{{= sprig.upper(item) + workflow.name }}" }] }
      - { name: dag, template: dag }
  - name: dag
    dag:
      tasks:
      - name: task
        template: show
        withItems: [{ k: v }]
        arguments: { parameters: [{ name: m, value: "{{= sprig.upper(item.k) }}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "EXAMPLEw" }, { m: "V" }] } },
  },
  {
    issues: [14718],
    behavior: "withSequence: its fields and arguments may combine inputs, arguments of the workflow and the item",
    spec: `arguments: { parameters: [{ name: more, value: "1" }] }`,
    workflow: `
  - name: main
    inputs: { parameters: [{ name: start, value: '10' }] }
    steps:
    - - name: each
        template: show
        withSequence: { start: "{{= asInt(inputs.parameters.start) }}", count: "{{= asInt(workflow.parameters.more) + 1 }}" }
        arguments:
          parameters:
          - { name: m, value: "{{= asInt(item) + asInt(inputs.parameters.start) + asInt(workflow.parameters.more) }}" }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "21" }, { m: "22" }] } },
  },
  {
    issues: [13718],
    behavior: "loop: escapes in the items of withItems and withParam are those of JSON",
    workflow: `
  - name: main
    steps:
    - - name: items
        template: show
        withItems: ["a\\tb", '{"k": "x\\ny"}']
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
    - - name: param
        template: show
        withParam: '[1234, "foo\\tbar", "C:\\\\dir", true, []]'
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }`,
    expected: {
      phase: "Succeeded",
      inputs: {
        show: [
          { m: "a\tb" },
          { m: '{"k": "x\\ny"}' },
          { m: "1234" },
          { m: "foo\tbar" },
          { m: "C:\\dir" },
          { m: "true" },
          { m: "[]" },
        ],
      },
    },
  },
  {
    issues: [12909],
    behavior: "expression: a map or list becomes JSON",
    spec: `arguments: { parameters: [{ name: c, value: '{"a": {"b": [1, "x"]}}' }] }`,
    workflow: `
  - name: main
    container: { image: alpine, command: [echo, "{{= fromJSON(workflow.parameters.c).a }} {{= jsonpath(workflow.parameters.c, '$.a.b') }}"] }`,
    expected: { phase: "Succeeded", runs: { main: ['echo {"b":[1,"x"]} [1,"x"]'] } },
  },
  {
    issues: [12739],
    behavior: "expression: an optional chain through a missing object is nil",
    spec: `arguments: { parameters: [{ name: c, value: '{"a": {"n": 1}}' }] }`,
    workflow: `
  - name: main
    container:
      image: alpine
      command:
      - echo
      - "{{= fromJSON(workflow.parameters.c).b?.n ?? 'none' }}"
      - "{{= toJson(fromJSON(workflow.parameters.c).b?.n) }}"`,
    expected: { phase: "Succeeded", runs: { main: ["echo none null"] } },
  },
  {
    issues: [10462],
    behavior: "withParam: an expression may make ranges from an argument of the workflow",
    spec: "arguments: { parameters: [{ name: chunk, value: '20' }] }",
    workflow: `
  - name: main
    steps:
    - - name: each
        template: show
        withParam: "{{= toJson(map(sprig.untilStep(0, 60, asInt(workflow.parameters.chunk)), { {start: #, end: # + 20} })) }}"
        arguments: { parameters: [{ name: m, value: "{{item.start}}-{{item.end}}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "0-20" }, { m: "20-40" }, { m: "40-60" }] } },
  },
  {
    issues: [10364, 14450],
    behavior: "retry: an expression in the template may use lastRetry and retries",
    workflow: `
  - name: main
    retryStrategy: { limit: 2 }
    container: { image: alpine, command: [echo, "{{= retries == '0' ? 'first' : lastRetry.exitCode + lastRetry.status }}"] }`,
    answers: { main: ({ attempt }) => ({ exitCode: attempt === 0 ? 7 : 0 }) },
    expected: { phase: "Succeeded", runs: { main: ["echo first", "echo 7Failed"] } },
  },
  {
    issues: [12941],
    behavior: "podSpecPatch: an expression over retries is evaluated for each attempt",
    workflow: `
  - name: main
    steps:
    - - { name: a, template: run, arguments: { parameters: [{ name: mem, value: '25' }] } }
  - name: run
    inputs: { parameters: [{ name: mem }] }
    retryStrategy: { limit: 2 }
    podSpecPatch: |
      containers:
      - name: main
        resources: { requests: { memory: "{{=(sprig.int(retries)+1)*sprig.int(inputs.parameters.mem)}}Mi" } }
    container: { image: alpine, command: ["true"] }`,
    answers: { run: ({ attempt, pod }) => ({ exitCode: attempt === 0 ? 1 : 0, message: memoryOf(pod) }) },
    expected: { phase: "Succeeded", nodes: { "a(0)": "Failed: 25Mi", "a(1)": "Succeeded" } },
  },
  {
    issues: [15737],
    behavior: "loop: later tasks may use its id and status",
    workflow: `
  - name: main
    steps:
    - - { name: each, template: ok, withItems: [1, 2] }
    - - { name: dag, template: dag }
      - { name: use, template: show, arguments: { parameters: [{ name: m, value: "{{steps.each.status}}" }] } }
  - name: dag
    dag:
      tasks:
      - { name: each, template: ok, withParam: "[0, 1]" }
      - name: use
        depends: each
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.each.id}} {{tasks.each.status}}" }] }`,
    expected: { phase: "Succeeded", includes: { show: [["Succeeded"], ["w-", "Succeeded"]] } },
  },
  {
    issues: [14426],
    behavior: "argument of the workflow: a value counts more than valueFrom",
    objects: [
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: c, labels: { workflows.argoproj.io/configmap-type: Parameter } }, data: { m: of the map } }`,
    ],
    spec: `arguments:
  parameters:
  - { name: m, value: given, valueFrom: { configMapKeyRef: { name: c, key: m } } }
  - { name: o, valueFrom: { configMapKeyRef: { name: c, key: m } } }`,
    workflow: `
  - name: main
    container: { image: alpine, command: [echo, "{{workflow.parameters.m}} {{workflow.parameters.o}}"] }`,
    expected: { phase: "Succeeded", runs: { main: ["echo given of the map"] } },
  },
  {
    issues: [13890],
    behavior: "configMapKeyRef: its name and key may contain arguments of the workflow, in tags and expressions",
    objects: [
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: c-one-x, labels: { workflows.argoproj.io/configmap-type: Parameter } }, data: { ONE: found } }`,
    ],
    spec: "arguments: { parameters: [{ name: env, value: one }] }",
    workflow: `
  - name: main
    inputs:
      parameters:
      - name: v
        valueFrom:
          configMapKeyRef: { name: "c-{{ workflow.parameters.env }}-x", key: "{{=upper(workflow.parameters.env)}}" }
    container: { image: alpine, command: [echo, "{{inputs.parameters.v}}"] }`,
    expected: { phase: "Succeeded", runs: { main: ["echo found"] } },
  },
  {
    issues: [13513],
    behavior: "loop: outputs that are JSON are aggregated as JSON",
    workflow: `
  - name: main
    steps:
    - - { name: each, template: give, withItems: [1, 2], arguments: { parameters: [{ name: m, value: "{{item}}" }] } }
    - - name: again
        template: show
        withParam: "{{steps.each.outputs.parameters.out}}"
        arguments: { parameters: [{ name: m, value: "{{item.n}}" }] }
  - name: give
    inputs: { parameters: [{ name: m }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
    answers: { give: ({ inputs }) => ({ parameters: { out: { n: Number(inputs.parameters.m) } } }) },
    expected: { phase: "Succeeded", inputs: { show: [{ m: "1" }, { m: "2" }] } },
  },
  {
    issues: [12709],
    behavior: "expression: a number in an argument may be compared with < and >",
    spec: "arguments: { parameters: [{ name: count, value: 50000 }] }",
    workflow: `
  - name: main
    inputs:
      parameters:
      - { name: count }
      - { name: more, value: "{{= asInt(inputs.parameters.count) > 40000 ? '2Gi' : '1Gi' }}" }
      - { name: less, value: "{{= asInt(inputs.parameters.count) < 40000 ? '2Gi' : '1Gi' }}" }
    container: { image: alpine, command: [echo, "{{inputs.parameters.more}} {{inputs.parameters.less}}"] }`,
    expected: { phase: "Succeeded", runs: { main: ["echo 2Gi 1Gi"] } },
  },
  {
    issues: [15513, 14408],
    behavior: "reference: a condition and an argument may use outputs of an indirect ancestor",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: make }
      - { name: b, template: ok, depends: a }
      - name: c
        depends: b
        template: show
        when: "'{{tasks.a.outputs.parameters.out}}' == made"
        arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.out}} {{tasks.b.status}}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "made Succeeded" }] } },
  },
  {
    issues: [15008],
    behavior: "expression: the item alone may be the argument of a function, in arguments, conditions and hooks",
    argo: "before 3.7.5: an empty text",
    workflow: `
  - name: main
    steps:
    - - name: a
        template: show
        withItems: [example, other]
        when: "{{=sprig.hasPrefix('ex', item)}}"
        arguments: { parameters: [{ name: m, value: "{{=sprig.upper(item)}}" }] }
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "{{=sprig.title(item)}}" }] } } }
      - { name: b, template: b }
  - name: b
    dag:
      tasks:
      - name: c
        template: show
        withParam: '[1, 2.50, "x y"]'
        arguments: { parameters: [{ name: m, value: "{{=sprig.quote(item)}}" }] }`,
    expected: {
      phase: "Succeeded",
      nodes: { "a(1:other)": "Skipped" },
      inputs: { show: ["EXAMPLE", '"1"', '"2.50"', '"x y"', "Example"].map((m) => ({ m })) },
    },
  },
];

function memoryOf(pod: { readonly spec?: unknown } | undefined): string {
  return /"memory":"(\w+)"/.exec(JSON.stringify(pod?.spec))?.[1] ?? "";
}
