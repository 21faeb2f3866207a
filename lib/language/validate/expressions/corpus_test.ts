/** Expressions from Argo's documentation, in the fields where it has them: lint reports no problem. */
import { assertEquals } from "@std/assert";
import { formatProblem, lintFile } from "../lint.ts";

function problemsOf(text: string): string[] {
  return lintFile(text, "w.yaml").map(formatProblem);
}

/** A workflow with the given templates; `work` accepts any parameter and has one output. */
function workflow(templates: string, fields = ""): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-, labels: {team: a}}
spec:
  entrypoint: main
  arguments:
    parameters: [{name: app, value: a}, {name: my-list, value: "[1]"}, {name: json, value: '{"a": [{"b": 1}]}'}]
${fields}
  templates:
${templates}
  - name: work
    inputs: {parameters: [{name: p, value: x}]}
    container: {image: i, args: ["{{inputs.parameters.p}}"]}
    outputs: {parameters: [{name: out, valueFrom: {path: /out, default: "0"}}]}
`;
}

/** Expressions in a tag of a step after the step `flip-coin`, whose template has the parameters below. */
const IN_TAGS = [
  // variables.md
  "[1, 2]",
  "filter([1, 2], { # > 1})",
  "map([1, 2], { # * 2 })",
  "asInt(inputs.parameters['my-int'])",
  "asFloat(inputs.parameters['my-float'])",
  "string(1)",
  "toJson([1, 2])",
  "jsonpath(inputs.parameters.json, '$.some.path')",
  "sprig.trim(inputs.parameters['my-int'])",
  "workflow.name",
  "workflow.parameters['my-list']",
  "steps['flip-coin'].outputs.result == 'heads' ? 'a' : 'b'",
  " steps['flip-coin'].outputs.parameters.out ?? 'fallback'",
  " steps['flip-coin'].outputs.parameters.out == ''",
  "inputs.parameters['my-int'] == 'example'",
  // conversions
  "int(inputs.parameters['my-int']) + 1",
  "float(inputs.parameters['my-float']) / 2",
  "asInt(workflow.parameters.app) in [137, 143]",
  "toJson(map(fromJSON(workflow.parameters['my-list']), {string(#)}))",
  "fromJSON(workflow.parameters.json).a[0].b",
  "fromJSON(workflow.parameters.json)?.a?.[0] ?? 'none'",
  "jsonpath(workflow.parameters.json, '$.a[0].b') + 1",
  // collections
  "len(fromJSON(workflow.parameters['my-list'])) > 0",
  "filter(fromJSON(steps['flip-coin'].outputs.result), {.status == 'ok'}) | map(.name) | join(', ')",
  "reduce(1..9, #acc + #, 0)",
  "sortBy(fromJSON(workflow.parameters['my-list']), #)[0]",
  "let list = fromJSON(workflow.parameters['my-list']); sum(list) / len(list)",
  "keys(fromJSON(workflow.parameters.json)) | sort()",
  "workflow.parameters.app in ['a', 'b'] and not (workflow.parameters.app startsWith 'x')",
  // texts
  "upper(workflow.name) + '-' + lower(workflow.namespace)",
  "split(workflow.parameters.app, ',')[0]",
  "replace(workflow.parameters.app, '/', '-')",
  "workflow.parameters.app matches '^v[0-9]+' ? 'release' : 'branch'",
  "sprig.trunc(7, workflow.uid)",
  "sprig.regexReplaceAll('[^a-z]', workflow.parameters.app, '-')",
  "sprig.default('x', workflow.parameters.app)",
  "sprig.b64enc(workflow.parameters.app)",
  "sprig.sha256sum(workflow.parameters.app)",
  "sprig.splitList(',', workflow.parameters.app)[0]",
  "sprig.ternary('a', 'b', workflow.parameters.app == 'a')",
  "sprig.list('a', 'b') | join('+')",
  "sprig.dig('a', 'none', sprig.fromJson(workflow.parameters.json))",
  "sprig.semverCompare('>=1.2', workflow.parameters.app)",
  // dates
  "now().Format('2006-01-02')",
  "date(workflow.creationTimestamp.RFC3339).Unix()",
  "(now() - date(workflow.creationTimestamp.RFC3339)).Hours() > 1",
  "sprig.date('20060102', now())",
  "duration('1h').Seconds()",
  // names of the workflow
  "workflow.labels.team",
  "workflow.labels['team']",
  "workflow.annotations?.owner ?? 'nobody'",
  "workflow.creationTimestamp.Y + workflow.creationTimestamp.m",
  "workflow.serviceAccountName + workflow.mainEntrypoint",
  "toJson(inputs.parameters)",
];

Deno.test("lint: accepts expressions in the arguments and `when` of a step", () => {
  for (const expression of IN_TAGS) {
    const tag = JSON.stringify(`{{=${expression}}}`);
    const text = workflow(`  - name: main
    inputs: {parameters: [{name: my-int, value: "1"}, {name: my-float, value: "1.5"}, {name: json, value: "{}"}]}
    steps:
    - - {name: flip-coin, template: work}
    - - name: last
        template: work
        arguments: {parameters: [{name: p, value: ${tag}}]}`);
    assertEquals(problemsOf(text), [], expression);
  }
});

Deno.test("lint: accepts conditions of steps and tasks", () => {
  for (
    const when of [
      "{{steps.flip-coin.outputs.result}} == heads",
      "{{steps.flip-coin.outputs.result}} =~ hea",
      "{{steps.flip-coin.status}} != Succeeded || {{steps.flip-coin.exitCode}} > 1",
      "( {{steps.flip-coin.outputs.result}} == heads && {{workflow.parameters.app}} == a ) || true",
      "'{{steps.flip-coin.outputs.parameters.out}}' in ('a-b', 'c.d')",
      "{{=inputs.parameters['may-contain-quotes'] == 'example'}}",
      "{{=asInt(steps['flip-coin'].exitCode) > 1}}",
      "{{=steps['flip-coin'].outputs.result contains 'heads'}} && {{steps.flip-coin.status}} == Succeeded",
    ]
  ) {
    const text = workflow(`  - name: main
    inputs: {parameters: [{name: may-contain-quotes, value: "1"}]}
    steps:
    - - {name: flip-coin, template: work}
    - - {name: last, template: work, when: ${JSON.stringify(when)}}`);
    assertEquals(problemsOf(text), [], when);
  }
});

Deno.test("lint: accepts dependencies with each result", () => {
  for (
    const depends of [
      "A",
      "A || B-2.Failed",
      "(A.Succeeded || A.Skipped || A.Daemoned) || B-2.Failed",
      "(B-2.Succeeded || B-2.Skipped) && !A.Failed",
      "A.AnySucceeded || B-2.AllFailed",
      "A.Errored || A.Omitted",
    ]
  ) {
    const text = workflow(`  - name: main
    dag:
      tasks:
      - {name: A, template: work, withItems: [1, 2]}
      - {name: B-2, template: work, withItems: [1, 2]}
      - {name: C, template: work, depends: ${JSON.stringify(depends)}}`);
    assertEquals(problemsOf(text), [], depends);
  }
});

Deno.test("lint: accepts loops over items, maps, lists of results and sequences", () => {
  assertEquals(
    problemsOf(workflow(`  - name: main
    steps:
    - - {name: gen, template: work}
    - - {name: a, template: work, arguments: {parameters: [{name: p, value: "{{item}}"}]}, withItems: [a, 1, true]}
      - name: b
        template: work
        arguments: {parameters: [{name: p, value: "{{item.image}}:{{item.tag}}"}]}
        withItems: [{image: debian, tag: "12"}, {image: alpine, tag: "3"}]
      - name: c
        template: work
        when: "{{item.image}} == debian"
        arguments: {parameters: [{name: p, value: "{{=item.image + ':' + item.tag}}"}]}
        withParam: "{{steps.gen.outputs.result}}"
      - name: d
        template: work
        arguments: {parameters: [{name: p, value: "{{=asInt(item) * 2}}"}]}
        withParam: "{{=toJson(filter(fromJSON(workflow.parameters['my-list']), # > 0))}}"
      - name: e
        template: work
        arguments: {parameters: [{name: p, value: "{{=sprig.repeat(2, item)}}"}]}
        withSequence: {count: "{{=len(fromJSON(steps.gen.outputs.result))}}", format: "%02X"}
    - - name: f
        template: work
        arguments: {parameters: [{name: p, value: "{{=len(steps.a.outputs.parameters.out)}}"}]}
      - name: g
        template: work
        arguments: {parameters: [{name: p, value: "{{steps.a.outputs.parameters}}"}]}`)),
    [],
  );
});

Deno.test("lint: accepts retry expressions about the last attempt", () => {
  for (
    const expression of [
      "asInt(lastRetry.exitCode) > 1",
      'lastRetry.status != "Error"',
      "asInt(lastRetry.duration) < 60",
      "lastRetry.message matches 'imminent node shutdown|pod deleted'",
      "{{=asInt(lastRetry.exitCode) >= 2}}",
      "{{=lastRetry.exitCode != '2'}}",
      'lastRetry.status == "Error" or (lastRetry.status == "Failed" and asInt(lastRetry.exitCode) not in [1, 2])',
      "asInt(retries) < 3",
    ]
  ) {
    const text = workflow(`  - name: main
    retryStrategy: {limit: "3", retryPolicy: Always, expression: ${JSON.stringify(expression)}}
    container: {image: i, args: ["{{retries}} {{lastRetry.exitCode}} {{=asInt(retries) + 1}}"]}`);
    assertEquals(problemsOf(text), [], expression);
  }
});

Deno.test("lint: accepts hooks and exit handlers with the status of the workflow, a step or a task", () => {
  assertEquals(
    problemsOf(workflow(
      `  - name: main
    steps:
    - - name: step-1
        template: work
        hooks:
          running: {expression: 'steps["step-1"].status == "Running"', template: work}
          exit:
            template: work
            arguments: {parameters: [{name: p, value: "{{steps.step-1.outputs.parameters.out}}"}]}
  - name: leave
    steps:
    - - name: notify
        template: work
        arguments:
          parameters:
          - {name: p, value: "{{workflow.name}} {{workflow.status}} {{workflow.duration}} {{workflow.failures}}"}
      - {name: celebrate, template: work, when: "{{workflow.status}} == Succeeded"}
      - name: each
        template: work
        when: "{{=workflow.status in ['Failed', 'Error']}}"
        arguments:
          parameters: [{name: p, value: "{{=map(fromJSON(workflow.failures), {.displayName}) | join(',')}}"}]`,
      `  onExit: leave
  hooks:
    exit: {template: work}
    running: {expression: 'workflow.status == "Running"', template: work}
    failed: {expression: 'workflow.status in ["Failed", "Error"]', template: work}`,
    )),
    [],
  );
});

Deno.test("lint: accepts conditional outputs", () => {
  assertEquals(
    problemsOf(workflow(`  - name: main
    steps:
    - - {name: flip-coin, template: make}
    - - {name: heads, template: make, when: "{{steps.flip-coin.outputs.result}} == heads"}
      - {name: tails, template: make, when: "{{steps.flip-coin.outputs.result}} == tails"}
    outputs:
      parameters:
      - name: result
        valueFrom:
          expression: "steps['flip-coin'].outputs.result == 'heads' ? steps.heads.outputs.result : steps.tails.outputs.result"
          default: none
      artifacts:
      - name: result
        fromExpression: "steps['flip-coin'].outputs.result == 'heads' ? steps.heads.outputs.artifacts.made : steps.tails.outputs.artifacts.made"
  - name: make
    script: {image: i, command: [sh], source: "echo {{=workflow.name}}"}
    outputs: {artifacts: [{name: made, path: /made}]}`)),
    [],
  );
});

Deno.test("lint: accepts expressions in keys of memoization, metrics and locks", () => {
  assertEquals(
    problemsOf(workflow(
      `  - name: main
    inputs: {parameters: [{name: message, value: hello}]}
    memoize:
      key: "{{inputs.parameters.message}}-{{=sprig.sha1sum(toJson(inputs.parameters))}}"
      maxAge: 10s
      cache: {configMap: {name: "cache-{{workflow.parameters.app}}"}}
    synchronization: {mutexes: [{name: "lock-{{=lower(inputs.parameters.message)}}"}]}
    metrics:
      prometheus:
      - name: result_counter
        help: Results by status
        labels: [{key: status, value: "{{status}}"}, {key: app, value: "{{=upper(workflow.parameters.app)}}"}]
        when: "{{status}} == Failed"
        counter: {value: "1"}
      - name: duration_gauge
        help: How long it took
        when: "{{=asInt(exitCode) == 0}}"
        gauge: {realtime: false, value: "{{outputs.result}}"}
      - name: duration_seconds
        help: How long it takes
        gauge: {realtime: true, value: "{{duration}}"}
    script: {image: i, command: [sh], source: echo 1}`,
      `  metrics:
    prometheus:
    - name: exec_duration_gauge
      help: How long the workflow takes
      labels: [{key: name, value: "{{workflow.name}}"}]
      gauge: {realtime: true, value: "{{workflow.duration}}"}`,
    )),
    [],
  );
});

Deno.test("lint: accepts cron workflow conditions about previous runs", () => {
  assertEquals(
    problemsOf(`apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: c}
spec:
  schedules: ["0 0 * * *"]
  when: "{{= cronworkflow.lastScheduledTime == nil || (now() - cronworkflow.lastScheduledTime).Seconds() > 3600 }}"
  stopStrategy: {expression: "cronworkflow.failed >= 3 || cronworkflow.succeeded >= 1"}
  workflowSpec:
    entrypoint: main
    templates:
    - {name: main, container: {image: i, args: ["{{=workflow.scheduledTime}}"]}}
`),
    [],
  );
});
