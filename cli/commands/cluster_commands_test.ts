import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { CRON_WORKFLOWS, WORKFLOWS } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";
import { WAITING } from "../testing/manifests.ts";

const LABEL = "workflows.argoproj.io/";
const NOW = new Date("2026-01-01T01:00:00Z");

/** Creates a world with workflows that a controller has processed. */
async function worldWith(...workflows: readonly Workflow[]): Promise<FakeWorld> {
  const world = new FakeWorld({ now: NOW });
  for (const workflow of workflows) await world.client.create(WORKFLOWS, "default", workflow);
  return world;
}

function workflow(
  name: string,
  phase: "Running" | "Succeeded" | "Failed",
  fields: Partial<Workflow["status"]> = {},
): Workflow {
  const completed = phase !== "Running";
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, labels: { [`${LABEL}phase`]: phase, [`${LABEL}completed`]: String(completed) } },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: {
      phase,
      startedAt: "2026-01-01T00:00:00Z",
      ...(completed ? { finishedAt: "2026-01-01T00:10:00Z" } : {}),
      ...fields,
    },
  };
}

function suspendedNode(fields: Partial<NodeStatus> = {}): Workflow["status"] {
  const node = { id: "w", name: "w", displayName: "w", type: "Suspend" as const, phase: "Running" as const, ...fields };
  return { nodes: { w: { ...node, startedAt: "2026-01-01T00:00:00Z", templateName: "main" } } };
}

async function readStored(world: FakeWorld, name = "w"): Promise<Workflow> {
  return await world.client.get<Workflow>(WORKFLOWS, "default", name);
}

Deno.test("list: shows running workflows first, then the most recently finished", async () => {
  using world = await worldWith(
    workflow("old", "Succeeded"),
    workflow("new", "Failed", { finishedAt: "2026-01-01T00:30:00Z", message: "it failed" }),
    workflow("now", "Running"),
  );
  assertEquals(await world.run("list"), 0);
  const rows = world.output.trimEnd().split("\n").map((line) => line.split(/ {2,}/));
  assertEquals(rows[0], ["NAME", "STATUS", "AGE", "DURATION", "PRIORITY", "MESSAGE"]);
  assertEquals(rows.slice(1).map(([name, status, , duration]) => [name, status, duration]), [
    ["now", "Running", "1h"],
    ["new", "Failed", "30m"],
    ["old", "Succeeded", "10m"],
  ]);
  assertStringIncludes(world.output, "it failed");
});

Deno.test("list: filters by state, name and age, and prints names", async () => {
  using world = await worldWith(workflow("a-1", "Succeeded"), workflow("a-2", "Running"), workflow("b-1", "Failed"));
  const table: [string[], string][] = [
    [["--running"], "a-2"],
    [["--completed", "--prefix", "a"], "a-1"],
    [["--status", "Failed,Running"], "a-2 b-1"],
    [["--older", "40m", "--prefix", "b"], "b-1"],
    [["-l", `${LABEL}phase=Failed`], "b-1"],
    [["--field-selector", "metadata.name=a-1"], "a-1"],
  ];
  for (const [flags, names] of table) {
    assertEquals(await world.run("list", "-o", "name", ...flags), 0);
    assertEquals(world.output.trim().split("\n").sort().join(" "), names, flags.join(" "));
  }
  await world.run("list", "--older", "1d");
  assertEquals(world.output, "No workflows found\n");
});

Deno.test("get: shows head and tree, @latest is the newest workflow, and nodes can be selected", async () => {
  using world = await worldWith(workflow("first", "Succeeded"), workflow("w", "Running", suspendedNode()));
  assertEquals(await world.run("get", "@latest"), 0);
  assertMatch(world.output, /^Name: {16}w\nNamespace: {11}default\n/);
  assertMatch(world.output, /Status: {14}Running \(Suspended\)\n/);
  assertMatch(world.output, /STEP +TEMPLATE +PODNAME +DURATION +MESSAGE\n ǁ w +main +1h\n$/);
  assertEquals(await world.run("get", "w", "-o", "short", "--node-field-selector", "phase=Failed"), 0);
  assertEquals(world.output, "");
  assertEquals(await world.run("get", "w", "-o", "json"), 0);
  assertEquals((JSON.parse(world.output) as Workflow).metadata.name, "w");
  assertEquals(await world.run("get", "w", "--no-utf8"), 0);
  assertStringIncludes(world.output, "\n Suspend w ");
});

Deno.test("suspend, resume: set and clear spec.suspend, and resume also completes suspended nodes", async () => {
  using world = await worldWith(workflow("w", "Running", suspendedNode()));
  assertEquals(await world.run("suspend", "w"), 0);
  assertEquals((await readStored(world)).spec.suspend, true);
  assertEquals(await world.run("resume", "w"), 0);
  assertEquals(world.output, "workflow w resumed\n");
  const { spec, status } = await readStored(world);
  assertEquals([spec.suspend, status?.nodes?.w?.phase, status?.nodes?.w?.finishedAt], [
    undefined,
    "Succeeded",
    "2026-01-01T01:00:00Z",
  ]);
});

Deno.test("node set, stop, resume: set outputs of a node, fail it with a message, or resume it", async () => {
  const outputs = { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] };
  using world = await worldWith(workflow("w", "Running", suspendedNode({ outputs })));
  const selector = ["--node-field-selector", "displayName=w"];
  assertEquals(await world.run("node", "set", "w", ...selector, "-p", "answer=YES", "-m", "done"), 0);
  assertEquals(world.output, "workflow values set\n");
  const set = (await readStored(world)).status?.nodes?.w;
  assertEquals([set?.outputs?.parameters, set?.message, set?.phase], [
    [{ name: "answer", value: "YES" }],
    "done",
    "Running",
  ]);
  assertEquals(await world.run("stop", "w", ...selector, "--message", "because"), 0);
  const failed = (await readStored(world)).status?.nodes?.w;
  assertEquals([failed?.phase, failed?.message], ["Failed", "because"]);
  assertEquals(await world.run("resume", "w", ...selector), 1);
  assertStringIncludes(world.errors, "no suspend nodes matching nodeFieldSelector: displayName=w");
});

Deno.test("stop, terminate: set spec.shutdown, and fail for a completed workflow", async () => {
  using world = await worldWith(workflow("w", "Running"), workflow("x", "Running"), workflow("done", "Succeeded"));
  assertEquals(await world.run("stop", "w"), 0);
  assertEquals((await readStored(world)).spec.shutdown, "Stop");
  assertEquals(await world.run("terminate", "-l", `${LABEL}completed=false`), 0);
  assertEquals((await readStored(world, "x")).spec.shutdown, "Terminate");
  assertEquals(await world.run("stop", "done"), 1);
  assertStringIncludes(world.errors, "cannot shutdown a completed workflow");
});

Deno.test("list, delete, get: refuse an unknown phase, with the most similar one", async () => {
  using world = await worldWith(workflow("w", "Failed"));
  for (const command of [["list"], ["delete"], ["get", "w"]]) {
    assertEquals(await world.run(...command, "--status", "Succeeded,failed".slice(command[0] === "get" ? 10 : 0)), 2);
    assertStringIncludes(world.errors, 'for --status, got "failed"; did you mean "Failed"?');
  }
});

Deno.test("stop, terminate, suspend, resume: an action without effect fails, and the other workflows are still changed", async () => {
  const held = workflow("held", "Running");
  using world = await worldWith(
    workflow("w", "Running"),
    workflow("x", "Running"),
    { ...held, spec: { ...held.spec, suspend: true } },
  );
  assertEquals([await world.run("resume", "w", "held"), world.output], [1, "workflow held resumed\n"]);
  assertEquals(world.errors, "workflow w was not resumed: it is not suspended\n");
  assertEquals(await world.run("suspend", "w"), 0);
  assertEquals([await world.run("suspend", "w"), world.output], [1, ""]);
  assertEquals(world.errors, "workflow w was not suspended: it is suspended already\n");
  assertEquals(await world.run("stop", "w"), 0);
  assertEquals([await world.run("stop", "w", "--dry-run"), world.output], [1, ""]);
  assertEquals(world.errors, "workflow w was not stopped: it is being stopped already\n");
  assertEquals(await world.run("terminate", "w"), 0, "it ends sooner");
  assertEquals([await world.run("terminate", "w", "x"), world.output], [1, "workflow x terminated\n"]);
  assertEquals(world.errors, "workflow w was not terminated: it is being terminated already\n");
  assertEquals(await world.run("stop", "w"), 1);
  assertEquals((await readStored(world)).spec.shutdown, "Terminate");
});

Deno.test("retry and resubmit: an unknown parameter name is a warning", async () => {
  const failed = workflow("w", "Failed", {
    nodes: { w: { id: "w", name: "w", type: "Pod", phase: "Failed" } },
    storedTemplates: { "namespaced/t/a": { name: "a", container: { args: ["{{workflow.parameters.region}}"] } } },
  });
  const spec = { ...failed.spec, arguments: { parameters: [{ name: "epochs", value: "1" }] } };
  using world = await worldWith({ ...failed, spec });
  const names = ["-p", "epochs=2", "-p", "region=eu", "-p", "epoch=3"];
  const warning = 'Warning: no parameter "epoch"; did you mean "epochs"?\n';
  for (const command of ["resubmit", "retry"]) {
    assertEquals([await world.run(command, "w", ...names), world.errors], [0, warning]);
  }
});

Deno.test("cron create: an unknown parameter name is a warning", async () => {
  using world = new FakeWorld({
    files: {
      "c.yaml": `
apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: { name: c }
spec:
  schedules: ["0 0 * * *"]
  workflowSpec:
    entrypoint: main
    arguments: { parameters: [{ name: epochs, value: "1" }] }
    templates: [{ name: main, container: { image: i, command: [c] } }]
`,
    },
    now: NOW,
  });
  const warning = 'Warning: no parameter "epoch"; did you mean "epochs"?\n';
  assertEquals([await world.run("cron", "create", "c.yaml", "-p", "epoch=2"), world.errors], [0, warning]);
  assertEquals([await world.run("cron", "update", "c.yaml", "-p", "epochs=2"), world.errors], [0, ""]);
  assertEquals([await world.run("cron", "suspend", "c"), world.output], [0, "CronWorkflow 'c' suspended\n"]);
  assertEquals([await world.run("cron", "suspend", "c"), world.errors], [
    1,
    "CronWorkflow 'c' is suspended already\n",
  ]);
  // An unchanged schedule does not prevent the following names from being processed.
  assertEquals([await world.run("cron", "suspend", "c", "c"), world.errors.split("\n").length], [1, 3]);
});

Deno.test("delete: deletes workflows by name and by filter, and prints each", async () => {
  using world = await worldWith(workflow("a", "Succeeded"), workflow("b", "Running"), workflow("c", "Failed"));
  assertEquals([await world.run("delete", "--prefix", "nobody"), world.output], [0, "No resources found\n"]);
  assertEquals(await world.run("delete", "--completed", "--dry-run"), 0);
  assertEquals(world.output.split("\n").filter(Boolean).length, 2);
  assertEquals(await world.run("delete", "--completed"), 0);
  assertEquals(await world.run("delete", "b", "nothing"), 0);
  assertEquals(world.output, "Workflow 'b' deleted\nWorkflow 'nothing' not found\n");
  assertEquals((await world.client.list(WORKFLOWS, "default")).items, []);
});

Deno.test("wait: exits with 1 if one of the workflows failed", async () => {
  using world = await worldWith(workflow("good", "Succeeded"), workflow("bad", "Failed"));
  assertEquals(await world.run("wait", "good"), 0);
  assertEquals(world.output, "good Succeeded at 2026-01-01 00:10:00 +0000 UTC\n");
  assertEquals(await world.run("wait", "good", "bad"), 1);
  assertEquals(await world.run("wait", "nothing"), 1);
  assertEquals(await world.run("wait", "nothing", "--ignore-not-found"), 0);
});

Deno.test("resubmit: creates a copy of the workflow and prints its name", async () => {
  using world = await worldWith(workflow("w", "Failed"));
  assertEquals(await world.run("resubmit", "w"), 0);
  const name = /^Name: +(w-\w+)$/m.exec(world.output)?.[1] ?? "";
  assertEquals((await readStored(world, name)).metadata.labels, { [`${LABEL}resubmitted-from-workflow`]: "w" });
  assertEquals(await world.run("resubmit", "w", "-o", "name"), 0);
  assertMatch(world.output, /^w-\w+\n$/);
});

Deno.test("a workflow that is not found: the error suggests a name, a namespace or a command", async () => {
  using world = await worldWith(workflow("build-x7k2p", "Running"));
  const notFound = (name: string) => `workflows.argoproj.io "${name}" not found`;
  const table: readonly [args: string[], errors: string][] = [
    [["get", "build"], `${notFound("build")}; did you mean "build-x7k2p"?\n`],
    [["stop", "biuld-x7k2p"], `${notFound("biuld-x7k2p")}; did you mean "build-x7k2p"?\n`],
    [
      ["logs", "build-x7k2p", "-n", "prod"],
      `${notFound("build-x7k2p")}\nIt is in namespace default: set  -n default\n`,
    ],
    [["get", "wf", "build-x7k2p"], `${notFound("wf")}\nWrite the name without the kind\n`],
    [["template", "get", "t"], 'workflowtemplates.argoproj.io "t" not found\nTo see all:  tiphys template list\n'],
    [["get", "other", "-n", "prod"], `${notFound("other")}\nTo see all:  tiphys list -n prod\n`],
  ];
  for (const [args, errors] of table) {
    assertEquals(await world.run(...args), 1, args.join(" "));
    assertEquals(world.errors, errors);
  }
});

Deno.test("--field-selector: a field that only flags select by is rejected with the flag", async () => {
  using world = new FakeWorld();
  for (const command of ["list", "delete", "stop"]) {
    assertEquals(await world.run(command, "--field-selector", "metadata.name=a,status.phase!=Running"), 2, command);
    assertEquals(
      world.errors,
      "--field-selector: field label not supported: status.phase. To select by it:  tiphys list --status Running\n",
    );
  }
});

Deno.test("submit: creates workflows from files and from templates of the cluster", async () => {
  const template = WAITING.replace("kind: Workflow", "kind: WorkflowTemplate").replace(
    "generateName: made-",
    "name: shared",
  );
  using world = new FakeWorld({ files: { "w.yaml": WAITING, "t.yaml": template }, now: NOW });
  assertEquals(await world.run("submit", "w.yaml", "--name", "mine", "-o", "name"), 0);
  assertEquals(world.output, "mine\n");
  assertEquals(await world.run("submit", "--from", "wftmpl/shared"), 1);
  assertEquals(await world.run("template", "create", "t.yaml", "-o", "name"), 0);
  assertEquals(await world.run("template", "create", "t.yaml"), 1);
  assertMatch(world.errors, /"shared" already exists\. To replace it: {2}tiphys template update t\.yaml\n$/);
  assertEquals(await world.run("template", "create", "-n", "dev", "t.yaml"), 0);
  assertEquals(await world.run("template", "create", "-n", "dev", "t.yaml"), 1);
  assertMatch(world.errors, /To replace it: {2}tiphys template update t\.yaml -n dev\n$/);
  assertEquals(await world.run("template", "list"), 0);
  assertEquals(world.output, "NAME\nshared\n");
  assertEquals(await world.run("submit", "--from", "wftmpl/shared", "-p", "a=1", "-o", "json"), 0);
  const { metadata, spec } = JSON.parse(world.output) as Workflow;
  assertMatch(metadata.name ?? "", /^shared-\w+$/);
  assertEquals(spec.workflowTemplateRef, { name: "shared" });
  assertEquals(spec.arguments?.parameters, [{ name: "a", value: "1" }]);
});

Deno.test("submit --dry-run: creates nothing, and rejects contradictory flags", async () => {
  using world = new FakeWorld({ files: { "w.yaml": WAITING } });
  assertEquals(await world.run("submit", "w.yaml", "--dry-run", "-o", "yaml"), 0);
  assertStringIncludes(world.output, "generateName: made-");
  assertEquals(await world.run("submit", "w.yaml", "--server-dry-run", "-o", "name"), 0);
  assertEquals(await world.run("submit", "w.yaml", "--dry-run"), 2);
  assertEquals(await world.run("submit", "w.yaml", "--from", "cronwf/a"), 2);
  assertEquals((await world.client.list(WORKFLOWS, "default")).items, []);
});

Deno.test("lint: reports every problem with its position, and exits with 1", async () => {
  const files = { "good.yaml": WAITING, "bad.yaml": WAITING.replace("entrypoint: main", "entrypoint: mian") };
  using world = new FakeWorld({ files });
  assertEquals(await world.run("lint", "good.yaml"), 0);
  assertEquals(world.output, "✔ no linting errors found!\n");
  assertEquals(await world.run("lint", "--offline", "good.yaml", "bad.yaml"), 1);
  assertMatch(world.output, /^bad\.yaml:\n {3}✖ 5:3: spec\.entrypoint: .*mian.*\n/);
  assert(world.output.endsWith("\n     |   entrypoint: mian\n     | ..^\n\n✖ 1 linting error found!\n"), world.output);
  assertEquals(await world.run("lint", "-o", "simple", "bad.yaml"), 1);
  assertMatch(world.output, /^bad\.yaml:5:3: spec\.entrypoint: /);
  assertEquals(await world.run("lint", "--kinds", "wf,cwftmpl", "good.yaml"), 0, world.errors);
  for (const other of ["cronworkflows", "cronwf", "wftmpl"]) {
    assertEquals(await world.run("lint", "--kinds", other, "good.yaml"), 1);
  }
  assertStringIncludes(world.output, "found nothing to lint");
});

Deno.test("manifests: excessive nesting is rejected with its position, in YAML and in JSON", async () => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const files = {
    "deep.yaml": WAITING.replace("entrypoint: main", `entrypoint: main\n  x: ${deep}`),
    "deep.json": `{"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow",\n"spec":{"x":${deep}}}`,
  };
  for (const [file, place] of [["deep.yaml", "6:204"], ["deep.json", "2:211"]] as const) {
    for (
      const args of [["lint", "--offline", "-o", "simple"], ["submit"], ["template", "create"], ["cron", "update"]]
    ) {
      using world = new FakeWorld({ files });
      const code = await world.run(...args, file);
      const text = world.output + world.errors;
      assert(code > 0, `${args[0]} ${file}: ${text}`);
      assertStringIncludes(text, `${file}:${place}: lists and objects are nested more than 200 levels deep`);
      assert(text.length < 2000, `${text.length} characters`);
    }
  }
});

Deno.test("lint: reports positions within expressions, and a problem that may not occur is only a warning", async () => {
  const withExpression = (expression: string) =>
    WAITING.replace(
      "entrypoint: main",
      `entrypoint: main\n  arguments: {parameters: [{name: p, value: "{{=${expression}}}"}]}`,
    );
  const files = { "bad.yaml": withExpression("workflow.nmae"), "odd.yaml": withExpression("workflow.nmae ?? 'x'") };
  using world = new FakeWorld({ files });
  assertEquals(await world.run("lint", "--offline", "-o", "simple", "bad.yaml"), 1);
  assertEquals(
    world.output,
    'bad.yaml:6:58: spec.arguments.parameters[0].value: unknown name workflow.nmae; did you mean "workflow.name"?\n',
  );
  assertEquals(await world.run("lint", "--offline", "odd.yaml"), 0);
  assertMatch(world.output, /⚠ 6:58: .*\n.*\n {5}\| \.{57}\^\n\n✔ no linting errors found!\n$/);
  assertEquals(await world.run("submit", "--dry-run", "-o", "name", "bad.yaml"), 0);
});

Deno.test("cron suspend, resume: suspend and resume a CronWorkflow", async () => {
  const cron = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 0 * * *"]
  workflowSpec: {entrypoint: main, templates: [{name: main, suspend: {}}]}
`;
  using world = new FakeWorld({ stdin: cron, now: NOW });
  assertEquals(await world.run("cron", "create", "-"), 0);
  assertEquals(await world.run("cron", "suspend", "nightly"), 0);
  assertEquals(await world.run("cron", "list"), 0);
  assertMatch(world.output, /nightly +\S+ +N\/A +N\/A +0 0 \* \* \* +true\n$/);
  assertEquals(await world.run("cron", "resume", "nightly"), 0);
  assertEquals(await world.run("cron", "get", "nightly"), 0);
  assertMatch(world.output, /^Suspended: +false$/m);
});

Deno.test("why: lists the reasons why a workflow waits as a table, as JSON, and below the tree of get -o wide", async () => {
  using world = await worldWith(workflow("w", "Running", suspendedNode()), workflow("over", "Succeeded"));
  assertEquals(await world.run("why", "w", "-o", "wide"), 0);
  const [titles, row] = world.output.trimEnd().split("\n").map((line) => line.split(/ {2,}/));
  assertEquals(titles, ["NODE", "REASON", "FOR", "WAITS", "UNTIL", "UNBLOCK"]);
  assertEquals(row?.slice(0, 4), [
    "w",
    "Person",
    "1h",
    "waits for approval of w: tiphys resume w --node-field-selector id=w",
  ]);
  assertStringIncludes(row?.at(-1) ?? "", "tiphys resume w --node-field-selector id=w");
  assertEquals(await world.run("why", "w", "w", "-o", "name"), 0);
  assertEquals(world.output, "w\n");
  assertEquals(await world.run("why", "w", "-o", "json"), 0);
  assertEquals(JSON.parse(world.output)[0].code, "Person");
  assertEquals(await world.run("get", "w", "-o", "wide"), 0);
  assertStringIncludes(world.output, "waits for approval of w");
  assertEquals(await world.run("why", "over"), 0);
  assertEquals(world.output, "over is not waiting: the workflow is Succeeded\n");
  assertEquals(await world.run("why", "w", "nobody"), 1);
  assertStringIncludes(world.errors, 'Workflow w has no node "nobody"');
  assertEquals(await world.run("why", "nobody"), 1);
});

Deno.test("why: a failed workflow is shown with its first failed node, the message, and the command that retries it", async () => {
  const node = (name: string, more: Partial<NodeStatus> = {}): NodeStatus => ({
    id: name,
    name,
    displayName: name,
    type: "Pod",
    phase: "Failed",
    finishedAt: "2026-01-01T00:00:02Z",
    ...more,
  });
  const nodes = {
    bad: node("bad", { type: "DAG", message: "task 'train' failed" }),
    train: node("bad.train", { displayName: "train", message: "exit code 137", finishedAt: "2026-01-01T00:00:01Z" }),
    late: node("bad.late", { displayName: "late", message: "exit code 1" }),
  };
  using world = await worldWith(workflow("bad", "Failed", { nodes }));
  assertEquals(await world.run("why", "bad"), 0, world.errors);
  assertStringIncludes(world.output, "Workflow bad ended with Failed");
  assertStringIncludes(world.output, "The first node that failed: train: exit code 137");
  assertStringIncludes(world.output, "To retry it from where it failed:  tiphys retry bad\n");
  assertEquals(await world.run("why", "bad", "late"), 0, world.errors);
  assertStringIncludes(world.output, "bad.late ended with Failed: exit code 1");
  assertEquals(world.output.includes("train"), false);
});

Deno.test("commands: a change that the state of a workflow does not allow exits with 1 and Argo's message", async () => {
  const ended = workflow("ended", "Succeeded");
  const done = { id: "failed", name: "failed", type: "Pod", phase: "Succeeded" } as const;
  const failed = workflow("failed", "Failed", { nodes: { failed: done } });
  using world = await worldWith(workflow("w", "Running", suspendedNode()), ended, failed);
  const selector = "--node-field-selector";
  const rows: [string[], string][] = [
    [["retry", "w"], "Cannot retry a workflow in phase Running"],
    [["retry", "ended"], "To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector"],
    [["retry", "failed"], "nothing to retry: no failed node was found"],
    [["resubmit", "ended", "--memoized"], "workflow must be Failed/Error to resubmit in memoized mode"],
    [["suspend", "ended"], "cannot suspend completed workflows"],
    [["stop", "ended"], 'cannot shutdown a completed workflow: workflow: "ended", namespace: "default"'],
    [["terminate", "ended"], 'cannot shutdown a completed workflow: workflow: "ended", namespace: "default"'],
    [
      ["node", "set", "w", selector, "displayName=x", "--phase", "Failed"],
      "currently, set only targets suspend nodes: no suspend nodes matching nodeFieldSelector: displayName=x",
    ],
    [
      ["node", "set", "w", selector, "displayName=w", "-p", "a=b"],
      "cannot set output parameters because node is not expecting any raw parameters",
    ],
  ];
  for (const [words, message] of rows) {
    assertEquals([words, await world.run(...words)], [words, 1]);
    assertStringIncludes(world.errors, message);
  }
  for (const command of [["retry", "failed"], ["resubmit", "ended"], ["node", "set", "w", selector, "a=b"]]) {
    assertEquals([command, await world.run(...command, "-p", "novalue")], [command, 2]);
    assertEquals(world.errors, "expected parameter of the form: NAME=VALUE. Received: novalue\n");
  }
});

Deno.test("cron backfill: creates a workflow that creates one workflow for each scheduled time, and prints a summary", async () => {
  using world = new FakeWorld({ now: NOW });
  const cron = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name: "nightly" },
    spec: { schedules: ["0 0 * * *"], workflowSpec: { entrypoint: "a", templates: [{ name: "a", suspend: {} }] } },
  };
  await world.client.create(CRON_WORKFLOWS, "default", cron);
  const times = ["--start", "Mon, 29 Dec 2025 12:00:00 GMT", "--end", "Thu, 01 Jan 2026 00:00:00 GMT"];
  assertEquals(await world.run("cron", "backfill", "nightly", "--name", "fix", ...times), 0);
  assertStringIncludes(world.output, "Created fix Backfill task for Cronworkflow nightly\n");
  assertStringIncludes(world.output, "Total Backfill Schedule: 3\n");
  const { items } = await world.client.list<Workflow>(WORKFLOWS, "default");
  assertEquals(items.map(({ metadata }) => metadata.labels?.[`${LABEL}backfill`]), ["nightly"]);
  const list = items[0]?.spec.templates?.[0]?.steps?.[0]?.[0]?.withParam ?? "";
  assertEquals(JSON.parse(list).map((item: Record<string, unknown>) => item.backfillscheduletime), [
    "2025-12-30 00:00:00 +0000 GMT",
    "2025-12-31 00:00:00 +0000 GMT",
    "2026-01-01 00:00:00 +0000 GMT",
  ]);
  const early = ["--start", "Thu, 01 Jan 2026 00:00:00 GMT"];
  assertEquals(await world.run("cron", "backfill", "nightly", ...early), 0);
  assertEquals(world.output, "There is no suitable scheduling time.\n");
  assertEquals(await world.run("cron", "backfill", "nightly"), 2);
  assertEquals(await world.run("cron", "backfill", "nightly", "--start", "yesterday"), 2);
  assertStringIncludes(world.errors, '--start: expected a time such as 2026-01-31T06:00:00Z or "Mon, 02 Jan');
});

Deno.test("cron backfill: accepts times in RFC 3339", async () => {
  using world = new FakeWorld({ now: NOW });
  await world.client.create(CRON_WORKFLOWS, "default", {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name: "nightly" },
    spec: { schedules: ["0 0 * * *"], workflowSpec: { entrypoint: "a", templates: [{ name: "a", suspend: {} }] } },
  });
  const times = ["--start", "2025-12-29T13:00:00+01:00", "--end", "2026-01-01T00:00:00Z"];
  assertEquals(await world.run("cron", "backfill", "nightly", ...times), 0, world.errors);
  assertStringIncludes(world.output, "Total Backfill Schedule: 3\n");
});

Deno.test("lint -o: json, sarif and github report every problem with its position, and nothing else", async () => {
  const bad =
    "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nspec: {entrypoint: nope, templates: []}\n";
  using world = new FakeWorld({ files: { "bad.yaml": bad } });
  assertEquals(await world.run("lint", "--offline", "-o", "json", "bad.yaml"), 1);
  const [problem] = JSON.parse(world.output);
  assertEquals([problem.file, problem.line, problem.severity], ["bad.yaml", 4, "error"], world.output);
  assertEquals(await world.run("lint", "--offline", "-o", "sarif", "bad.yaml"), 1);
  const { version, runs: [{ results }] } = JSON.parse(world.output);
  assertEquals([version, results[0].level], ["2.1.0", "error"]);
  assertEquals(results[0].message.text, `${problem.path}: ${problem.message}`);
  assertEquals(results[0].locations[0].physicalLocation, {
    artifactLocation: { uri: "bad.yaml" },
    region: { startLine: 4, startColumn: problem.column },
  });
  assertEquals(await world.run("lint", "--offline", "-o", "github", "bad.yaml"), 1);
  assertStringIncludes(world.output, `::error file=bad.yaml,line=4,col=${problem.column}::${problem.path}: `);
});
