/** Behavior that scripts written for `argo` depend on: rejections, exit codes, and the form of output. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { CronWorkflow, NodeStatus, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, PODS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { FakeWorld } from "../testing/fake_world.ts";
import { WAITING } from "../testing/manifests.ts";

const NOW = new Date("2026-01-22T00:00:00Z");
const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
function workflow(name: string, status: Workflow["status"] = {}, more: Partial<Workflow["metadata"]> = {}): Workflow {
  const labels = { [LABEL.phase]: status.phase ?? "", [LABEL.completed]: String(status.finishedAt !== undefined) };
  const metadata = { name, labels: { ...labels, ...more.labels }, ...more };
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata, spec: SPEC, status };
}

const ENDED = { phase: "Succeeded", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-22T00:00:00Z" } as const;

async function worldWith(...workflows: readonly Workflow[]): Promise<FakeWorld> {
  const world = new FakeWorld({ now: NOW });
  for (const workflow of workflows) {
    await world.client.create(WORKFLOWS, workflow.metadata.namespace ?? "default", workflow);
  }
  return world;
}

async function outputOfFailed(world: FakeWorld, ...args: readonly string[]): Promise<string> {
  assert(await world.run(...args) !== 0, args.join(" "));
  return world.errors.trimEnd();
}

/** Completes each workflow that is created, like a controller. */
async function endAll(world: FakeWorld, phase: "Succeeded" | "Failed" | "Error", signal: AbortSignal) {
  for await (const { type, object } of world.service.watch("default", {}, signal)) {
    if (type !== "ADDED") continue;
    const status = { phase, startedAt: ENDED.startedAt, finishedAt: ENDED.finishedAt };
    await world.client.patch(WORKFLOWS, "default", object.metadata.name ?? "", { status });
  }
}

Deno.test("submit --wait: exits with 1 for a workflow that did not succeed, and prints only the name with -o name", async () => {
  for (const [phase, code] of [["Succeeded", 0], ["Failed", 1], ["Error", 1]] as const) {
    using world = new FakeWorld({ files: { "w.yaml": WAITING }, now: NOW });
    const stop = new AbortController();
    const ended = endAll(world, phase, stop.signal);
    assertEquals(await world.run("submit", "w.yaml", "--wait", "-o", "name"), code, phase);
    assertMatch(world.output, /^made-\w+\n$/);
    stop.abort();
    await ended;
  }
});

Deno.test("get: the head has Argo's rows: conditions, the estimated duration of a running workflow, and always the progress", async () => {
  const conditions = [{ type: "PodRunning", status: "True" }];
  const running = { phase: "Running", startedAt: ENDED.startedAt, estimatedDuration: 100, conditions } as const;
  using world = await worldWith(workflow("runs", { ...running, progress: "0/1" }), workflow("waits"));
  assertEquals(await world.run("get", "runs"), 0, world.errors);
  assertStringIncludes(world.output, "\nConditions:\n PodRunning          True\n");
  assertStringIncludes(world.output, "\nEstimatedDuration:   1 minute 40 seconds\nProgress:            0/1\n");
  assertEquals(await world.run("get", "waits"), 0, world.errors);
  assertMatch(world.output, /\nProgress:\n$/);
});

Deno.test("watch: a missing workflow prints only the error", async () => {
  using world = new FakeWorld();
  assertEquals(
    await outputOfFailed(world, "watch", "nope"),
    'workflows.argoproj.io "nope" not found\nTo see all:  tiphys list',
  );
  assertEquals(world.output, "");
});

Deno.test("template create: creates only templates; other documents are reported and not checked", async () => {
  const wrong = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nspec: {bogus: 1}\n";
  const template = "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: t}\n" +
    "spec: {templates: [{name: main, suspend: {}}]}\n";
  using world = new FakeWorld({ files: { "all.yaml": `x: {}\n---\n${wrong}---\n${template}` } });
  assertEquals(await world.run("template", "create", "all.yaml", "-o", "name"), 0, world.errors);
  assertEquals(world.output, "t\n");
  assertStringIncludes(world.errors, "all.yaml: Workflow w is not of kind WorkflowTemplate. Ignoring...");
});

Deno.test("submit: rejects contradictory flags with Argo's messages", async () => {
  using world = new FakeWorld({ files: { "w.yaml": WAITING, "empty.yaml": "" } });
  assertEquals(await outputOfFailed(world, "submit", "w.yaml", "--dry-run"), "--dry-run should have an output option");
  assertStringIncludes(await outputOfFailed(world, "submit", "w.yaml", "--wait", "--watch"), "cannot be used with");
  assertEquals(
    await outputOfFailed(world, "submit", "w.yaml", "w.yaml", "--watch"),
    "cannot watch more than one workflow",
  );
  assertEquals((await world.client.list(WORKFLOWS, "default")).items, []);
  assertEquals(await outputOfFailed(world, "submit", "empty.yaml"), "no workflow found in given files");
  assertStringIncludes(
    await outputOfFailed(world, "submit", "--from", "cronwf/x", "--scheduled-time", "soon"),
    "scheduled-time contains invalid time.RFC3339 format",
  );
});

Deno.test("parameters: the last value of a name applies, and numbers, booleans and lists of a file become JSON", async () => {
  const params = "num: 1.5\nb: true\nl: [1, a]\nt: text\na: file\n";
  using world = new FakeWorld({ files: { "w.yaml": WAITING, "p.yaml": params } });
  const flags = ["-p", "a=1", "-p", "a=2", "-f", "p.yaml", "--dry-run", "-o", "json"];
  assertEquals(await world.run("submit", "w.yaml", ...flags), 0, world.errors);
  const { parameters = [] } = (JSON.parse(world.output) as Workflow).spec.arguments ?? {};
  assertEquals(Object.fromEntries(parameters.map(({ name, value }) => [name, value])), {
    num: "1.5",
    b: "true",
    l: '[1,"a"]',
    t: "text",
    a: "2",
  });
});

Deno.test("submit: reads several documents from the standard input, and reports those that are not workflows", async () => {
  const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n";
  using world = new FakeWorld({ stdin: [WAITING, map, "# nothing\n", "words\n", WAITING].join("---\n"), now: NOW });
  assertEquals(await world.run("submit", "-", "-o", "name"), 0, world.errors);
  assertMatch(world.output, /^made-\w+\nmade-\w+\n$/);
  assertEquals(world.errors.split("\n"), [
    "-: ConfigMap map is not of kind Workflow. Ignoring...",
    "-: a document is not of kind Workflow: it is a text. Ignoring...",
    "",
  ]);
});

Deno.test("template create: reports documents of other kinds on the standard error", async () => {
  const template = "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: one}\nspec: " +
    `${JSON.stringify(SPEC)}\n`;
  using world = new FakeWorld({ stdin: [template, WAITING].join("---\n"), now: NOW });
  assertEquals(await world.run("template", "create", "-", "-o", "name"), 0, world.errors);
  assertEquals(world.output, "one\n");
  assertEquals(world.errors, "-: Workflow made- is not of kind WorkflowTemplate. Ignoring...\n");
});

Deno.test("submit --from: accepts both short names of cluster templates, and rejects a name without a kind", async () => {
  using world = new FakeWorld({ now: NOW });
  const template = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "ClusterWorkflowTemplate",
    metadata: { name: "x" },
    spec: SPEC,
  };
  await world.client.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, template);
  for (const kind of ["cwftmpl", "cwft", "clusterworkflowtemplate"]) {
    assertEquals(await world.run("submit", "--from", `${kind}/x`, "-o", "name"), 0, world.errors);
    assertMatch(world.output, /^x-\w+\n$/);
  }
  assertStringIncludes(await outputOfFailed(world, "submit", "--from", "x"), "x");
});

Deno.test("list: durations above a day are in days without an upper limit, and an unstarted workflow has 0s", async () => {
  using world = await worldWith(workflow("long", ENDED), workflow("fresh"));
  assertEquals(await world.run("list"), 0);
  const rows = Object.fromEntries(
    world.output.trimEnd().split("\n").map((line) => line.split(/ {2,}/)).map((row) => [row[0], row[3]]),
  );
  assertEquals([rows.long, rows.fresh], ["21d", "0s"]);
});

Deno.test("list: rejects invalid filters, and requests --chunk-size workflows at a time", async () => {
  using world = await worldWith(workflow("a", ENDED), workflow("b"), workflow("c"));
  assertStringIncludes(await outputOfFailed(world, "list", "--running", "--completed"), "--completed and --running");
  assertStringIncludes(await outputOfFailed(world, "list", "--older", "1x"), "--older");
  assertEquals(await world.run("list", "--chunk-size", "1", "-o", "name"), 0);
  assertEquals(world.output.trim().split("\n").sort(), ["a", "b", "c"]);
});

Deno.test("list: -A adds a namespace column, --no-headers omits titles, and -o wide adds pods and parameters", async () => {
  const long = { ...workflow("w", ENDED, { namespace: "other" }) };
  const nodes = Object.fromEntries(
    ([["p", "Pending"], ["r", "Running"], ["e", "Failed"]] as const).map((
      [id, phase],
    ) => [id, { id, name: id, type: "Pod", phase } as NodeStatus]),
  );
  const parameters = [{ name: "a", value: "x".repeat(60) }];
  using world = await worldWith({ ...long, spec: { ...SPEC, arguments: { parameters } }, status: { ...ENDED, nodes } });
  assertEquals(await world.run("list", "-A", "-o", "wide"), 0);
  const [titles, row] = world.output.trimEnd().split("\n").map((line) => line.split(/ {2,}/));
  assertEquals(titles, [
    "NAMESPACE",
    "NAME",
    "STATUS",
    "AGE",
    "DURATION",
    "PRIORITY",
    "MESSAGE",
    "P/R/C",
    "PARAMETERS",
  ]);
  assertEquals([row?.[0], row?.at(-2), row?.at(-1)], ["other", "1/1/1", `a=${"x".repeat(32)}...${"x".repeat(15)}`]);
  assertEquals(await world.run("list", "-A", "--no-headers"), 0);
  assertMatch(world.output, /^other {2,}w /);
});

Deno.test("get: --status and --node-field-selector cannot be combined", async () => {
  using world = await worldWith(workflow("w", ENDED));
  assertEquals(
    await outputOfFailed(world, "get", "w", "--status", "Failed", "--node-field-selector", "a=b"),
    "cannot use both --status and --node-field-selector",
  );
});

Deno.test("logs: filters by container, tail and pattern, and rejects --since with --since-time", async () => {
  using world = await worldWith(workflow("w", ENDED));
  const seen: unknown[] = [];
  world.api.useKubelet({
    logs: (_namespace, _pod, container, { tailLines }) => {
      seen.push([container, tailLines]);
      return ReadableStream.from([new TextEncoder().encode("2026-01-01T00:00:00Z one\n2026-01-01T00:00:01Z two\n")]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  await world.client.create(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", labels: { [LABEL.workflow]: "w" } },
    spec: { containers: [{ name: "main", image: "x" }, { name: "side", image: "x" }], nodeName: "here" },
  });
  const containerStatuses = ["main", "side"].map((name) => ({ name, state: { terminated: { exitCode: 0 } } }));
  await world.client.patch(PODS, "default", "p", { status: { phase: "Succeeded", containerStatuses } }, "merge", {
    subresource: "status",
  });
  assertEquals(await world.run("logs", "w", "nope", "-c", "sid"), 0);
  assertEquals([world.output, world.errors], ["", "No lines found for workflow w: container sid of the pod nope\n"]);
  assertEquals(await world.run("logs", "w", "-c", "side", "--tail", "2", "--grep", "^t"), 0, world.errors);
  assertEquals([world.output, seen], ["p: two\n", [["side", 2]]]);
  assertStringIncludes(
    await outputOfFailed(world, "logs", "w", "--since", "1m", "--since-time", "2026-01-01T00:00:00Z"),
    "--since-time and --since cannot be used together",
  );
});

Deno.test("delete: reports missing workflows and continues, a dry run deletes nothing, and filters are combined", async () => {
  using world = await worldWith(workflow("a-1", ENDED), workflow("a-2"), workflow("b", ENDED));
  assertEquals([await world.run("delete", "nope"), world.output], [0, "Workflow 'nope' not found\n"]);
  assertEquals(await world.run("delete", "--all", "--dry-run"), 0);
  assertEquals(world.output.trim().split("\n").length, 3);
  assertEquals([await world.run("delete", "--prefix", "zzz"), world.output], [0, "No resources found\n"]);
  assertEquals(
    [await world.run("delete", "--completed", "--prefix", "a", "--query-chunk-size", "1"), world.output],
    [0, "Workflow 'a-1' deleted\n"],
  );
  assertEquals((await world.client.list(WORKFLOWS, "default")).items.length, 2);
});

Deno.test("stop: requires a name or a selector, and stops a workflow that matches both once", async () => {
  using world = await worldWith(workflow("w", { phase: "Running" }, { labels: { team: "x" } }));
  assertStringIncludes(await outputOfFailed(world, "stop"), "a selector");
  assertEquals([await world.run("stop", "w", "-l", "team=x"), world.output], [0, "workflow w stopped\n"]);
});

Deno.test("resubmit: --priority sets the priority of the new workflow", async () => {
  using world = await worldWith(workflow("w", { ...ENDED, phase: "Failed" }));
  assertEquals(await world.run("resubmit", "w", "--priority", "5", "-o", "json"), 0, world.errors);
  assertEquals((JSON.parse(world.output) as Workflow).spec.priority, 5);
});

Deno.test("retry, resubmit: --wait, --watch and --log print a warning and have no effect with several workflows", async () => {
  const node = { id: "x", name: "x", displayName: "x", type: "Pod", phase: "Failed" } as NodeStatus;
  const failed = { ...ENDED, phase: "Failed", nodes: { x: node } } as const;
  for (const [command, flag] of [["retry", "--wait"], ["resubmit", "--log"], ["resubmit", "--watch"]] as const) {
    using world = await worldWith(workflow("a", failed), workflow("b", failed));
    assertEquals(await world.run(command, "a", "b", flag, "-o", "name"), 0, world.errors);
    assertEquals(world.output.trimEnd().split("\n").length, 2);
    assertEquals(world.errors, `${flag} has no effect with 2 workflows: it accepts one\n`);
  }
});

Deno.test("node: set is the only subcommand, and values may be quoted strings of Go", async () => {
  const outputs = { parameters: [{ name: "a", valueFrom: { supplied: {} } }] };
  const node = { id: "w", name: "w", displayName: "w", type: "Suspend", phase: "Running", outputs } as NodeStatus;
  using world = await worldWith(workflow("w", { phase: "Running", nodes: { w: node } }));
  assertEquals(await world.run("node", "set", "w", "--node-field-selector", "id=w", "-p", 'a="x y"'), 0, world.errors);
  const { status } = await world.client.get<Workflow>(WORKFLOWS, "default", "w");
  assertEquals(status?.nodes?.w?.outputs?.parameters, [{ name: "a", value: "x y" }]);
  assertStringIncludes(await outputOfFailed(world, "node", "get", "w"), "get");
});

Deno.test("lint: reads the standard input, and rejects unknown --kinds", async () => {
  using world = new FakeWorld({ stdin: WAITING });
  assertEquals([await world.run("lint", "--offline", "-"), world.output], [0, "✔ no linting errors found!\n"]);
  assertStringIncludes(await outputOfFailed(world, "lint", "--offline", "--kinds", "x", "-"), "x");
});

/** Files of other kinds in a folder of workflows. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  "sensor.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Sensor\nmetadata: {name: s}\nspec: {}\n",
  "kustomization.yaml": "resources: [wf.yaml]\n",
  "values.yaml": "image: {tag: latest}\n",
  "app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {}\n",
};

const FROM_IMAGE = WAITING.replace("suspend: {}", "container: {image: busybox, command: [echo]}");

Deno.test("lint: suggests to render a Helm template, whether it is valid YAML or not", async () => {
  const advice = "this is a Helm template: render it first, with  helm template CHART | tiphys lint -";
  using broken = new FakeWorld({ stdin: `kind: Workflow\n{{- if .Values.on }}\n${FROM_IMAGE}{{- end }}\n` });
  assertEquals(await broken.run("lint", "--offline", "-o", "simple", "-"), 1);
  assertMatch(broken.output, /^-:2:\d+: .+: this is a Helm template/);
  assertStringIncludes(broken.output, advice);
  assertEquals(await broken.run("submit", "-"), 2);
  assertStringIncludes(broken.errors, advice);
  using valid = new FakeWorld({ stdin: FROM_IMAGE.replace("busybox", '"busybox:{{ .Values.tag }}"') });
  assertEquals(await valid.run("lint", "--offline", "-o", "simple", "-"), 0);
  assertMatch(valid.output, /^-:\d+:\d+: warning: this is a Helm template/);
});

Deno.test("lint: excerpts of a file with Windows line ends have no control characters", async () => {
  using world = new FakeWorld({ stdin: FROM_IMAGE.replace("image:", "imag:").replaceAll("\n", "\r\n") });
  assertEquals(await world.run("lint", "--offline", "-"), 1);
  assertStringIncludes(world.output, "imag:");
  assert(!/\^M|\r/.test(world.output), world.output);
});

Deno.test("lint FOLDER: ignores documents of other kinds and prints their number", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = Object.fromEntries(
      Object.entries({ ...OTHER_FILES, "wf.yaml": WAITING }).map(([name, text]) => [`${folder}/${name}`, text]),
    );
    for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(path, text);
    using world = new FakeWorld({ files });
    assertEquals(await world.run("lint", "--offline", folder), 0, world.output);
    assertEquals(world.output, "✔ no linting errors found!\n");
    assertEquals(
      world.errors,
      "Ignored 4 documents of other kinds: 1 Application, 2 without a kind, 1 Sensor\n",
    );
    // A named file is always checked.
    assertEquals(await world.run("lint", "--offline", `${folder}/values.yaml`), 1);
    await Deno.writeTextFile(`${folder}/bad.yaml`, "");
    using misspelled = new FakeWorld({
      files: { ...files, [`${folder}/bad.yaml`]: WAITING.replace("Workflow", "Workfow") },
    });
    assertEquals(await misspelled.run("lint", "--offline", "-o", "simple", folder), 1);
    assertStringIncludes(misspelled.output, 'kind: unknown kind "Workfow"; did you mean "Workflow"?');
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const ENUM_TEMPLATE = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTemplate",
  metadata: { name: "t" },
  spec: {
    entrypoint: "main",
    arguments: { parameters: [{ name: "env", value: "dev", enum: ["dev", "prod"] }, { name: "epochs" }] },
    templates: [{ name: "main", suspend: {} }],
  },
};

Deno.test("submit --from: rejects missing arguments and values outside of enum, and warns of unknown parameters", async () => {
  using world = new FakeWorld({ now: NOW });
  await world.client.create(WORKFLOW_TEMPLATES, "default", ENUM_TEMPLATE);
  const submit = (...flags: string[]) => world.run("submit", "--from", "workflowtemplate/t", "-o", "name", ...flags);
  assertEquals(await submit(), 2);
  assertStringIncludes(world.errors, "spec.arguments.epochs.value or spec.arguments.epochs.valueFrom is required");
  assertEquals(await submit("-p", "epochs=1", "-p", "env=qa"), 2);
  assertStringIncludes(world.errors, "spec.arguments.env.value should be present in spec.arguments.env.enum list");
  assertEquals((await world.client.list(WORKFLOWS, "default")).items, []);
  assertEquals(await submit("-p", "epochs=1", "-p", "env=prod"), 0, world.errors);
  assertEquals(await submit("-p", "epochs=1", "-p", "epoch=2"), 0, world.errors);
  assertStringIncludes(world.errors, 'Warning: no parameter "epoch"; did you mean "epochs"?');
});

Deno.test("submit FILE: keeps the enum of a parameter that a flag sets, and warns of unknown parameters", async () => {
  const file = JSON.stringify({ ...ENUM_TEMPLATE, kind: "Workflow", metadata: { generateName: "w-" } });
  using world = new FakeWorld({ stdin: file, now: NOW });
  assertEquals(await world.run("submit", "-", "-p", "epochs=1", "-p", "env=qa"), 2);
  assertStringIncludes(world.errors, "spec.arguments.env.value should be present in spec.arguments.env.enum list");
  using other = new FakeWorld({ stdin: file, now: NOW });
  assertEquals(await other.run("submit", "-", "-o", "name", "-p", "epochs=1", "-p", "evn=prod"), 0, other.errors);
  assertStringIncludes(other.errors, 'Warning: no parameter "evn"; did you mean "env"?');
});

/** A CronWorkflow with a parameter. */
const NIGHTLY = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 0 * * *"]
  workflowSpec:
    entrypoint: main
    arguments: {parameters: [{name: a, value: "one"}]}
    templates: [{name: main, suspend: {}}]
`;

Deno.test("cron create, update: accept the flags of submit and --schedule", async () => {
  using world = new FakeWorld({ files: { "c.yaml": NIGHTLY }, now: NOW });
  assertEquals(await world.run("cron", "create", "c.yaml", "-p", "a=2", "-l", "team=x"), 0, world.errors);
  const stored = () => world.client.get<CronWorkflow>(CRON_WORKFLOWS, "default", "nightly");
  const { spec, metadata } = await stored();
  assertEquals([spec.workflowSpec?.arguments?.parameters?.[0]?.value, metadata.labels?.team], ["2", "x"]);
  assertEquals(await world.run("cron", "update", "c.yaml", "--schedule", "5 0 * * *", "-p", "a=3"), 0, world.errors);
  const updated = (await stored()).spec;
  assertEquals([updated.schedules, updated.workflowSpec?.arguments?.parameters?.[0]?.value], [["5 0 * * *"], "3"]);
});

Deno.test("cron: --generate-name replaces the name of the file, and get shows parameters and conditions", async () => {
  using world = new FakeWorld({ files: { "c.yaml": NIGHTLY }, now: NOW });
  assertEquals(await world.run("cron", "create", "c.yaml"), 0, world.errors);
  assertEquals(
    await world.run("cron", "create", "c.yaml", "--generate-name", "other-", "-p", "a=two"),
    0,
    world.errors,
  );
  const names = (await world.client.list<CronWorkflow>(CRON_WORKFLOWS, "default")).items.map((item) =>
    item.metadata.name
  );
  assertEquals(names.map((name) => name?.replace(/-.*/, "-*")), ["nightly", "other-*"]);
  await world.client.patch(CRON_WORKFLOWS, "default", "nightly", {
    status: { conditions: [{ type: "SubmissionError", status: "True", message: "no such template" }] },
  });
  world.output = "";
  assertEquals(await world.run("cron", "get", "nightly"), 0);
  assertMatch(
    world.output,
    /^Conditions:\s*\n✖ SubmissionError: +no such template\nWorkflow Parameters:\s*\n {2}a: +one$/m,
  );
});

Deno.test("cron create, update: an invalid CronWorkflow is rejected with its position, with and without flags", async () => {
  const head = "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: nightly}\n";
  const scheduled = `${head}spec:\n  schedules: ["0 0 * * *"]\n`;
  const refusals = [
    [head, "c.yaml:1:1: spec: spec is required"],
    [`${head}spec: soon\n`, 'c.yaml:4:1: spec: expected object, got "soon"'],
    [scheduled, "c.yaml:4:1: spec.workflowSpec: workflowSpec is required"],
    [`${scheduled}  workflowSpec: soon\n`, 'c.yaml:6:3: spec.workflowSpec: expected object, got "soon"'],
    [
      `${scheduled}  workflowSpec: {arguments: {parameters: soon}}\n`,
      'c.yaml:6:30: spec.workflowSpec.arguments.parameters: expected list, got "soon"',
    ],
  ] as const;
  for (const [text, reason] of refusals) {
    using world = new FakeWorld({ files: { "c.yaml": text }, now: NOW });
    for (const verb of ["create", "update"]) {
      for (const flags of [[], ["-p", "a=1", "--schedule", "5 0 * * *"]]) {
        assertEquals(await outputOfFailed(world, "cron", verb, "c.yaml", ...flags), reason);
      }
    }
  }
});

Deno.test("submit, run: an invalid Workflow is rejected with its position", async () => {
  const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: once}\n";
  const refusals = [
    [head, "w.yaml:1:1: spec: spec is required"],
    [
      `${head}spec: {arguments: {parameters: soon}}\n`,
      'w.yaml:4:20: spec.arguments.parameters: expected list, got "soon"',
    ],
  ] as const;
  for (const [text, reason] of refusals) {
    using world = new FakeWorld({ files: { "w.yaml": text }, now: NOW });
    for (const command of ["submit", "run"]) {
      assertEquals(await outputOfFailed(world, command, "w.yaml", "-p", "a=1"), reason);
    }
  }
});

Deno.test("version: also prints the version of the server if one is set, in two blocks or two lines", async () => {
  using world = new FakeWorld({ env: { ARGO_SERVER: "argo.example:2746" } });
  world.serverVersion = { version: "v4.1.2", gitCommit: "abc", gitTreeState: "clean", goVersion: "go1.25" };
  assertEquals(await world.run("version", "--short"), 0);
  assertMatch(world.output, /^tiphys: v\S+\nargo-server: v4\.1\.2\n$/);
  assertEquals(await world.run("version"), 0);
  assertStringIncludes(world.output, "argo-server: v4.1.2\n  BuildDate: \n  GitCommit: abc\n  GitTreeState: clean\n");
  using alone = new FakeWorld();
  assertEquals(await alone.run("version", "--short"), 0);
  assertMatch(alone.output, /^tiphys: v\S+\n$/);
});

Deno.test("ARGO_TOKEN: is sent unchanged with a scheme, and as a bearer token without one", async () => {
  for (const [token, sent] of [["Bearer t", "Bearer t"], ["t", "Bearer t"], ["Basic dTpw", "Basic dTpw"]] as const) {
    using world = new FakeWorld({ env: { ARGO_SERVER: "argo.example:2746", ARGO_TOKEN: token } });
    const connect = world.connect.bind(world);
    let seen: string | undefined;
    world.connect = (where: Parameters<typeof connect>[0] & { server?: { authorization?: string } }) => {
      seen = where.server?.authorization;
      return connect(where);
    };
    assertEquals(await world.run("list"), 0);
    assertEquals(seen, sent);
  }
});

Deno.test("output: has no colors without a terminal", async () => {
  using world = await worldWith(workflow("w", ENDED));
  for (const args of [["list"], ["get", "w"], ["logs", "w"]]) {
    await world.run(...args);
    assert(!world.output.includes("\x1b"), args.join(" "));
  }
});

Deno.test("--strict: submit, lint, create and update reject unknown fields, and ignore them with --strict=false", async () => {
  const odd = `${WAITING}  oddField: 1\n`;
  const asKind = (kind: string) =>
    odd.replace("kind: Workflow", `kind: ${kind}`).replace("generateName: made-", "name: x");
  using world = new FakeWorld({
    files: { "w.yaml": odd, "t.yaml": asKind("WorkflowTemplate"), "c.yaml": asKind("ClusterWorkflowTemplate") },
  });
  const commands = [
    ["submit", "w.yaml", "-o", "name"],
    ["lint", "--offline", "w.yaml"],
    ["template", "create", "t.yaml", "-o", "name"],
    ["template", "update", "t.yaml", "-o", "name"],
    ["cluster-template", "create", "c.yaml", "-o", "name"],
  ];
  for (const command of commands) {
    for (const strict of [[], ["--strict"], ["--strict=true"]]) {
      assert(await world.run(...command, ...strict) !== 0, command.join(" "));
      assertStringIncludes(world.output + world.errors, 'unknown field "oddField"');
    }
    assertEquals(await world.run(...command, "--strict=false"), 0, world.errors);
  }
});

Deno.test("--strict: the case of field names matters in YAML, and in JSON only for lint; never with --strict=false", async () => {
  const odd = WAITING.replace("entrypoint:", "EntryPoint:").replace("templates:", "Templates:");
  const json = JSON.stringify(parseYaml(odd)[0]?.value);
  using world = new FakeWorld({ files: { "w.yaml": odd, "w.json": json } });
  for (
    const [command, code] of [
      [["submit", "w.yaml", "-o", "name"], 2],
      [["submit", "w.json", "-o", "name"], 0],
      [["submit", "w.yaml", "-o", "name", "--strict=false"], 0],
      [["lint", "--offline", "w.json"], 1],
      [["lint", "--offline", "w.yaml", "--strict=false"], 0],
      [["lint", "--offline", "w.json", "--strict=false"], 0],
    ] as const
  ) {
    assertEquals(await world.run(...command), code, `${command.join(" ")}: ${world.errors}`);
    if (code !== 0) {
      assertStringIncludes(world.output + world.errors, 'unknown field "EntryPoint"; did you mean "entrypoint"?');
    }
  }
  const { items } = await world.client.list<Workflow>(WORKFLOWS, "default");
  assertEquals(items.map(({ spec }) => [spec.entrypoint, spec.templates?.length]), [["main", 1], ["main", 1]]);
});

Deno.test("watch, submit --watch: --status and --node-field-selector select the nodes to show", async () => {
  const node = (id: string, phase: NodeStatus["phase"]) => ({
    id,
    name: `w.${id}`,
    displayName: id,
    type: "Pod" as const,
    phase,
  });
  const nodes = { good: node("good", "Succeeded"), bad: node("bad", "Failed") };
  using world = await worldWith(workflow("w", { ...ENDED, phase: "Failed", nodes }));
  const shown = async (...flags: readonly string[]) => {
    await world.run("watch", "w", ...flags);
    return [/\bgood\b/.test(world.output), /\bbad\b/.test(world.output)];
  };
  assertEquals(await shown(), [true, true]);
  assertEquals(await shown("--status", "Failed"), [false, true]);
  assertEquals(await shown("--node-field-selector", "displayName=good"), [true, false]);
  const both = ["--status", "Failed", "--node-field-selector", "phase=Failed"];
  assertEquals(
    await outputOfFailed(world, "watch", "w", ...both),
    "cannot use both --status and --node-field-selector",
  );
  assertEquals(
    await outputOfFailed(world, "submit", "x", "--watch", ...both),
    "cannot use both --status and --node-field-selector",
  );
});
