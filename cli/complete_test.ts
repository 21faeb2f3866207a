/** Completion: the words for each part of a command line, and the scripts in real shells. */
import { assert, assertEquals } from "@std/assert";
import { CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { needs } from "../lib/base/testing/needs.ts";
import { hasProgram } from "../scripts/command.ts";
import { COMMAND_NAMES } from "./program.ts";
import { FakeWorld } from "./testing/fake_world.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };
const API = "argoproj.io/v1alpha1";

async function worldWithObjects(): Promise<FakeWorld> {
  const world = new FakeWorld();
  const workflow = (name: string, phase: string) => ({
    apiVersion: API,
    kind: "Workflow",
    metadata: { name, labels: { "workflows.argoproj.io/phase": phase } },
    spec: SPEC,
    status: { phase },
  });
  for (const [name, phase] of [["hello-a", "Running"], ["hello-b", "Failed"]] as const) {
    await world.client.create(WORKFLOWS, "default", workflow(name, phase) as KubeObject);
  }
  await world.client.create(
    WORKFLOW_TEMPLATES,
    "default",
    { apiVersion: API, kind: "WorkflowTemplate", metadata: { name: "tmpl" }, spec: SPEC } as KubeObject,
  );
  const schedule = { schedules: ["0 0 1 1 *"], workflowSpec: SPEC };
  await world.client.create(
    CRON_WORKFLOWS,
    "default",
    { apiVersion: API, kind: "CronWorkflow", metadata: { name: "yearly" }, spec: schedule } as KubeObject,
  );
  return world;
}

/** Returns the completions without their descriptions, and the kind. */
async function completionsOf(world: FakeWorld, ...typed: readonly string[]): Promise<string> {
  assertEquals(await world.run("__complete", ...typed), 0, world.errors);
  assertEquals(world.errors, "");
  return world.output.trimEnd().split("\n").map((line) => line.split("\t")[0]).join(" ");
}

Deno.test("completion: offers commands, flags, their values, names of the cluster and files where they are valid", async () => {
  using world = await worldWithObjects();
  const rows: readonly (readonly [typed: readonly string[], words: string])[] = [
    [["tem"], "template :none"],
    [["cron", ""], "create update list get delete lint suspend resume backfill :none"],
    [["cron", "s"], "suspend :none"],
    [["cwft", "g"], "get :none"],
    [["get", ""], "@latest hello-a hello-b :none"],
    [["get", "hello-a", ""], "@latest hello-b :none"],
    [["-n", "default", "get", "hello-b"], "hello-b :none"],
    [["get", "-n", "elsewhere", ""], "@latest :none"],
    [["stop", "hello"], "hello-a :none"],
    [["retry", "hello"], "hello-b :none"],
    [["node", "set", "hello-a", ""], ":none"],
    [["cp", "hello-a", ""], ":files"],
    [["template", "get", ""], "tmpl :none"],
    [["cron", "suspend", ""], "yearly :none"],
    [["submit", "--from", ""], "workflowtemplate/tmpl cronwf/yearly :none"],
    [["submit", "--from=cron"], "--from=cronwf/yearly :none"],
    [["submit", ""], ":files"],
    [["get", "-o", ""], "name json yaml short wide :none"],
    [["get", "--output=j"], "--output=json :none"],
    [["list", "--status", "Fail"], "Failed :none"],
    [["list", "-n", ""], "default :none"],
    [["list", "--all"], "--all-namespaces :none"],
    [["cron", "backfill", "--max"], "--maxworkflowcount :none"],
    [["list", "--kubec"], "--kubeconfig :none"],
    [["list", "--kubeconfig", ""], ":files"],
    [["completion", ""], "bash zsh fish :none"],
    [["list", ""], ":none"],
    [["nope", ""], `${COMMAND_NAMES.join(" ")} :none`],
  ];
  for (const [typed, words] of rows) assertEquals(await completionsOf(world, ...typed), words, typed.join(" "));
  assertEquals(await completionsOf(world, ""), `${COMMAND_NAMES.join(" ")} :none`);
});

Deno.test("completion: unsupported flags are not offered, and an unreachable cluster has no names", async () => {
  using world = new FakeWorld();
  assert(!(await completionsOf(world, "list", "--")).includes("--insecure-skip-tls-verify"));
  world.connect = () => Promise.reject(new Error("unreachable"));
  assertEquals(await completionsOf(world, "get", ""), ":none");
});

Deno.test("completion: names that a shell could interpret are not offered", async () => {
  using world = await worldWithObjects();
  const list = world.service.list.bind(world.service);
  const hostile = [
    "$(touch x)",
    "`x`",
    "a;b",
    "a b",
    "-rf",
    "it's",
    "a\n:files",
    "\x1b]0;x\x07",
    "\u202eevil",
    "a\tb",
    "~",
    "",
  ];
  world.service.list = async (namespace, query) => {
    const listed = await list(namespace, query);
    const [workflow] = listed.items;
    const named = hostile.map((name) => ({ ...workflow!, metadata: { name, namespace: name } }));
    return { ...listed, items: [...named, ...listed.items] };
  };
  assertEquals(await completionsOf(world, "get", ""), "@latest hello-a hello-b :none");
  assertEquals(await completionsOf(world, "list", "-n", ""), "default :none");
});

Deno.test("completion: an invalid value does not prevent the completion of later words", async () => {
  using world = new FakeWorld();
  assertEquals(await completionsOf(world, "local", "--port", "x", "--ui"), "--ui-port :none");
});

/** Scripts that load the completion script in a shell and complete a line. */
const SHELLS: Readonly<Record<string, (script: string, line: readonly string[]) => string>> = {
  bash: (script, line) => {
    const parts = line.flatMap((word) => word.match(/[=@]|[^=@]+/g) ?? [""]);
    return `${script}
COMP_WORDS=(${parts.map((part) => `'${part}'`).join(" ")}) COMP_CWORD=${parts.length - 1}
COMP_LINE='${line.join(" ")}' COMP_POINT=${line.join(" ").length}
_tiphys; printf '%s\\n' "\${COMPREPLY[@]}"`;
  },
  zsh: (script, line) =>
    `compdef() { :; }
_describe() { print -l -- "\${(@)\${(P)2}%%:*}"; print -r -- described; }
_files() { print files; }
${script}
words=(${line.map((word) => `'${word}'`).join(" ")}); CURRENT=${line.length}
_tiphys`,
  fish: (script, line) => `${script}\ncomplete -C'${line.join(" ")}'`,
};

/** Stand-ins for `tiphys __complete`, as a function of each shell. */
const ANSWERS: Readonly<Record<string, string>> = {
  bash:
    `tiphys() { printf '%s\\n' "$*" >/dev/null; printf '%s\\t%s\\n' "\${@: -1}one" "what it is" "\${@: -1}two" ""; echo :none; }`,
  zsh:
    `tiphys() { print -r -- "$*" >/dev/null; print -r -- "\${@[-1]}one"$'\\t'"what it is"; print -r -- "\${@[-1]}two"; print :none; }`,
  fish: `function tiphys;  printf '%s\\t%s\\n' "$argv[-1]one" "what it is"; echo "$argv[-1]two"; echo :none; end`,
};

for (const [shell, script] of Object.entries(SHELLS)) {
  Deno.test({
    ...needs(shell, await hasProgram(shell), `completion: ${shell} requests and offers the completions of a line`),
    async fn() {
      using world = new FakeWorld();
      assertEquals(await world.run("completion", shell), 0);
      const offers = async (...line: readonly string[]) => {
        const { stdout, stderr } = await new Deno.Command(shell, {
          args: ["-c", `${ANSWERS[shell]}\n${script(world.output, ["tiphys", ...line])}`],
          stdin: "null",
        }).output();
        const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        return [text(stdout), text(stderr)];
      };
      const [words = "", errors] = await offers("cron", "get", "ye");
      assertEquals([words.includes("yeone"), words.includes("yetwo"), errors], [true, true, ""], words);
      const [empty = ""] = await offers("cron", "");
      assertEquals([empty.includes("one"), empty.includes("two")], [true, true], empty);
      const [joined = ""] = await offers("get", "--output=j");
      assert(/(?:^|=)jone$/m.test(joined.replace(/\t.*/g, "")), joined);
      const folder = await Deno.makeTempDir();
      try {
        // The typed words are passed on without being evaluated.
        for (const word of ["$(touch FILE)", "`touch FILE`", "<(touch FILE)", ";touch FILE;", "${x:=$(touch FILE)}"]) {
          await offers("get", word.replace("FILE", `${folder}/done`));
        }
        assertEquals([...Deno.readDirSync(folder)], []);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
