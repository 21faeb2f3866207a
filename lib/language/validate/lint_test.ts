import { LIMITS } from "@tiphys/base/limits";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatProblem, lintFile, lintFiles, lintManifest } from "./lint.ts";

const HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: w-}\n";

function lines(text: string): string[] {
  return lintFile(text, "wf.yaml").map(formatProblem);
}

Deno.test("lint: a valid file has no problems", () => {
  assertEquals(lines(`${HEAD}spec: {entrypoint: a, templates: [{name: a, container: {image: i}}]}\n`), []);
});

Deno.test("lint: each problem has its line and column, in the order of the text", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        tmplate: work
        template: wrok
  - name: work
    container: {image: i}
`;
  assertEquals(lines(text), [
    'wf.yaml:10:9: spec.templates[0].steps[0][0].tmplate: unknown field "tmplate"; did you mean "template"?',
    "wf.yaml:11:9: spec.templates[0].steps[0][0].template: templates.main.steps[0].a template name 'wrok' undefined; " +
    'did you mean "work"?',
  ]);
});

Deno.test("lint: an argument of a workflow may be without a value, which is provided on submission, but not that of a cron workflow", () => {
  const spec = "{entrypoint: a, arguments: {parameters: [{name: p}]}, templates: [{name: a, container: {image: i}}]}";
  assertEquals(lines(`${HEAD}spec: ${spec}\n`), []);
  const submitted = lintFile(`${HEAD}spec: ${spec}\n`, "wf.yaml", { skipExpressions: true }).map(formatProblem);
  const missing = "spec.arguments.p.value or spec.arguments.p.valueFrom is required";
  assertEquals(submitted, [`wf.yaml:4:48: spec.arguments.parameters[0]: ${missing}`]);
  const cron = HEAD.replace("Workflow", "CronWorkflow").replace("generateName: w-", "name: w");
  const [problem] = lintFile(`${cron}spec: {schedules: ["* * * * *"], workflowSpec: ${spec}}\n`, "wf.yaml");
  assertEquals(problem?.message, missing);
});

Deno.test("lint: reports a missing handler, although the workflow may be submitted", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        template: work
        onExit: wrok
        hooks: {exit: {template: nope}}
  - name: work
    container: {image: i}
`;
  const step = "spec.templates[0].steps[0][0]";
  assertEquals(lines(text), [
    `wf.yaml:11:17: ${step}.onExit: templates.main.steps[0].a template name 'wrok' undefined; did you mean "work"?`,
    `wf.yaml:12:34: ${step}.hooks.exit.template: templates.main.steps[0].a.exit template name 'nope' undefined`,
  ]);
});

Deno.test("lintManifest: returns the object of a manifest with exactly one", () => {
  const text = `${HEAD}spec: {entrypoint: b, templates: [{name: a, container: {image: i}}]}\n`;
  const { problems, object } = lintManifest(text, "wf.yaml");
  assertEquals(problems, lintFile(text, "wf.yaml"));
  assertEquals((object as { spec: { entrypoint: string } }).spec.entrypoint, "b");
  for (const other of ["", "a: [", `${text}---\n${text}`]) {
    assertEquals(lintManifest(other, "wf.yaml").object, undefined);
  }
});

Deno.test("lint: reports a wrong type before semantic errors", () => {
  assertEquals(lines(`${HEAD}spec:\n  entrypoint: [a]\n`), [
    "wf.yaml:5:3: spec.entrypoint: expected string, got a list",
  ]);
});

Deno.test("lint: checks JSON like YAML", () => {
  const text =
    '{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",\n "metadata": {"name": "w"},\n "spec": {"x": 1}}';
  assertEquals(lines(text), [
    "wf.yaml:3:2: spec: spec.entrypoint is required",
    'wf.yaml:3:11: spec.x: unknown field "x"',
  ]);
});

Deno.test("lint: a syntax error of YAML has its position", () => {
  const [problem] = lintFile("a: 1\na: 2\n", "x.yaml");
  assertEquals([problem?.line, problem?.column, problem?.path], [2, 1, ""]);
});

Deno.test("lintFile: ignores documents of other kinds, but not a misspelled kind of ours", () => {
  const heads = [
    "v1\nkind: ConfigMap",
    ...["Sensor", "EventSource", "Application"].map((kind) => `argoproj.io/v1alpha1\nkind: ${kind}`),
  ];
  for (const head of heads) assertEquals(lines(`apiVersion: ${head}\nmetadata: {name: c}\n`), []);
  const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  assertEquals(lines(`${other}---\napiVersion: argoproj.io/v1alpha1\nkind: Workfow\n`), [
    'wf.yaml:6:1: kind: unknown kind "Workfow"; did you mean "Workflow"?',
  ]);
});

Deno.test("lint: a document without a kind, or with an unknown version, is a problem", () => {
  assertEquals(lines("apiVersion: argoproj.io/v1alpha1\n"), ["wf.yaml:1:1: kind: kind is required"]);
  assertEquals(lines("apiVersion: argoproj.io/v1\nkind: Workflow\n"), [
    "wf.yaml:1:1: apiVersion: expected argoproj.io/v1alpha1, got argoproj.io/v1",
  ]);
});

Deno.test("lint: a workflow without any name is a problem", () => {
  const text = "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {}\nspec: {}\n";
  assertEquals(lines(text), ["wf.yaml:3:1: metadata: name or generateName is required"]);
});

const CALLER = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, templateRef: {name: shared, template: work}}]]
`;
const SHARED = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: shared}
spec: {templates: [{name: work, container: {image: i}}]}
`;

Deno.test("lint: resolves references among all files", () => {
  assertEquals(lintFiles([{ name: "a", text: CALLER }, { name: "b", text: SHARED }]), []);
});

Deno.test("lint: a reference to a missing document is a problem unless missing ones are allowed", () => {
  assertEquals(lines(CALLER), [
    "wf.yaml:8:24: spec.templates[0].steps[0][0].templateRef: templates.main.steps[0].a template reference " +
    "shared.work not found",
  ]);
  assertEquals(lintFile(CALLER, "wf.yaml", { allowMissingReferences: true }), []);
});

function ofTemplates(templates: string): string[] {
  const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n";
  return lines(`${head}spec:\n  entrypoint: main\n  templates:\n${templates}`);
}

Deno.test("lint: reports a loop that is known to be too long", () => {
  const nothing = "  - {name: nothing, suspend: {}}\n";
  const step = (loop: string) => `  - name: main\n    steps: [[{name: a, template: nothing, ${loop}}]]\n${nothing}`;
  const [sequence] = ofTemplates(step('withSequence: {count: "1000000"}'));
  assertEquals(sequence?.endsWith("withSequence has 1000000 items, and a loop may have 25000"), true);
  const [range] = ofTemplates(step('withSequence: {start: "5", end: "-90000"}'));
  assertEquals(range?.endsWith("withSequence has 90006 items, and a loop may have 25000"), true);
  const [int64] = ofTemplates(step('withSequence: {start: "-9223372036854775808", end: "9223372036854775807"}'));
  assertEquals(int64?.endsWith("withSequence has 18446744073709551616 items, and a loop may have 25000"), true);
  assertEquals(ofTemplates(step('withSequence: {count: "{{workflow.uid}}"}')), []);
});

Deno.test("lint: a tag of another tool in a loop is a warning, and elsewhere it is not", () => {
  const list = (call: string) => `  - {name: main, steps: [[{name: a, template: b${call}}]]}\n${STEP_B}`;
  const dag = (call: string) => `  - {name: main, dag: {tasks: [{name: a, template: b${call}}]}}\n${STEP_B}`;
  const value = (text: string) => `, arguments: {parameters: [{name: p, value: "${text}"}]}`;
  const text = value("{{item}} on {{ ds }} {{workflow.name}} {{=item}}");
  const warning =
    "arguments.parameters[0].value: {{ ds }} has no value, so the loop fails; to keep the text, make it a " +
    "parameter of the workflow";
  for (const template of [list, dag]) {
    for (const loop of ["withItems: [1]", "withItems: [{k: v}]", "withParam: '[1]'", "withSequence: {count: 2}"]) {
      const found = ofTemplates(template(`, ${loop}${text}`));
      assertEquals([found.length, found[0]?.includes("warning: "), found[0]?.endsWith(warning)], [1, true, true]);
    }
    assertEquals(ofTemplates(template(value("on {{ ds }} {{workflow.name}}"))), []);
    assertEquals(ofTemplates(template(`, withItems: []${value("on {{ ds }}")}`)), []);
  }
});

const STEP_B = "  - {name: b, inputs: {parameters: [{name: p}]}, container: {image: i, command: [c]}}\n";

Deno.test("lint: a template that calls itself unconditionally is a warning", () => {
  const [warning] = ofTemplates(
    "  - {name: main, steps: [[{name: a, template: other}]]}\n  - {name: other, dag: {tasks: [{name: b, template: main}]}}\n",
  );
  assertEquals(warning?.includes("warning: "), true);
  assertEquals(warning?.endsWith("calls itself without a condition (main->other->main): only a limit ends it"), true);
  assertEquals(
    ofTemplates("  - {name: main, steps: [[{name: a, template: main, when: '{{workflow.uid}} == x'}]]}\n"),
    [],
  );
});

Deno.test("lint: a template next to an inline template is a warning", () => {
  const inline = "inline: {container: {image: i, command: [c]}}";
  const lists = [
    (call: string) => `  - {name: main, steps: [[{name: a, ${call}${inline}}]]}\n`,
    (call: string) => `  - {name: main, dag: {tasks: [{name: a, ${call}${inline}}]}}\n`,
  ];
  for (const list of lists) {
    for (
      const [field, call] of [["template", "template: b, "], ["templateRef", "templateRef: {name: w, template: b}, "]]
    ) {
      const found = ofTemplates(list(call!));
      const warning = `${field}: has no effect, because the call has an inline template`;
      assertEquals([found.length, found[0]?.includes("warning: "), found[0]?.endsWith(warning)], [1, true, true]);
    }
    assertEquals(ofTemplates(list("")), []);
  }
});

Deno.test("lint: a backoff without limit, maxDuration or expression is a warning", () => {
  const template = (strategy: string) =>
    `  - {name: main, retryStrategy: {${strategy}}, container: {image: i, command: [c]}}\n`;
  assertEquals(ofTemplates(template("backoff: {duration: 1m}")).map((line) => line.replace(/^\S+ /, "")), [
    "warning: spec.templates[0].retryStrategy.backoff: without limit, maxDuration or expression, it retries until " +
    "the workflow is stopped",
  ]);
  const ended = [
    "limit: 0, backoff: {duration: 1m}",
    "backoff: {maxDuration: 1h}",
    "expression: 'true', backoff: {duration: 1m}",
  ];
  for (const strategy of ended) assertEquals(ofTemplates(template(strategy)), []);
});

/** A clock that advances on each read. */
function slowClock(): () => number {
  let now = 0;
  return () => now += 200;
}

Deno.test("lint: an expression that exceeds its time limit is stopped and reported with limit, path and value, also on submission", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: i, args: ["{{=map(1..500000, # + 1)}}"]}
`;
  for (const skipExpressions of [false, true]) {
    const problems = lintFiles([{ name: "wf.yaml", text }], { elapsed: slowClock(), skipExpressions });
    assertEquals(problems.length > 0, true);
    assertEquals(problems[0]?.path.startsWith("spec.templates[0]"), true);
    assertStringIncludes(problems[0]?.message ?? "", "may take 1s");
  }
});

Deno.test("lint: the expressions of each document share the time limit of a pass", () => {
  const container = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => `{{=${index} + 1}}`));
  const text = (count: number) =>
    `${HEAD}spec: {entrypoint: a, templates: [{name: a, container: {image: i, args: ${container(count)}}}]}\n`;
  let now = 0;
  const elapsed = () => now += 0.4;
  const problems = lintFiles([{ name: "a", text: text(3000) }, { name: "b", text: text(1) }], { elapsed });
  assertStringIncludes(problems[0]?.message ?? "", "all evaluations together may take 2s");
  assertEquals([...new Set(problems.map(({ file }) => file))], ["a"]);
});

Deno.test("lint: reports that the time limit for expressions was exceeded in each part of a document", () => {
  const text = `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: a
        template: work
        arguments: {parameters: [{name: p, value: "{{=steps.u.id}}"}]}
    - - name: b
        template: work
        when: "{{steps.a.status}} == Succeeded"
        withParam: "{{=steps.a.outputs.result}}"
        hooks: {running: {template: work, expression: steps.b.status == 'Running'}}
  - name: tasks
    dag:
      tasks:
      - {name: a, template: work}
      - {name: b, template: work, depends: a.Succeeded, arguments: {parameters: [{name: p, value: "{{=tasks.c.id}}"}]}}
    outputs: {parameters: [{name: o, valueFrom: {expression: tasks.a.outputs.result}}]}
  - name: work
    inputs: {parameters: [{name: p, default: "1"}]}
    retryStrategy: {limit: 1, expression: lastRetry.exitCode == '1'}
    podSpecPatch: '{"priority": {{=1 + 1}}}'
    container: {image: i, args: ["{{=inputs.parameters.p}}"]}
`;
  const reportsTimeout = (readings: number) => {
    let left = readings;
    const elapsed = () => left-- > 0 ? 0 : -left * 1e4;
    return lintFiles([{ name: "w", text }], { elapsed }).some(({ message }) => / may take \d+s/.test(message));
  };
  for (let readings = 1; readings < 60; readings++) assertEquals(reportsTimeout(readings), true, `${readings}`);
});

Deno.test("lint: templates of other documents that call each other are checked once, at any length of the chain", () => {
  const template = (name: string, next: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: ${name}}\nspec:\n  templates:\n` +
    `  - name: main\n    steps: [[{name: a, templateRef: {name: ${next}, template: main}}]]\n`;
  const files = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, next]) => ({ name, text: template(name, next) }));
  assertEquals(lintFiles(files([["a", "b"], ["b", "a"]])), []);
  const many = Array.from({ length: 600 }, (_, index) => [`t${index}`, `t${Math.min(index + 1, 599)}`] as const);
  const messages = lintFiles(files(many), { elapsed: () => 0 }).map(({ message }) => message);
  assertEquals(new Set(messages).size, 1);
  assertStringIncludes(messages[0] ?? "", `templates call each other more than ${LIMITS.calls} deep here`);
});

Deno.test("lintFile: a chain of templates that is longer than any run is a warning", () => {
  const templates = Array.from({ length: 5000 }, (_, index) => ({
    name: `t${index}`,
    steps: [[{ name: "a", template: `t${index + 1}`, when: "{{workflow.name}} == a" }]],
  }));
  const spec = { entrypoint: "t0", templates: [...templates, { name: "t5000", container: { image: "i" } }] };
  const problems = lintFile(`${HEAD}spec: ${JSON.stringify(spec)}\n`, "wf.yaml", { elapsed: () => 0 });
  assertEquals(problems.every(({ severity }) => severity === "warning"), true);
  assertStringIncludes(problems[0]?.message ?? "", `more than ${LIMITS.calls} deep`);
});

Deno.test("lint: reports a run that certainly creates too many nodes with the number, not counting conditional ones", () => {
  const text = (extra: string) =>
    `${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, template: rows, withSequence: {count: "200"}${extra}}]]
  - name: rows
    dag: {tasks: [{name: b, template: cell, withSequence: {start: "1", end: "200"}}]}
  - name: cell
    container: {image: i}
`;
  assertEquals(lines(text("")), [
    "wf.yaml:5:15: spec.entrypoint: a run makes 40202 nodes at least, and a workflow may have 25000",
  ]);
  assertEquals(lines(text(", when: '{{workflow.name}} == a'")), []);
  assertEquals(lintFiles([{ name: "wf.yaml", text: text("") }], { nodes: 50_000 }), []);
});

Deno.test("lint: reports a template whose pods exceed the size limit of Kubernetes", () => {
  const text = (size: number) =>
    `${HEAD}spec: {entrypoint: a, templates: [{name: a, script: {image: i, source: "${"x".repeat(size)}"}}]}\n`;
  assertEquals(lines(text(1_000_000)), []);
  assertStringIncludes(lines(text(1_600_000))[0] ?? "", "the maximum is 1572864");
});

Deno.test("lint: an object that is passed as a value has the problems and positions of its JSON text", () => {
  const good = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "a", labels: undefined } };
  const bad = { ...good, spec: { entrypoint: "main", templates: [{ name: "other", container: { image: 7 } }] } };
  for (const value of [good, bad, null, "text", { "<<": good }, { ...good, kind: "Workflows" }]) {
    const found = lintFiles([{ name: "0", value }]);
    const isMerged = typeof value === "object" && value !== null && "<<" in value;
    // In JSON, this is an ordinary field.
    if (isMerged) assertEquals(found.map(({ path }) => path), ["apiVersion"]);
    else assertEquals(found, lintFiles([{ name: "0", text: JSON.stringify(value) }]));
  }
});

Deno.test("lint: a cron schedule that never fires is an error, but is accepted on submission", () => {
  const cron = HEAD.replace("Workflow", "CronWorkflow").replace("generateName: w-", "name: w");
  const text = `${cron}spec:\n  schedules: ["@daily", "0 0 31 2,4 *"]\n` +
    "  workflowSpec: {entrypoint: a, templates: [{name: a, container: {image: i}}]}\n";
  assertEquals(lines(text), [
    "wf.yaml:5:25: spec.schedules[1]: cron schedule 0 0 31 2,4 * never fires: no month that it allows has such a day",
  ]);
  assertEquals(lintFile(text, "wf.yaml", { skipExpressions: true }), []);
});

/** Returns the problems of a workflow whose entry template has these tasks or steps. */
function problemsOf(body: string): readonly string[] {
  return lines(`${HEAD}spec:
  entrypoint: main
  templates:
  - name: main
${body}
  - name: t
    inputs: {parameters: [{name: m, default: x}], artifacts: [{name: f, path: /f, optional: true}]}
    script: {image: i, source: ""}
`).map((line) => line.replace(/^[^ ]+ [^ ]+ /, ""));
}

Deno.test("lint: a task that refers to one it does not depend on is reported in every field", () => {
  const fields: readonly (readonly [field: string, path: string, name: string])[] = [
    [`when: "{{tasks.b.status}} == x"`, "when", "tasks.b.status"],
    [`withParam: "{{tasks.b.outputs.result}}"`, "withParam", "tasks.b.outputs.result"],
    [`withItems: ["{{tasks.b.status}}"]`, "withItems[0]", "tasks.b.status"],
    [`withSequence: {count: "{{tasks.b.outputs.result}}"}`, "withSequence.count", "tasks.b.outputs.result"],
    [
      `arguments: {parameters: [{name: m, value: "{{=tasks.b.id + 'x'}}"}]}`,
      "arguments.parameters[0].value",
      "tasks.b.id",
    ],
    [`when: "{{=tasks['b'].outputs.result == 'x'}}"`, "when", "tasks.b.outputs.result"],
    [
      `arguments: {artifacts: [{name: f, raw: {data: "{{tasks.b.outputs.result}}"}}]}`,
      "arguments.artifacts[0].raw.data",
      "tasks.b.outputs.result",
    ],
    [
      `hooks: {exit: {template: t, arguments: {parameters: [{name: m, value: "{{tasks.b.id}}"}]}}}`,
      "hooks.exit.arguments.parameters[0].value",
      "tasks.b.id",
    ],
  ];
  for (const [field, path, name] of fields) {
    const found = problemsOf(`    dag: {tasks: [{name: a, template: t, ${field}}, {name: b, template: t}]}`);
    const message = `templates.main.tasks.a ${path} can never resolve {{${name}}}: task 'a' does not depend on 'b'`;
    assertEquals(found.filter((problem) => problem === message), [message], `${field}: ${found.join("; ")}`);
  }
});

Deno.test("lint: a reference of a task to itself is reported, but not in its hooks or where its absence is handled", () => {
  const task = (field: string) => problemsOf(`    dag: {tasks: [{name: a, template: t, ${field}}]}`);
  assertEquals(task(`arguments: {artifacts: [{name: f, raw: {data: "{{tasks.a.outputs.result}}"}}]}`), [
    "templates.main.tasks.a arguments.artifacts[0].raw.data can never resolve {{tasks.a.outputs.result}}: " +
    "a task cannot refer to its own outputs",
  ]);
  assertEquals(task(`hooks: {seen: {template: t, expression: 'tasks.a.status == "Failed"'}}`), []);
  assertEquals(task(`arguments: {parameters: [{name: m, value: "{{=tasks?.a?.status ?? 'x'}}"}]}`), []);
});

Deno.test("lint: a step that refers to another one of its group is reported", () => {
  const found = problemsOf(
    `    steps: [[{name: a, template: t}, {name: b, template: t, when: "{{steps.a.status}} == x"}]]`,
  );
  assertEquals(found, [
    "templates.main.steps[0].b when can never resolve {{steps.a.status}}: " +
    "step 'a' does not run in a group before that of step 'b'",
  ]);
});

Deno.test("lint: reports values of pod fields that Kubernetes does not accept, also in pods that may never be created", () => {
  const text = `${HEAD}spec:
  entrypoint: a
  dnsPolicy: Cluster
  templates:
  - name: a
    tolerations: [{key: k, operator: Exist}]
    container: {image: i, imagePullPolicy: Allways}
    sidecars: [{name: s, image: i, imagePullPolicy: "{{workflow.name}}"}]
`;
  assertEquals(lines(text), [
    'wf.yaml:6:14: spec.dnsPolicy: expected one of ClusterFirst, ClusterFirstWithHostNet, Default, None, got "Cluster"',
    'wf.yaml:9:38: spec.templates[0].tolerations[0].operator: expected one of Exists, Equal, got "Exist"; did you mean "Exists"?',
    'wf.yaml:10:44: spec.templates[0].container.imagePullPolicy: expected one of Always, IfNotPresent, Never, got "Allways"; ' +
    'did you mean "Always"?',
  ]);
  assertEquals(lintFile(text, "wf.yaml", { skipExpressions: true }), []);
});

Deno.test("lint: reports images that no kubelet accepts, unless they have a tag", () => {
  const text = `${HEAD}spec:
  entrypoint: a
  arguments: {parameters: [{name: tag, value: "1"}]}
  templates:
  - name: a
    container: {image: "BusyBox:1"}
    initContainers: [{name: i, image: "a:{{workflow.parameters.tag}}"}, {name: j, image: "me/a:1 "}]
    sidecars: [{name: s, image: "registry.example:5000/a:1@sha512:${"0".repeat(128)}"}]
  - {name: b, script: {image: "a:", source: "1"}}
`;
  assertEquals(lines(text), [
    'wf.yaml:9:25: spec.templates[0].container.image: invalid image reference "BusyBox:1"',
    'wf.yaml:10:91: spec.templates[0].initContainers[1].image: invalid image reference "me/a:1 "',
    'wf.yaml:12:32: spec.templates[1].script.image: invalid image reference "a:"',
  ]);
  assertEquals(lintFile(text, "wf.yaml", { skipExpressions: true }), []);
});

Deno.test("lint: an invalid dependency does not hide other mistakes of its DAG, and is reported once", () => {
  const text = `${HEAD}spec:
  entrypoint: a
  templates:
  - name: a
    dag:
      tasks:
      - {name: build, template: b}
      - {name: test, template: nope, depends: biuld}
      - name: ship
        depends: test
        template: b
        arguments: {parameters: [{name: p, value: "{{tasks.build.outputs.parameters.q}}"}, {name: q, value: "{{tasks.build.status}}"}]}
      - {name: 1x, template: b}
  - name: b
    outputs: {parameters: [{name: q, valueFrom: {path: /q}}]}
    container: {image: i}
`;
  assertEquals(lintFile(text, "wf.yaml").map(({ line, path }) => `${line} ${path}`), [
    "11 spec.templates[0].dag.tasks[1].template",
    "11 spec.templates[0].dag.tasks[1].depends",
    "16 spec.templates[0].dag.tasks[3].name",
  ]);
});

Deno.test("lint: an invalid duration is reported at its field", () => {
  const rows: readonly (readonly [fields: string, path: string])[] = [
    ["timeout: 5x", "timeout"],
    ["pendingTimeout: 5x", "pendingTimeout"],
    ["suspend: {duration: 5x}", "suspend.duration"],
    ["retryStrategy: {limit: 1, backoff: {duration: 5x}}", "retryStrategy.backoff.duration"],
    ["retryStrategy: {limit: 1, backoff: {duration: 5s, cap: 5x}}", "retryStrategy.backoff.cap"],
    ["retryStrategy: {backoff: {duration: 5s, maxDuration: 5x}}", "retryStrategy.backoff.maxDuration"],
    ["memoize: {key: k, maxAge: 5x, cache: {configMap: {name: c}}}", "memoize.maxAge"],
  ];
  for (const [fields, path] of rows) {
    const problemsWith = (written: string) => {
      const body = written.startsWith("suspend") ? written : `container: {image: i}, ${written}`;
      return lintFile(`${HEAD}spec: {entrypoint: a, templates: [{name: a, ${body}}]}\n`, "w")
        .map(({ path, message }) => `${path}: ${message?.split(":").at(-1)}`);
    };
    assertEquals(problemsWith(fields), [`spec.templates[0].${path}:  unknown unit "x" in duration "5x"`]);
    assertEquals(problemsWith(fields.replace("5x", "5m")), []);
    assertEquals(problemsWith(fields.replace("5x", '"{{workflow.name}}"')), []);
  }
});
