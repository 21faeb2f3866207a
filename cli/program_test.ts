import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COMMAND_NAMES } from "./program.ts";
import { FakeWorld } from "./testing/fake_world.ts";

Deno.test("--help names every command and ends with 0", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("--help"), 0);
  for (const name of COMMAND_NAMES) assertStringIncludes(world.output, `\n  ${name} `);
});

Deno.test("every command can be loaded, and explains itself", async () => {
  using world = new FakeWorld();
  for (const name of COMMAND_NAMES) {
    assertEquals(await world.run(name, "--help"), 0, name);
    assertMatch(world.output, new RegExp(`^Usage: tiphys ${name}`));
  }
});

Deno.test("a group of commands that stands alone has its help, on the output, and ends with 0", async () => {
  using world = new FakeWorld();
  for (const group of [[], ["archive"], ["cron"], ["sync"]]) {
    assertEquals(await world.run(...group), 0, group.join(" "));
    assertMatch(world.output, /^Usage: tiphys/);
    assertEquals(world.errors, "");
  }
  assertEquals(await world.run("cron", "nope"), 2);
  assertStringIncludes(world.errors, "unknown command 'nope'");
});

Deno.test("a command line that cannot be read ends with 2 and says why", async () => {
  using world = new FakeWorld();
  for (const args of [["frobnicate"], ["list", "--frobnicate"], ["get"]]) {
    assertEquals(await world.run(...args), 2, args.join(" "));
    assert(world.errors.startsWith("error: "), world.errors);
  }
});

Deno.test("flags that say which cluster may stand before the command or after it", async () => {
  using world = new FakeWorld();
  const seen: unknown[] = [];
  world.connect = (where) => {
    seen.push(where);
    return FakeWorld.prototype.connect.call(world, where);
  };
  assertEquals(await world.run("-n", "list", "--kubeconfig", "file", "list"), 0);
  assertEquals(await world.run("list", "-n", "list", "--kubeconfig=file"), 0);
  const where = { kubeconfig: "file", context: undefined, namespace: "list", dataDir: undefined };
  assertEquals(seen, [where, where]);
});

Deno.test("the short names of cluster-template are Argo's", async () => {
  using world = new FakeWorld();
  for (const name of ["cluster-template", "cwftmpl", "cwft"]) {
    assertEquals(await world.run(name, "list"), 0, world.errors);
    assertEquals(world.output, "NAME\n");
  }
});

Deno.test("switches may have a value, as Go's flags", async () => {
  using world = new FakeWorld({ stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" });
  assertEquals(await world.run("lint", "--offline=true", "-"), 1);
  assertStringIncludes(world.output, "found nothing to lint");
});

Deno.test("a switch that may have a value takes none of the words after it, wherever it stands", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("--secure", "-k", "--argo-http1", "list"), 0, world.errors);
  assertEquals(await world.run("list", "-e"), 0, world.errors);
  assertEquals(await world.run("-n", "-k", "list"), 0, world.errors);
  assertEquals(await world.run("-k=maybe", "list", "-s", "localhost:1"), 2);
  assertStringIncludes(world.errors, "--insecure-skip-verify");
});

Deno.test("Argo's flags of a log are taken before and after the command, and debug says what is asked and by which version", async () => {
  for (const flags of [["-v"], ["--verbose"], ["--loglevel=debug"], ["--loglevel", "debug", "--gloglevel=6"]]) {
    using world = new FakeWorld();
    assertEquals(await world.run(...flags, "list"), 0, world.errors);
    assertMatch(world.errors, /level=DEBUG msg="CLI version" version=/);
    assertEquals(await world.run("list", ...flags), 0, world.errors);
    assert(!world.output.includes("CLI version"), "the output is the command's alone");
  }
  using json = new FakeWorld();
  assertEquals(await json.run("--loglevel=debug", "--log-format", "json", "list"), 0);
  assertEquals(JSON.parse(json.errors.split("\n")[0] ?? "").msg, "CLI version");
  using quiet = new FakeWorld();
  assertEquals([await quiet.run("--loglevel=info", "list"), quiet.errors], [0, ""]);
  assertEquals(await quiet.run("--loglevel=loud", "list"), 2);
});

Deno.test("delete without a name and without a flag that chooses is a mistake, not an empty success", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("delete"), 2);
  assertEquals(world.errors, "requires either a workflow or other argument\n");
});

Deno.test("a cluster's refusal is said in its own words and ends with 1", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("get", "nothing"), 1);
  assertEquals(world.errors, 'workflows.argoproj.io "nothing" not found\n');
});
