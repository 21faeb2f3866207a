import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Command } from "commander";
import { VERSION } from "@tiphys/base/version";
import { COMMAND_GROUPS, SUBCOMMANDS, TOP_COMMANDS } from "./help/command_texts.ts";
import { textOf } from "./help/help.ts";
import { COMMAND_NAMES, programOf } from "./program.ts";
import { FakeWorld } from "./testing/fake_world.ts";

Deno.test("help: lists every command in a group, and connection options only under `help options`", async () => {
  using world = new FakeWorld();
  for (const args of [["--help"], ["help"], []]) {
    assertEquals(await world.run(...args), 0);
    for (const name of COMMAND_NAMES) assertMatch(world.output, new RegExp(`\n  ${name} +[A-Z]`));
    for (const group of COMMAND_GROUPS) assertStringIncludes(world.output, `\n${group}\n`);
    assert(!world.output.includes("\nCommands:"), "every command has a group");
    assert(!world.output.includes("--kubeconfig"));
  }
  assertEquals(await world.run("help", "options"), 0);
  for (const flag of ["--kubeconfig", "--argo-server", "--as-group", "--no-color", "--loglevel"]) {
    assertStringIncludes(world.output, `${flag} `);
  }
});

Deno.test("help: every command has a summary, a paragraph, examples and its options, by --help and by help COMMAND", async () => {
  using world = new FakeWorld();
  for (const name of COMMAND_NAMES) {
    for (const words of wordsBelow(await programOf([name], world), name)) {
      const path = words.join(" ");
      const text = textOf(words);
      assert(text, `cli/help/command_texts.ts has no text of ${path}`);
      assertMatch(text.summary, /^[A-Z].{8,59}[^.]$/, path);
      assertMatch(text.about, /^[A-Z].{10,}\.$/, path);
      assert(text.examples.length > 0, path);
      assertEquals(await world.run("help", ...words), 0, path);
      const help = world.output;
      assertEquals([await world.run(...words, "--help"), world.output], [0, help], path);
      assertMatch(help, new RegExp(`^Usage: tiphys ${path}`));
      assertStringIncludes(help, text.about.slice(0, 40));
      for (const [comment, line] of text.examples) assertStringIncludes(help, `  # ${comment}\n  ${line}\n`);
      assertMatch(help, /\n {2}-h, --help/, path);
      const described = wordsOf(await programOf([name], world), words);
      for (const { name, description } of described) assert(description !== "", `${path}: ${name} has no description`);
    }
  }
  assertEquals(await world.run("help", "nope"), 2);
  assertEquals(await world.run("help", "cron", "nope"), 2);
  assertStringIncludes(world.errors, "Unknown command 'cron nope'");
});

Deno.test("help: every example is a command line that this program accepts", async () => {
  using world = new FakeWorld();
  for (const text of [...Object.values(TOP_COMMANDS), ...Object.values(SUBCOMMANDS)]) {
    for (const [, line] of text.examples) {
      const typed = /tiphys ([^|>)]*)/.exec(line)?.[1];
      if (typed === undefined || line.includes("kubectl")) continue;
      const words = typed.trim().split(" ").map((word) => word.replace(/^(-\w)?'|'$/g, "$1"));
      const program = await programOf(words, world);
      const { command, unknown } = calledIn(program, words);
      assertEquals(unknown, [], `${line}: ${command.name()}`);
    }
  }
});

Deno.test("--version prints the version", async () => {
  using world = new FakeWorld();
  assertEquals([await world.run("--version"), world.output], [0, `tiphys v${VERSION}\n`]);
});

/** Returns the words of a command and its subcommands. */
function wordsBelow(program: Command, name: string): string[][] {
  const below = (command: Command, words: readonly string[]): string[][] => [
    [...words],
    ...command.commands.flatMap((subcommand) => below(subcommand as Command, [...words, subcommand.name()])),
  ];
  return below(program.commands.find((command) => command.name() === name) as Command, [name]);
}

/** Returns the arguments and flags of the command that words call. */
function wordsOf(
  program: Command,
  words: readonly string[],
): { readonly name: string; readonly description: string }[] {
  const { command } = calledIn(program, words);
  const flags = command.options.map(({ flags, description }) => ({ name: flags, description }));
  return [
    ...command.registeredArguments.map((argument) => ({ name: argument.name(), description: argument.description })),
    ...flags,
  ];
}

/** Returns the command that words call, and the flags among them that neither it nor the program has. */
function calledIn(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly unknown: string[] } {
  let command = program;
  for (const word of words) {
    command = command.commands.find((candidate) => candidate.name() === word) as Command ?? command;
  }
  const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]);
  const flags = words.filter((word) => word.startsWith("-")).map((word) => word.split("=")[0]);
  return { command, unknown: flags.filter((flag): flag is string => !known.includes(flag)) };
}

Deno.test("command groups: without a subcommand, print help to the standard output and exit with 0", async () => {
  using world = new FakeWorld();
  for (const group of [[], ["archive"], ["cron"], ["sync"]]) {
    assertEquals(await world.run(...group), 0, group.join(" "));
    assertMatch(world.output, /^Usage: tiphys/);
    assertEquals(world.errors, "");
  }
  assertEquals(await world.run("cron", "nope"), 2);
  assertStringIncludes(world.errors, "Unknown command 'nope'");
});

Deno.test("command line: an invalid command line exits with 2 and an error", async () => {
  using world = new FakeWorld();
  const errors = [
    [["frobnicate"], "Unknown command 'frobnicate'\nTo see all commands:  tiphys help\n"],
    [["artifact", "get"], "Unknown command 'get'\nTo see all commands:  tiphys help artifact\n"],
    [["constructor"], "Unknown command 'constructor'\nTo see all commands:  tiphys help\n"],
    [["--frobnicate", "get-all"], "Unknown option '--frobnicate'\nTo see all commands:  tiphys help\n"],
    [["describe", "w"], "Unknown command 'describe'\nTo do this:  tiphys get NAME\n"],
    [["list", "--frobnicate"], "Unknown option '--frobnicate'\nTo see its arguments and options:  tiphys help list\n"],
    [["get"], "Missing required argument 'workflows'\nTo see its arguments and options:  tiphys help get\n"],
    [["run"], "Expected files to run, --from a template or schedule, or --retry an earlier workflow\n"],
  ] as const;
  for (const [args, error] of errors) assertEquals([await world.run(...args), world.errors], [2, error]);
});

Deno.test("global flags: may come before or after the command", async () => {
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

Deno.test("cluster-template: has Argo's short names", async () => {
  using world = new FakeWorld();
  for (const name of ["cluster-template", "cwftmpl", "cwft"]) {
    assertEquals(await world.run(name, "list"), 0, world.errors);
    assertEquals(world.output, "NAME\n");
  }
});

Deno.test("switches: accept a value after =, like Go's flags", async () => {
  using world = new FakeWorld({ stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" });
  assertEquals(await world.run("lint", "--offline=true", "-"), 1);
  assertStringIncludes(world.output, "found nothing to lint");
  assertEquals([await world.run("cluster-template", "list", "--no-color=true"), world.errors], [0, ""]);
  assertEquals([await world.run("cluster-template", "list", "--no-color=false"), world.errors], [0, ""]);
});

Deno.test("switches: the word after a switch is not its value", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("--secure", "-k", "--argo-http1", "list"), 0, world.errors);
  assertEquals(await world.run("list", "-e"), 0, world.errors);
  assertEquals(await world.run("-n", "-k", "list"), 0, world.errors);
  assertEquals(await world.run("-k=maybe", "list", "-s", "localhost:1"), 2);
  assertStringIncludes(world.errors, "--insecure-skip-verify");
});

Deno.test("log flags: are accepted before and after the command, and debug logs the version", async () => {
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

Deno.test("delete: without a name or a filter, exits with 2", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("delete"), 2);
  assertEquals(world.errors, "requires either a workflow or other argument\n");
});

Deno.test("errors of a cluster: are printed with the next step, and exit with 1", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("get", "nothing"), 1);
  assertEquals(world.errors, 'workflows.argoproj.io "nothing" not found\nTo see all:  tiphys list\n');
});

Deno.test("lint: comments of JavaScript are reported as such", async () => {
  const inside = '{ // a comment\n "apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow" }';
  using world = new FakeWorld({ files: { "inside.json": inside, "before.json": `// a comment\n${inside}` } });
  for (const file of ["inside.json", "before.json"]) {
    assertEquals(await world.run("lint", "--offline", "-o", "simple", file), 1);
    assertStringIncludes(world.output + world.errors, "comments begin with # in YAML; JSON does not support comments");
  }
});
