import { stripVTControlCharacters } from "node:util";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { KubeError, WORKFLOWS } from "@tiphys/kube";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import { ActionError } from "@tiphys/engine/workflow_actions";
import type { ConnectTarget } from "../world.ts";

const ENDED = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "hello-x", namespace: "default" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  status: { phase: "Succeeded", finishedAt: "2026-11-22T09:26:40Z" },
} as unknown as Workflow;

Deno.test("wait: prints the end of a workflow in Argo's form, and --ignore-not-found ignores missing workflows", async () => {
  using world = new FakeWorld();
  await world.client.create(WORKFLOWS, "default", ENDED);
  assertEquals(await world.run("wait", "hello-x"), 0);
  assertEquals(world.output, "hello-x Succeeded at 2026-11-22 09:26:40 +0000 UTC\n");
  using other = new FakeWorld();
  assertEquals([await other.run("wait", "nope", "--ignore-not-found"), other.output, other.errors], [0, "", ""]);
  assertEquals(await other.run("wait", "nope"), 1);
  assertStringIncludes(other.errors, "nope");
});

Deno.test("-o json: an object is indented by four spaces and a list by two, and an empty list is []", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "-o", "json"), 0);
  assertEquals(world.output, "[]\n");
  await world.client.create(WORKFLOWS, "default", ENDED);
  for (const [command, indent] of [[["get", "hello-x"], "    "], [["list"], "  "]] as const) {
    world.output = "";
    assertEquals(await world.run(...command, "-o", "json"), 0);
    assertMatch(world.output, new RegExp(`^[[{]\n${indent}["{]`));
  }
});

Deno.test("-o: an unknown form is rejected with Argo's message, and a list with jsonpath", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "-o", "xx"), 2);
  const forms = "name|json|yaml|wide|jsonpath=TEMPLATE";
  assertEquals(world.errors, `invalid argument "xx" for "-o, --output" flag: One of: ${forms}\n`);
});

Deno.test("-o jsonpath: an empty template is rejected", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "-o", "jsonpath="), 2);
  assertEquals(world.errors, "-o jsonpath: expected a template, such as jsonpath={.metadata.name}\n");
});

Deno.test("auth token: prints the authorization header, and exits with 1 without one", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("auth", "token"), 1);
  world.authorization = "Bearer abc";
  assertEquals(await world.run("auth", "token"), 0);
  assertEquals(world.output, "Bearer abc\n");
});

Deno.test("--as: impersonates a user with groups and a UID, and is rejected with the embedded cluster", async () => {
  using world = new FakeWorld();
  const seen: unknown[] = [];
  world.connect = (where: ConnectTarget) => {
    seen.push(where.actAs);
    return FakeWorld.prototype.connect.call(world, where);
  };
  assertEquals(await world.run("--as", "ada", "list", "--as-group", "a", "--as-group", "b", "--as-uid", "42"), 0);
  assertEquals(seen, [{ user: "ada", groups: ["a", "b"], uid: "42" }]);
  assertEquals(await world.run("list", "--as-group", "a"), 2);
  assertEquals(await world.run("list", "--as", "ada", "--local"), 2);
});

const WORKFLOW = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nspec: {}\n";

Deno.test("submit: reports why a document is ignored", async () => {
  for (
    const [text, words] of [
      [
        WORKFLOW.replace("kind: Workflow", "kind: Worklfow"),
        'Worklfow w is not of kind Workflow; did you mean "Workflow"?',
      ],
      [WORKFLOW.replace("v1alpha1", "v1"), "Workflow w has apiVersion argoproj.io/v1: expected argoproj.io/v1alpha1"],
      [WORKFLOW.replace(/^apiVersion.*\n/, ""), "Workflow w has no apiVersion: expected argoproj.io/v1alpha1"],
      [WORKFLOW.replace("kind: Workflow\n", ""), "w is not of kind Workflow: it has no kind"],
      [
        WORKFLOW.replace("metadata: {name: w}\n", ""),
        "Workflow has no metadata: expected a name or generateName in it",
      ],
      ["hello\n", "a document is not of kind Workflow: it is a text"],
    ] as const
  ) {
    using world = new FakeWorld({ files: { "w.yaml": text } });
    assertEquals(await world.run("submit", "w.yaml"), 2);
    assertEquals(world.errors, `w.yaml: ${words}. Ignoring...\nno workflow found in given files\n`);
  }
});

Deno.test("submit: invalid YAML is reported with its first error only", async () => {
  using world = new FakeWorld({ files: { "w.yaml": `${WORKFLOW}a: "hi\nb:\n- c: "{{x}}"\n- d: "{{y}}"\n` } });
  assertEquals(await world.run("submit", "w.yaml"), 2);
  assertMatch(world.errors, /^w\.yaml:7:\d+: [^\n]*is a quote missing on line 5[^\n]*\n$/);
});

Deno.test("errors: authentication and connection errors include advice", async () => {
  const messages = {
    certificate: "Could not GET https://h/: invalid peer certificate: UnknownIssuer",
    name: 'Could not GET https://h/: invalid peer certificate: certificate not valid for name "h"',
    expired: "Could not GET https://h/: invalid peer certificate: Expired",
    server: "https://h is not trusted: its certificate is signed by an authority that is not trusted here",
  };
  for (
    const [status, args, advice, message = "host does not speak TLS"] of [
      [0, [], "the certificate is not trusted: set its authority with --certificate-authority", messages.certificate],
      [0, [], "if the certificate is for another name than the host, set it with --tls-server-name", messages.name],
      [0, [], "renew the certificate of the cluster", messages.expired],
      [0, ["-s", "host:2746"], "check that the server runs", "https://host: connection refused"],
      [0, ["-s", "host:2746"], "set its authority with --certificate-authority FILE, or accept any", messages.server],
      [401, [], "the cluster rejects these credentials: log in again"],
      [401, ["-s", "host:2746"], "set a valid token with --token or ARGO_TOKEN"],
      [0, [], "check that the cluster runs"],
      [0, ["-s", "host:2746"], "to use plain HTTP, set --secure=false (ARGO_SECURE=false)"],
    ] as const
  ) {
    using world = new FakeWorld();
    world.service.list = () => Promise.reject(new KubeError(message, { status, reason: "NetworkError" }));
    assertEquals(await world.run("list", ...args), 1);
    assertStringIncludes(world.errors, `${message}\n${advice}`);
  }
});

Deno.test("retry: with several workflows, an error names its workflow", async () => {
  using world = new FakeWorld();
  world.service.retry = () => Promise.reject(new ActionError("nothing to retry"));
  assertEquals(await world.run("retry", "a", "b"), 1);
  assertEquals(world.errors, "a: nothing to retry\n");
  assertEquals(await world.run("retry", "a"), 1);
  assertEquals(world.errors, "nothing to retry\n");
});

Deno.test("idle embedded cluster: commands that would wait fail immediately, and print how to start the cluster", async () => {
  using world = new FakeWorld({
    files: { "w.yaml": `${WORKFLOW.trim().replace("{}", "{entrypoint: a, templates: [{name: a, suspend: {}}]}")}\n` },
  });
  world.idle = "/data";
  await world.client.create(WORKFLOWS, "default", { ...ENDED, metadata: { name: "unfinished" }, status: {} });
  await world.client.create(WORKFLOWS, "default", ENDED);
  const lines = ["submit w.yaml", "submit --watch w.yaml", "wait unfinished", "watch unfinished", "logs -f unfinished"];
  for (const line of lines) {
    assertEquals(await world.run(...line.split(" ")), 1, line);
    assertStringIncludes(world.errors, "No embedded cluster runs with data folder /data: start one with  tiphys local");
  }
  assertEquals(await world.run("list", "-o", "name"), 0);
  assertEquals(world.output.split("\n").filter(Boolean).toSorted(), ["hello-x", "unfinished"], "nothing was created");
  for (const line of ["wait hello-x", "watch hello-x", "submit --dry-run -o name w.yaml"]) {
    assertEquals(await world.run(...line.split(" ")), 0, line);
  }
});

Deno.test("wait: a workflow that no controller has started for ten seconds is reported, and the wait continues", async () => {
  using world = new FakeWorld();
  const clock = fakeClock();
  world.clock = clock;
  const timer = clock.nextTimer();
  const created = await world.client.create(WORKFLOWS, "default", { ...ENDED, status: {} });
  const waited = world.run("wait", "hello-x");
  await timer;
  clock.advance(10_000);
  assertStringIncludes(world.errors, "No controller has started workflow hello-x yet");
  await world.client.replace(WORKFLOWS, "default", { ...created, status: ENDED.status });
  assertEquals(await waited, 0);
});

Deno.test("list: on a terminal, shows fitted lines with colors, messages that name the failed node, and a summary", async () => {
  const make = async (terminal?: { columns: number; rows: number }) => {
    const world = new FakeWorld({ ...(terminal && { terminal }), now: new Date("2026-11-22T10:00:00Z") });
    const nodes = { n: { id: "n", name: "short.train(0)", type: "Pod", phase: "Failed", message: "exit code 137" } };
    const failed = { phase: "Failed", message: "child 'short-2158214818' failed", nodes };
    const name = "a-name-that-is-much-too-long-for-a-terminal-of-eighty-columns-or-less";
    for (
      const object of [ENDED, { ...ENDED, metadata: { name } }, {
        ...ENDED,
        metadata: { name: "short" },
        status: failed,
      }]
    ) {
      await world.client.create(WORKFLOWS, "default", object as Workflow);
    }
    return world;
  };
  using world = await make({ columns: 60, rows: 20 });
  assertEquals(await world.run("list"), 0);
  const lines = stripVTControlCharacters(world.output).trimEnd().split("\n");
  assertEquals([lines.length, lines.slice(0, 4).every((line) => line.length < 60)], [6, true], world.output);
  assertMatch(lines.join("\n"), /\na-name-\S*…\S*-less +Succeeded/);
  assertMatch(lines.join("\n"), /\nshort +Failed .* train\(0\)/);
  assertEquals(lines.at(-1), "3 workflows: 2 Succeeded, 1 Failed");
  assertStringIncludes(world.output, "\x1b[31mFailed\x1b[39m");
  using piped = await make();
  assertEquals(await piped.run("list"), 0);
  assertStringIncludes(piped.output, "child 'short-2158214818' failed\n");
  assert(!piped.output.includes("workflows:"), "programs get the table alone");
});

Deno.test("get: prints the first failure of a workflow and the command that retries it to the standard error", async () => {
  using world = new FakeWorld();
  const nodes = {
    n: {
      id: "n",
      name: "hello-x.train(0)",
      displayName: "train(0)",
      type: "Pod",
      phase: "Failed",
      message: "exit code 137",
    },
  };
  await world.client.create(
    WORKFLOWS,
    "default",
    { ...ENDED, status: { phase: "Failed", nodes } } as unknown as Workflow,
  );
  assertEquals(await world.run("get", "hello-x", "-n", "default"), 0);
  assertStringIncludes(world.errors, "The first node that failed: train(0): exit code 137\n");
  assertStringIncludes(world.errors, "tiphys retry hello-x -n default\n");
  assertEquals([await world.run("get", "hello-x", "-o", "yaml"), world.errors], [0, ""]);
});

Deno.test("-o jsonpath: supports kubectl's templates, with lists in items, and rejects an invalid one before any action", async () => {
  using world = new FakeWorld({ files: { "w.yaml": WORKFLOW } });
  await world.client.create(WORKFLOWS, "default", ENDED);
  for (
    const [line, output] of [
      ["get hello-x -o jsonpath={.status.phase}", "Succeeded"],
      ["list -o=jsonpath={.items[*].metadata.name}", "hello-x"],
      ["list --output jsonpath={range~.items[*]}{.metadata.name}={.status.phase};{end}", "hello-x=Succeeded;"],
    ] as const
  ) {
    const words = line.split(" ").map((word) => word.replace("~", " "));
    assertEquals([await world.run(...words), world.output], [0, output], line);
  }
  assertEquals(await world.run("submit", "w.yaml", "-o", "jsonpath={.a"), 2);
  assertMatch(world.errors, /^-o jsonpath: /);
  assertEquals(await world.run("lint", "w.yaml", "-o", "jsonpath={.a}"), 2);
});
