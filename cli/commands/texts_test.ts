import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { needs } from "../../lib/testing/needs.ts";
import { hasProgram } from "../../scripts/command.ts";
import { COMMAND_NAMES } from "../program.ts";
import { FakeWorld } from "../testing/fake_world.ts";
import type { Where } from "../world.ts";

const ENDED = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "hello-x", namespace: "default" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  status: { phase: "Succeeded", finishedAt: "2026-11-22T09:26:40Z" },
} as unknown as Workflow;

Deno.test("CL-03 wait says when a workflow ended in the words that scripts know, and may be told not to mind one that is not there", async () => {
  using world = new FakeWorld();
  await world.client.create(WORKFLOWS, "default", ENDED);
  assertEquals(await world.run("wait", "hello-x"), 0);
  assertEquals(world.output, "hello-x Succeeded at 2026-11-22 09:26:40 +0000 UTC\n");
  using other = new FakeWorld();
  assertEquals([await other.run("wait", "nope", "--ignore-not-found"), other.output, other.errors], [0, "", ""]);
  assertEquals(await other.run("wait", "nope"), 1);
  assertStringIncludes(other.errors, "nope");
});

Deno.test("CL-10 one object is indented by four and a list by two, nothing is an empty list", async () => {
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

Deno.test("CL-36 a form that a command does not know is refused in the words of argo", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("list", "-o", "xx"), 2);
  assertEquals(world.errors, 'invalid argument "xx" for "-o, --output" flag: One of: name|json|yaml|wide\n');
});

Deno.test("CL-33 auth token prints the header, and ends with 1 where there is none", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("auth", "token"), 1);
  world.authorization = "Bearer abc";
  assertEquals(await world.run("auth", "token"), 0);
  assertEquals(world.output, "Bearer abc\n");
});

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test({
    ...needs(
      shell,
      await hasProgram(shell),
      `CL-35 ${shell} reads its completions, which know every command and ask for workflows`,
    ),
    async fn() {
      using world = new FakeWorld();
      assertEquals(await world.run("completion", shell), 0);
      for (const name of COMMAND_NAMES) assertStringIncludes(world.output, name);
      const file = await Deno.makeTempFile();
      try {
        await Deno.writeTextFile(file, world.output);
        const { success, stderr } = await new Deno.Command(shell, { args: ["-n", file] }).output();
        assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
      } finally {
        await Deno.remove(file);
      }
    },
  });
}

Deno.test({
  ...needs(
    "bash",
    Deno.build.os === "linux",
    "CL-35 bash completes the names of workflows after a command that takes them",
  ),
  async fn() {
    using world = new FakeWorld();
    await world.run("completion", "bash");
    const script = `tiphys() { echo hello-x; echo other; }
${world.output}
COMP_WORDS=(tiphys get hel) COMP_CWORD=2; _tiphys; echo "\${COMPREPLY[@]}"
COMP_WORDS=(tiphys tem) COMP_CWORD=1; _tiphys; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await new Deno.Command("bash", { args: ["-c", script] }).output();
    assertEquals(new TextDecoder().decode(stdout), "hello-x\ntemplate\n");
  },
});

Deno.test("--as asks the cluster in the name of somebody else, with groups and a UID, and nothing that is no cluster", async () => {
  using world = new FakeWorld();
  const seen: unknown[] = [];
  world.connect = (where: Where) => {
    seen.push(where.actAs);
    return FakeWorld.prototype.connect.call(world, where);
  };
  assertEquals(await world.run("--as", "ada", "list", "--as-group", "a", "--as-group", "b", "--as-uid", "42"), 0);
  assertEquals(seen, [{ user: "ada", groups: ["a", "b"], uid: "42" }]);
  assertEquals(await world.run("list", "--as-group", "a"), 2);
  assertEquals(await world.run("list", "--as", "ada", "--local"), 2);
});
