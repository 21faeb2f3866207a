import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { PODS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";

const HELLO = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: main
  arguments: {parameters: [{name: text, value: world}]}
  templates:
  - name: main
    steps:
    - - {name: greet, template: say}
  - name: say
    container: {image: busybox, command: [echo, "hello {{workflow.parameters.text}}"]}
`;

const USES_TEMPLATE = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: user}
spec: {workflowTemplateRef: {name: shared}}
`;

const TEMPLATE = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: shared}
spec:
  entrypoint: say
  templates:
  - name: say
    container: {image: busybox, command: [echo, hi]}
`;

Deno.test("run: prints changes, then the tree, and exits with 0 if the workflow succeeded", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO } });
  assertEquals(await world.run("run", "hello.yaml"), 0);
  assertStringIncludes(world.output, "✔ [0].greet  Succeeded");
  assertStringIncludes(world.output, "✔ Workflow hello  Succeeded");
  assertMatch(world.output, /STEP +TEMPLATE +DURATION +MESSAGE\n ✔ hello +main +\ds\n └───✔ greet +say +\ds\n$/);
  assertEquals(world.localClusters, 0, "nothing is left running");
});

Deno.test("run: prompts for permission to replace an image with a stand-in, on a terminal only", async () => {
  for (const confirms of [true, false, undefined]) {
    using world = new FakeWorld({
      files: { "hello.yaml": HELLO },
      ...(confirms !== undefined && { confirms }),
    });
    await world.run("run", "hello.yaml");
    const ask = world.localClusterOptions?.askStandIn;
    assertEquals(ask?.("nope:1"), confirms);
    const question =
      "Image nope:1 cannot be pulled. Run such images on a stand-in with common tools, now and in later runs?";
    assertEquals(world.questions, confirms === undefined ? [] : [question]);
  }
});

Deno.test("run: a failed workflow exits with 1 and is reported with its first failed node and the last log lines", async () => {
  const podEnds = () => ({ exitCode: 3, log: "one\ntwo\n" });
  using world = new FakeWorld({ files: { "hello.yaml": HELLO }, podEnds });
  assertEquals(await world.run("run", "hello.yaml"), 1);
  assertMatch(
    world.errors,
    /Workflow hello ended with Failed: child 'hello-\d+ \(greet: main: Error \(exit code 3\)\)' failed/,
  );
  assertStringIncludes(world.errors, "The first node that failed: greet: main: Error (exit code 3)");
  assertStringIncludes(world.errors, "Its last log lines:\n  one\n  two\n");
  assertStringIncludes(world.errors, "tiphys run --retry hello");
});

Deno.test("run: a failed workflow of one node is reported with its message once", async () => {
  const text = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: one}
spec: {entrypoint: say, templates: [{name: say, container: {image: busybox, command: [say]}}]}
`;
  using world = new FakeWorld({ files: { "one.yaml": text }, podEnds: () => ({ exitCode: 3, log: "last words\n" }) });
  assertEquals(await world.run("run", "one.yaml"), 1);
  const lines = ["Workflow one ended with Failed: main: Error (exit code 3)", "Its last log lines:", "  last words"];
  assertStringIncludes(world.errors, lines.join("\n"));
});

Deno.test("run: invalid input exits with 2 and the position of each problem, and creates nothing", async () => {
  const bad = HELLO.replace("template: say}", "template: sya}").replace("image: busybox", "imagge: busybox");
  using world = new FakeWorld({ files: { "hello.yaml": bad } });
  assertEquals(await world.run("run", "hello.yaml"), 2);
  assertMatch(world.errors, /^hello\.yaml:10:\d+: spec\.templates\[0\]\.steps\[0\]\[0\].*sya/m);
  assertMatch(world.errors, /^hello\.yaml:12:\d+: spec\.templates\[1\]\.container\.imagge/m);
  assertEquals((await world.client.list(WORKFLOWS, undefined)).items, []);
});

Deno.test("run: a missing file, or one without a workflow, exits with 2", async () => {
  using world = new FakeWorld({ files: { "template.yaml": TEMPLATE, "empty.yaml": "" } });
  assertEquals(await world.run("run", "empty.yaml"), 2);
  assertEquals(world.errors, "Expected a Workflow in empty.yaml, found none\n");
  assertEquals(await world.run("run", "nowhere.yaml"), 2);
  assertEquals(world.errors, "Could not read nowhere.yaml: file not found\n");
  assertEquals(await world.run("run", "template.yaml"), 2);
  assertStringIncludes(world.errors, "Expected a Workflow in template.yaml, found WorkflowTemplate\n");
  assertEquals(await world.run("run", "-f", "template.yaml"), 2);
  assertStringIncludes(world.errors, "-f is --parameter-file: write template.yaml without a flag\n");
  assertEquals(await world.run("run", "template.yaml", "--retry", "w", "-f", "parameters.yaml"), 2);
  assertEquals(world.errors.includes("--parameter-file"), false);
});

Deno.test("run: flags set arguments, entrypoint, name and labels, and - reads the standard input", async () => {
  using world = new FakeWorld({ stdin: HELLO });
  const flags = ["-p", "text=Ada", "--entrypoint", "say", "--name", "other", "-l", "team=a", "--priority", "3"];
  assertEquals(await world.run("run", "-", ...flags), 0);
  const { metadata, spec, status } = await world.client.get<Workflow>(WORKFLOWS, "default", "other");
  assertEquals(metadata.labels?.team, "a");
  assertEquals(spec.priority, 3);
  assertEquals(spec.arguments?.parameters, [{ name: "text", value: "Ada" }]);
  assertEquals(Object.values(status?.nodes ?? {}).map(({ templateName }) => templateName), ["say"]);
});

Deno.test("run: an argument without a value is an error unless a flag sets it", async () => {
  const files = { "hello.yaml": HELLO.replace(", value: world", "") };
  using world = new FakeWorld({ files });
  assertEquals(await world.run("run", "hello.yaml"), 2);
  assertStringIncludes(world.errors, "spec.arguments.text.value");
  assertEquals(await world.run("run", "hello.yaml", "-p", "text=Ada"), 0);
});

Deno.test("run: creates templates before the workflows that need them, and uses templates of earlier runs", async () => {
  using world = new FakeWorld({
    files: { "both.yaml": `${USES_TEMPLATE}---\n${TEMPLATE}`, "user.yaml": USES_TEMPLATE },
  });
  assertEquals(await world.run("run", "user.yaml"), 2);
  assertEquals(await world.run("run", "both.yaml"), 0);
  assertEquals((await world.client.list(WORKFLOW_TEMPLATES, "default")).items.length, 1);
  assertEquals(await world.run("run", "user.yaml", "--name", "again"), 0);
});

Deno.test("run: replaces a completed workflow of the same name", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO } });
  assertEquals(await world.run("run", "hello.yaml"), 0);
  const first = await world.client.get<Workflow>(WORKFLOWS, "default", "hello");
  assertEquals(await world.run("run", "hello.yaml"), 0);
  const second = await world.client.get<Workflow>(WORKFLOWS, "default", "hello");
  assert(first.metadata.uid !== second.metadata.uid);
});

Deno.test("run: reports unfinished workflows of earlier runs, and how to end them", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO } });
  const suspended = { templates: [{ name: "wait", suspend: {} }], entrypoint: "wait" };
  const left = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { name: "left" }, spec: suspended };
  await world.client.create(WORKFLOWS, "default", left);
  assertEquals(await world.run("run", "hello.yaml"), 0);
  assertStringIncludes(world.errors, "earlier runs continue: left. To end one:  tiphys terminate NAME --local");
  assertEquals(await world.run("run", "-o", "name", "hello.yaml"), 0);
  assertEquals(world.errors, "");
});

Deno.test("run: streams each log line with the step that printed it, and no logs with --no-log or -o name", async () => {
  using world = new FakeWorld({
    files: { "hello.yaml": HELLO },
    podEnds: () => ({ exitCode: 0, log: "hello\nworld\n" }),
  });
  assertEquals(await world.run("run", "hello.yaml"), 0);
  assertStringIncludes(world.output, "greet: hello\n");
  assertStringIncludes(world.output, "greet: world\n");
  assertEquals(await world.run("run", "hello.yaml", "--no-log"), 0);
  assert(!world.output.includes("greet: hello"));
  assertEquals(await world.run("run", "hello.yaml", "-o", "name"), 0);
  assertEquals([world.output, world.errors], ["hello\n", ""]);
});

Deno.test("run: groups output and annotates the failure in GitHub Actions, and prints each change once in CI", async () => {
  const env = { GITHUB_ACTIONS: "true", CI: "true" };
  const podEnds = () => ({ exitCode: 3, log: "::error::forged\n" });
  using world = new FakeWorld({ files: { "hello.yaml": HELLO }, podEnds, env });
  assertEquals(await world.run("run", "hello.yaml", "--junit", "report.xml"), 1);
  assertMatch(world.output, /\n::group::greet\n::stop-commands::(\S+)\n::error::forged\n::\1::\n::endgroup::\n/);
  assertMatch(
    world.errors,
    /\n::stop-commands::(\S+)\n(?:.+\n)+ {2}::error::forged\n::\1::\n::error file=hello.yaml,title=hello%3A \[0\].greet::main: /,
  );
  assertEquals(world.output.match(/✖ \[0\]\.greet/g)?.length, 1);
  assert(!world.output.includes("TEMPLATE"), "no tree repeats the changes");
  assertStringIncludes(world.written.get("report.xml") ?? "", '<testsuite name="hello" tests="1" failures="1"');
  assertStringIncludes(world.written.get("report.xml") ?? "", 'type="Failed">::error::forged\n</failure>');
});

Deno.test("run: Ctrl-C stops the workflow, prints the command that continues it, and exits with 130", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO }, podEnds: () => ({ exitCode: undefined }) });
  world.onOut = (text) => {
    if (text.includes("● [0].greet  Running")) world.interrupt();
  };
  assertEquals(await world.run("run", "hello.yaml", "--data", "here"), 130);
  assertStringIncludes(world.output, "Stopping; Ctrl-C again terminates");
  assertStringIncludes(
    world.errors,
    "Workflow hello was stopped. To continue:  tiphys run --retry hello --data here",
  );
  const { spec, status } = await world.client.get<Workflow>(WORKFLOWS, "default", "hello");
  assertEquals([spec.shutdown, status?.phase, status?.message], ["Stop", "Failed", "Stopped with strategy 'Stop'"]);
});

Deno.test("run: Ctrl-C reports the nodes that waited, with their reason", async () => {
  const text = HELLO.replace("- - {name: greet, template: say}", "- - {name: greet, template: say, withItems: [a, b]}")
    .replace("- name: say", "- name: say\n    synchronization: {mutexes: [{name: m}]}");
  using world = new FakeWorld({ files: { "hello.yaml": text }, podEnds: () => ({ exitCode: undefined }) });
  world.onOut = (text) => {
    if (text.includes("Waiting for") && !world.output.includes("Stopping")) world.interrupt();
  };
  assertEquals(await world.run("run", "hello.yaml"), 130);
  assertMatch(world.errors, /^greet\(\d:[ab]\) was waiting: Waiting for default\/Mutex\/m lock/);
});

Deno.test("run --retry: retries the failed nodes of a workflow, and does not run successful nodes again", async () => {
  let fails = true;
  const two = HELLO.replace(
    "- - {name: greet, template: say}",
    "- - {name: first, template: say}\n    - - {name: second, template: say}",
  );
  const podEnds = (node: string) => ({ exitCode: fails && node.endsWith("second") ? 1 : 0 });
  using world = new FakeWorld({ files: { "two.yaml": two }, podEnds });
  assertEquals(await world.run("run", "two.yaml"), 1);
  const podsBefore = await podUids(world);
  fails = false;
  assertEquals(await world.run("run", "--retry", "hello"), 0);
  const podsAfter = await podUids(world);
  assertEquals(podsAfter.first, podsBefore.first);
  assert(podsAfter.second !== podsBefore.second);
});

Deno.test("run -o: name and json print nothing else", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO } });
  assertEquals(await world.run("run", "hello.yaml", "-o", "name"), 0);
  assertEquals(world.output, "hello\n");
  assertEquals(await world.run("run", "hello.yaml", "-o", "json"), 0);
  assertEquals((JSON.parse(world.output) as Workflow).status?.phase, "Succeeded");
});

/** Returns the UID of each step's pod. */
async function podUids(world: FakeWorld): Promise<Record<string, string | undefined>> {
  const { items } = await world.client.list(PODS, "default");
  return Object.fromEntries(items.map(({ metadata }) => {
    const node = metadata.annotations?.["workflows.argoproj.io/node-name"] ?? "";
    return [node.split(".").at(-1)!, metadata.uid];
  }));
}

const CRON = `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: nightly}
spec:
  schedules: ["0 0 1 1 *"]
  workflowSpec: {workflowTemplateRef: {name: shared}}
`;

Deno.test("run: a file without a workflow is rejected with the commands that run its template or schedule", async () => {
  using world = new FakeWorld({ files: { "cron.yaml": CRON, "template.yaml": TEMPLATE } });
  assertEquals(await world.run("run", "cron.yaml"), 2);
  assertEquals(
    world.errors,
    "Expected a Workflow in cron.yaml, found CronWorkflow\n" +
      "To run the CronWorkflow once:  tiphys run cron.yaml --from cronworkflow/nightly\n" +
      "To keep its schedule:  tiphys local,  and in another terminal  tiphys cron create --local cron.yaml\n",
  );
  assertEquals(await world.run("run", "template.yaml"), 2);
  assertStringIncludes(world.errors, "tiphys run template.yaml --from workflowtemplate/shared\n");
});

Deno.test("run --from: rejects missing arguments of a template, and warns of unknown parameters", async () => {
  const needs = TEMPLATE.replace("entrypoint: say", "entrypoint: say\n  arguments: {parameters: [{name: epochs}]}");
  using world = new FakeWorld({ files: { "template.yaml": needs } });
  assertEquals(await world.run("run", "template.yaml", "--from", "wftmpl/shared"), 2, world.errors);
  assertStringIncludes(world.errors, "epochs");
  const given = ["-p", "epochs=1", "-p", "epoch=2"];
  assertEquals(await world.run("run", "--from", "wftmpl/shared", ...given), 0, world.errors);
  assertStringIncludes(world.errors, 'Warning: no parameter "epoch"; did you mean "epochs"?');
});

Deno.test("run --from: runs a template or schedule of the files or of an earlier run", async () => {
  using world = new FakeWorld({ files: { "cron.yaml": CRON, "template.yaml": TEMPLATE } });
  assertEquals(await world.run("run", "template.yaml", "--from", "workflowtemplate/shared", "--name", "a"), 0);
  assertStringIncludes(world.output, "Workflow a  Succeeded");
  assertEquals(await world.run("run", "cron.yaml", "--from", "cronworkflow/nightly", "--name", "b"), 0, world.errors);
  assertEquals(await world.run("run", "--from", "wftmpl/shared", "--name", "c"), 0, world.errors);
  assertEquals(await world.run("run", "--from", "shared"), 2);
  assertStringIncludes(world.errors, "--from: resource identifier 'shared' is malformed");
  assertEquals(await world.run("run", "--from", "wftmpl/shared", "--retry", "a"), 2);
});

Deno.test("run: uses a running embedded cluster without keeping its page, and reports options that have no effect on it", async () => {
  using world = new FakeWorld({ files: { "hello.yaml": HELLO } });
  world.joined = 42;
  assertEquals(await world.run("run", "hello.yaml"), 0);
  assertStringIncludes(world.errors, "Using the embedded cluster that already runs (process 42)\n");
  assert(!world.errors.includes("The page remains available"), world.errors);
  assertEquals(await world.run("run", "hello.yaml", "--runtime", "host", "--name", "b"), 0);
  assertStringIncludes(world.errors, "(process 42); options that configure a cluster have no effect\n");
});
