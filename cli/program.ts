/** The commands by name. Only the called command is loaded, so that the program starts quickly. */
import { Command, CommanderError } from "commander";
import { CommandError, EXIT_CODE } from "./command_error.ts";
import { addGlobalFlags, GLOBAL_FLAGS_WITH_VALUE } from "./flags/global_flags.ts";
import { checkHelpWords, describeCommand, describeProgram, optionsHelp, withoutHelpCommand } from "./help/help.ts";
import { TOP_COMMANDS } from "./help/command_texts.ts";
import { VERSION } from "@tiphys/base/version";
import { refuseUnusedOptions } from "./flags/options_without_effect.ts";
import { addLogFlags } from "./flags/log_flags.ts";
import { escapeControls } from "./view/plain.ts";
import type { World } from "./world.ts";

/** Creates a command. The command accesses files, terminal and clusters through `world`. */
export type CommandMaker = (world: World) => Command;

/** Loads the function that creates each command. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  run: async () => (await import("./commands/run.ts")).runCommand,
  local: async () => (await import("./commands/local.ts")).localCommand,
  ui: async () => (await import("./commands/ui.ts")).uiCommand,
  image: async () => (await import("./commands/image.ts")).imageCommand,
  submit: async () => (await import("./commands/submit.ts")).submitCommand,
  list: async () => (await import("./commands/list.ts")).listCommand,
  get: async () => (await import("./commands/get.ts")).getCommand,
  why: async () => (await import("./commands/why.ts")).whyCommand,
  logs: async () => (await import("./commands/logs.ts")).logsCommand,
  cp: async () => (await import("./commands/cp.ts")).cpCommand,
  artifact: async () => (await import("./commands/artifact.ts")).artifactCommand,
  watch: async () => (await import("./commands/watch.ts")).watchCommand,
  wait: async () => (await import("./commands/wait.ts")).waitCommand,
  suspend: async () => (await import("./commands/suspend.ts")).suspendCommand,
  resume: async () => (await import("./commands/resume.ts")).resumeCommand,
  stop: async () => (await import("./commands/stop.ts")).stopCommand,
  terminate: async () => (await import("./commands/terminate.ts")).terminateCommand,
  retry: async () => (await import("./commands/retry.ts")).retryCommand,
  resubmit: async () => (await import("./commands/resubmit.ts")).resubmitCommand,
  node: async () => (await import("./commands/node.ts")).nodeCommand,
  delete: async () => (await import("./commands/delete.ts")).deleteCommand,
  archive: async () => (await import("./commands/archive.ts")).archiveCommand,
  lint: async () => (await import("./commands/lint.ts")).lintCommand,
  convert: async () => (await import("./commands/convert.ts")).convertCommand,
  "executor-plugin": async () => (await import("./commands/executor_plugin.ts")).executorPluginCommand,
  template: async () => (await import("./commands/template.ts")).templateCommand,
  "cluster-template": async () => (await import("./commands/cluster_template.ts")).clusterTemplateCommand,
  cron: async () => (await import("./commands/cron.ts")).cronCommand,
  preflight: async () => (await import("./commands/preflight.ts")).preflightCommand,
  takeover: async () => (await import("./commands/takeover.ts")).takeoverCommand,
  server: async () => (await import("./commands/server.ts")).serverCommand,
  sync: async () => (await import("./commands/sync.ts")).syncCommand,
  auth: async () => (await import("./commands/auth.ts")).authCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand,
  version: async () => (await import("./commands/version.ts")).versionCommand,
};

/** The names of all commands. */
export const COMMAND_NAMES: readonly string[] = Object.keys(TOP_COMMANDS);

/** Returns the program with the called command. The other commands have a name and a summary only. */
export async function programOf(args: readonly string[], world: World): Promise<Command> {
  const program = addGlobalFlags(new Command("tiphys").version(`tiphys v${VERSION}`, "--version", "print the version"));
  describeProgram(program);
  const name = commandName(args);
  for (const [word, { summary, group, aliases = [] }] of Object.entries(TOP_COMMANDS)) {
    const isCalled = name !== undefined && [word, ...aliases].includes(name);
    const command = isCalled ? (await COMMANDS[word]!())(world) : new Command(word).summary(summary);
    if (isCalled) describeCommand(command);
    program.addCommand(command.helpGroup(group).aliases(isCalled && name !== word ? [name] : []));
  }
  addLogFlags(program, descendantsOf(program));
  program.hook("preAction", (_program, command) => refuseUnusedOptions(command, world));
  return program;
}

/** Prints the completions of the last word, for the scripts of `tiphys completion`. */
async function completeLine(typed: readonly string[], world: World): Promise<number> {
  const { complete } = await import("./complete.ts");
  world.out(await complete(await programOf(typed.slice(0, -1), world), typed, world));
  return 0;
}

/**
 * Runs one command line and returns its exit code.
 * @throws only for bugs in this program.
 */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  if (args[0] === "__complete") return await completeLine(args.slice(1), world);
  const words = withoutHelpCommand(args);
  const program = await programOf(words, world);
  // Commander reports the help of a group without a subcommand as an error. The text is printed when the kind of error
  // is known.
  let refusal = "";
  for (const command of [program, ...descendantsOf(program)]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => world.out(text),
      writeErr: (text) => void (refusal += text),
      getOutHelpWidth: () => world.terminal()?.columns ?? 80,
    });
  }
  try {
    if (words !== args) {
      if (words[0] === "options") {
        world.out(optionsHelp(program));
        return 0;
      }
      checkHelpWords(program, words);
    }
    await program.parseAsync(convertGoFlags(words, [program, ...descendantsOf(program)]), { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      const isHelp = error.code === "commander.help";
      if (isHelp) world.out(refusal);
      else world.err(withNextStep(usageError(refusal), error, words));
      return isHelp || error.exitCode === 0 ? 0 : EXIT_CODE.badInput;
    }
    if (!(error instanceof Error) || isDefect(error)) throw error;
    if (error.message) world.err(`${escapeControls(error.message)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT_CODE.failed;
  }
}

/** Returns an error of commander in the form of all other messages: without a prefix. */
function usageError(text: string): string {
  return text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase());
}

/** Words of kubectl and of shells, and the command that does the same. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  apply: "tiphys submit FILE",
  create: "tiphys submit FILE",
  describe: "tiphys get NAME",
  events: "tiphys why NAME",
  explain: "tiphys help",
  ls: "tiphys list",
  ps: "tiphys list",
  start: "tiphys local",
  status: "tiphys get NAME",
  up: "tiphys local",
};

/** Returns a usage error with the next step, unless it has one. */
function withNextStep(text: string, { code }: CommanderError, words: readonly string[]): string {
  if (text.includes("Did you mean")) return text;
  const name = commandName(words) ?? "";
  const isCommand = Object.entries(TOP_COMMANDS).some(([word, { aliases = [] }]) => [word, ...aliases].includes(name));
  const toSeeAll = `To see all commands:  tiphys help${isCommand ? ` ${name}` : ""}`;
  if (code === "commander.unknownCommand") {
    return `${text}${Object.hasOwn(OTHER_WORDS, name) ? `To do this:  ${OTHER_WORDS[name]}` : toSeeAll}\n`;
  }
  if (!["commander.missingArgument", "commander.excessArguments", "commander.unknownOption"].includes(code)) {
    return text;
  }
  return `${text}${isCommand ? `To see its arguments and options:  tiphys help ${name}` : toSeeAll}\n`;
}

/** Whether an error is a bug in this program, which is thrown with its stack. */
function isDefect(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

/** Returns the first word that is neither a flag nor the value of a flag. */
function commandName(args: readonly string[]): string | undefined {
  return args.find((word, index) => !word.startsWith("-") && !GLOBAL_FLAGS_WITH_VALUE.includes(args[index - 1] ?? ""));
}

/**
 * Converts flags in Go's form: switches with a value (`--offline=true`) and short flags with an equals sign
 * (`-e=false`). As in Go, a switch without a value is on, and the word after it is not its value.
 */
function convertGoFlags(args: readonly string[], program: readonly Command[]): string[] {
  const options = program.flatMap((command) => command.options);
  const byName = new Map(options.flatMap((option) => [[option.long, option], [option.short, option]] as const));
  return args.flatMap((word, index) => {
    const isValue = byName.get(args[index - 1] ?? "")?.required === true;
    if (isValue) return [word];
    const alone = byName.get(word);
    if (alone?.optional) return [`${alone.long}=true`];
    const [, name, value = ""] = /^(--[\w-]+|-\w)=(.*)$/s.exec(word) ?? [];
    const option = name === undefined ? undefined : byName.get(name);
    if (option === undefined) return [word];
    if (option.negate) {
      const on = name!.replace("--no-", "--");
      return value === "true" ? [name!] : value !== "false" ? [word] : byName.has(on) ? [on] : [];
    }
    if (option.isBoolean()) {
      const off = name!.replace("--", "--no-");
      return value === "true" ? [name!] : value !== "false" ? [word] : byName.has(off) ? [off] : [];
    }
    return [name!.startsWith("--") ? word : `${option.long}=${value}`];
  });
}

function descendantsOf(command: Command): Command[] {
  return command.commands.flatMap((subcommand) => [subcommand as Command, ...descendantsOf(subcommand as Command)]);
}
