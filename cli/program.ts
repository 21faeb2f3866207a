/** The commands by name. Only the one that is called is loaded, so that the program starts quickly. */
import { Command, CommanderError } from "commander";
import { CommandError, EXIT_CODE } from "./command_error.ts";
import { addGlobalFlags, GLOBAL_FLAGS_WITH_VALUE } from "./flags/global_flags.ts";
import { addLogFlags } from "./flags/log_flags.ts";
import { plain } from "./view/plain.ts";
import type { World } from "./world.ts";

/** Makes a command that acts in a world. */
export type CommandMaker = (world: World) => Command;

interface Entry {
  readonly summary: string;
  /** Other names. */
  readonly aliases?: readonly string[];
  readonly load: () => Promise<CommandMaker>;
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  run: {
    summary: "run workflows on this machine, without a cluster",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  local: {
    summary: "keep the embedded cluster of this machine running; status, kubeconfig, reset",
    load: async () => (await import("./commands/local.ts")).localCommand,
  },
  ui: {
    summary: "show the page of the embedded cluster",
    load: async () => (await import("./commands/ui.ts")).uiCommand,
  },
  image: {
    summary: "images of this machine: load, pull, ls, rm, prune",
    load: async () => (await import("./commands/image.ts")).imageCommand,
  },
  submit: {
    summary: "submit workflows to a cluster",
    load: async () => (await import("./commands/submit.ts")).submitCommand,
  },
  list: { summary: "list workflows", load: async () => (await import("./commands/list.ts")).listCommand },
  get: { summary: "show workflows", load: async () => (await import("./commands/get.ts")).getCommand },
  why: {
    summary: "say what a workflow waits for",
    load: async () => (await import("./commands/why.ts")).whyCommand,
  },
  logs: { summary: "show what pods write", load: async () => (await import("./commands/logs.ts")).logsCommand },
  cp: {
    summary: "copy output artifacts of a workflow here, or files to a store",
    load: async () => (await import("./commands/cp.ts")).cpCommand,
  },
  artifact: {
    summary: "output artifacts: ls, du, rm, garbage",
    load: async () => (await import("./commands/artifact.ts")).artifactCommand,
  },
  watch: {
    summary: "show a workflow until it ends",
    load: async () => (await import("./commands/watch.ts")).watchCommand,
  },
  wait: { summary: "wait for workflows to end", load: async () => (await import("./commands/wait.ts")).waitCommand },
  suspend: {
    summary: "let workflows start nothing new",
    load: async () => (await import("./commands/suspend.ts")).suspendCommand,
  },
  resume: {
    summary: "let suspended workflows go on",
    load: async () => (await import("./commands/resume.ts")).resumeCommand,
  },
  stop: {
    summary: "stop workflows; exit handlers are run",
    load: async () => (await import("./commands/stop.ts")).stopCommand,
  },
  terminate: {
    summary: "stop workflows at once",
    load: async () => (await import("./commands/terminate.ts")).terminateCommand,
  },
  retry: {
    summary: "let failed workflows go on where they failed",
    load: async () => (await import("./commands/retry.ts")).retryCommand,
  },
  resubmit: {
    summary: "submit workflows again",
    load: async () => (await import("./commands/resubmit.ts")).resubmitCommand,
  },
  node: { summary: "set what a node waits for", load: async () => (await import("./commands/node.ts")).nodeCommand },
  delete: { summary: "delete workflows", load: async () => (await import("./commands/delete.ts")).deleteCommand },
  archive: {
    summary: "workflows in the archive: list, get, delete, resubmit, retry, labels",
    load: async () => (await import("./commands/archive.ts")).archiveCommand,
  },
  lint: { summary: "check manifests", load: async () => (await import("./commands/lint.ts")).lintCommand },
  convert: {
    summary: "print old manifests in today's form",
    load: async () => (await import("./commands/convert.ts")).convertCommand,
  },
  "executor-plugin": {
    summary: "make the ConfigMap of an executor plugin",
    load: async () => (await import("./commands/executor_plugin.ts")).executorPluginCommand,
  },
  template: {
    summary: "WorkflowTemplates: create, list, get, delete, lint",
    load: async () => (await import("./commands/template.ts")).templateCommand,
  },
  "cluster-template": {
    summary: "ClusterWorkflowTemplates: create, list, get, delete, lint",
    aliases: ["cwftmpl", "cwft"],
    load: async () => (await import("./commands/cluster_template.ts")).clusterTemplateCommand,
  },
  cron: {
    summary: "CronWorkflows: create, list, get, delete, lint, suspend, resume",
    load: async () => (await import("./commands/cron.ts")).cronCommand,
  },
  preflight: {
    summary: "check a cluster before a takeover of its Argo",
    load: async () => (await import("./commands/preflight.ts")).preflightCommand,
  },
  takeover: {
    summary: "exchange the images of an installed Argo, and return them",
    load: async () => (await import("./commands/takeover.ts")).takeoverCommand,
  },
  server: {
    summary: "serve Argo's API over a cluster",
    load: async () => (await import("./commands/server.ts")).serverCommand,
  },
  sync: {
    summary: "limits of semaphores: create, get, update, delete",
    load: async () => (await import("./commands/sync.ts")).syncCommand,
  },
  auth: {
    summary: "the token of whom you are: token",
    load: async () => (await import("./commands/auth.ts")).authCommand,
  },
  completion: {
    summary: "print completions for a shell",
    load: async () => (await import("./commands/completion.ts")).completionCommand,
  },
  version: { summary: "print the version", load: async () => (await import("./commands/version.ts")).versionCommand },
};

/** The names of all commands. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** The program with the command that is meant: the others have their names only. */
export async function programOf(args: readonly string[], world: World): Promise<Command> {
  const program = addGlobalFlags(
    new Command("tiphys").description("Runs Argo Workflows: on this machine, or on a cluster"),
  );
  const name = commandName(args);
  for (const [word, { summary, aliases = [], load }] of Object.entries(COMMANDS)) {
    const isMeant = name !== undefined && [word, ...aliases].includes(name);
    const command = isMeant ? (await load())(world) : new Command(word);
    program.addCommand(command.summary(summary).aliases(isMeant && name !== word ? [name] : []));
  }
  addLogFlags(program, allBelow(program));
  return program;
}

/** Says which words may be meant where the last one is typed: shells ask for them, by the scripts of `tiphys completion`. */
async function completeLine(typed: readonly string[], world: World): Promise<number> {
  const { complete } = await import("./complete.ts");
  world.out(await complete(await programOf(typed.slice(0, -1), world), typed, world));
  return 0;
}

/**
 * Runs one command line and answers the exit code.
 * @throws only for mistakes of ours.
 */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  if (args[0] === "__complete") return await completeLine(args.slice(1), world);
  const program = await programOf(args, world);
  // The words of an error are told when it is known what it is: a group of commands that stands alone is none, and has its help.
  let refusal = "";
  for (const command of [program, ...allBelow(program)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => world.out(text),
      writeErr: (text) => void (refusal += text),
    });
  }
  try {
    await program.parseAsync(plainSwitches(args, [program, ...allBelow(program)]), { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      const isHelp = error.code === "commander.help";
      if (isHelp) world.out(refusal);
      else world.err(refusal);
      return isHelp || error.exitCode === 0 ? 0 : EXIT_CODE.badInput;
    }
    if (!(error instanceof Error) || isOurMistake(error)) throw error;
    if (error.message) world.err(`${plain(error.message)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT_CODE.failed;
  }
}

/** Whether an error is a mistake of ours, which no person can do anything about: it is shown as it is, with its place. */
function isOurMistake(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

/** The first word that is neither a flag nor the value of one. */
function commandName(args: readonly string[]): string | undefined {
  return args.find((word, index) => !word.startsWith("-") && !GLOBAL_FLAGS_WITH_VALUE.includes(args[index - 1] ?? ""));
}

/**
 * Flags may be written as Go's are: switches with a value, `--offline=true`, and short ones with an equals sign, `-e=false`. As
 * there, a switch that stands alone is on, and the word after it is not its value.
 */
function plainSwitches(args: readonly string[], program: readonly Command[]): string[] {
  const options = program.flatMap((one) => one.options);
  const byName = new Map(options.flatMap((one) => [[one.long, one], [one.short, one]] as const));
  return args.flatMap((word, index) => {
    const isValue = byName.get(args[index - 1] ?? "")?.required === true;
    if (isValue) return [word];
    const alone = byName.get(word);
    if (alone?.optional) return [`${alone.long}=true`];
    const [, name, value = ""] = /^(--[\w-]+|-\w)=(.*)$/s.exec(word) ?? [];
    const option = name === undefined ? undefined : byName.get(name);
    if (option === undefined) return [word];
    if (option.isBoolean()) {
      const off = name!.replace("--", "--no-");
      return value === "true" ? [name!] : value !== "false" ? [word] : byName.has(off) ? [off] : [];
    }
    return [name!.startsWith("--") ? word : `${option.long}=${value}`];
  });
}

function allBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one as Command, ...allBelow(one as Command)]);
}
