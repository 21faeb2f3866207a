import { assertEquals } from "@std/assert";
import { Command, Option } from "commander";
import { type CommandCatalog, commandProblems, wordsOf } from "./command_lines.ts";
import { readPage } from "./page.ts";

function program(): Command {
  const run = new Command("run").argument("[files...]").option("--log")
    .addOption(new Option("-o, --output <form>").choices(["json", "yaml"]));
  const artifact = new Command("artifact").addCommand(new Command("ls").argument("<workflow>"));
  return new Command("tiphys").option("-n, --namespace <name>").addCommand(run).addCommand(artifact);
}

const known: CommandCatalog = {
  program: () => Promise.resolve(program()),
  tasks: new Set(["ok", "run"]),
  files: ["examples/a.yaml"],
};

async function problems(markdown: string): Promise<string[]> {
  return (await commandProblems(readPage("a.md", markdown), known)).map(({ line, text }) => `${line}: ${text}`);
}

Deno.test("wordsOf: splits like a shell, and omits comments", () => {
  assertEquals(wordsOf(`a "b c" 'd e' --f="g h" | i # j`), ["a", "b c", "d e", "--f=g h", "|", "i"]);
});

Deno.test("commandProblems: valid lines have no problems", async () => {
  const lines = [
    "```sh",
    "./tiphys run examples/a.yaml --log   # with a comment",
    "A=b npx -y deno@2.9.6 task run --output=json \\",
    "  examples/a.yaml | tiphys -n c artifact ls d > out 2>> err",
    "```",
    "`tiphys artifact ls`, `tiphys run … [--log]`, `-o json`, `tiphys run -o json|yaml`, `tiphys run -o jsonpath={.a}`, `deno task ok`",
  ];
  assertEquals(await problems(lines.join("\n")), []);
});

Deno.test("commandProblems: reports unknown commands, flags, choices, tasks and paths", async () => {
  assertEquals(await problems("`tiphys walk`\n`tiphys artifact lst`"), [
    "1: tiphys has no command walk",
    "2: tiphys artifact has no command lst",
  ]);
  assertEquals(
    await problems("```sh\ntiphys run --lg\ntiphys run a -o jsn\n```"),
    [
      "2: tiphys run has no flag --lg",
      "3: tiphys run: --output does not accept jsn",
    ].map((line) => line.replace("--output", "-o")),
  );
  assertEquals(await problems("`deno task okay`, `examples/b.yaml`"), [
    "1: deno.json has no task okay",
    "1: names examples/b.yaml, which does not exist",
  ]);
});

Deno.test("commandProblems: requires all arguments in code blocks, but not in inline code", async () => {
  assertEquals(await problems("`tiphys artifact ls`\n```sh\ntiphys artifact ls\ntiphys artifact ls a b\n```"), [
    "3: tiphys artifact ls requires 1 arguments",
    "4: tiphys artifact ls accepts 1 arguments, got a b",
  ]);
});

Deno.test("commandProblems: ignores output in console sessions, and here documents", async () => {
  assertEquals(
    await problems("```console\n$ tiphys run a\ntiphys walk\n```\n```sh\ncat <<'END'\ntiphys walk\nEND\n```"),
    [],
  );
});
