/**
 * Help of commands: the program's in groups, a command's with examples and the flags that it reads, and `help options`.
 */
import { type Command, Help, type Option } from "commander";
import { badInput } from "../command_error.ts";
import { COMMAND_GROUPS, type CommandText, type ConnectionFlags, SUBCOMMANDS, TOP_COMMANDS } from "./command_texts.ts";

/** Headings of flags in help; a command's own flags have commander's heading. */
export const FLAG_GROUP = { output: "Output options:", connection: "Connection options:" } as const;

/** Global flags that choose a cluster and that the help of a command lists. */
const MAIN_CONNECTION_FLAGS: Readonly<Record<ConnectionFlags, readonly string[]>> = {
  cluster: ["--namespace", "--kubeconfig", "--context", "--local", "--data", "--argo-server"],
  embedded: ["--namespace", "--data"],
  none: [],
};

/** Makes `help COMMAND...` the same as `COMMAND... --help`. */
export function withoutHelpCommand(args: readonly string[]): readonly string[] {
  return args[0] === "help" ? [...args.slice(1), "--help"] : args;
}

/** The text of a command by its words; undefined for words that name no command. */
export function textOf(words: readonly string[]): CommandText | undefined {
  const [first = "", ...more] = words;
  return more.length === 0 ? TOP_COMMANDS[first] : SUBCOMMANDS[words.join(" ")];
}

/** Adds the texts of a command and of all commands below it. */
export function describeCommand(command: Command, words: readonly string[] = [command.name()]): void {
  const text = textOf(words);
  if (text) command.summary(text.summary).description(text.about);
  command.helpCommand(false).configureHelp({
    visibleOptions: (described) => visibleOptions(described as Command, words),
  });
  if (text) command.addHelpText("after", () => `\n${endOf(text, words)}`);
  for (const subcommand of command.commands) describeCommand(subcommand as Command, [...words, subcommand.name()]);
}

/** Configures the help of the program itself: commands in groups, and no flags but its own two. */
export function describeProgram(program: Command): void {
  program
    .description("Tiphys runs Argo Workflows on this machine or on a Kubernetes cluster.")
    .usage("COMMAND [options]")
    .helpCommand(false)
    .configureHelp({
      visibleOptions: (command) =>
        ownOptions(command as Command).filter(({ long }) => ["--help", "--version"].includes(long!)),
      visibleCommands: (command) =>
        COMMAND_GROUPS.flatMap((group) => command.commands.filter((sub) => sub.helpGroup() === group)),
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText(
      "after",
      "\nUse `tiphys COMMAND --help` for a command, and `tiphys help options` for the options that all commands accept.",
    );
}

/** The text of `help options`: the flags of every command. */
export function optionsHelp(program: Command): string {
  const help = program.createHelp();
  const options = program.options.filter(({ hidden, long }) => !hidden && long !== "--version");
  const width = Math.max(...options.map((option) => help.optionTerm(option).length));
  const groups = Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? "Options:");
  const lines = [...groups].flatMap(([heading, all]) => [
    heading,
    ...all.map((option) => `  ${help.optionTerm(option).padEnd(width)}  ${help.optionDescription(option)}`),
    "",
  ]);
  return `All commands accept these options, before or after the command's name.\n\n${lines.join("\n")}`;
}

/** @throws {CommandError} for words after `help` that name no command. */
export function checkHelpWords(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words.filter((argument) => !argument.startsWith("-"))) {
    const found = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (!found) {
      if (command.commands.length === 0) return;
      throw badInput(`Unknown command '${[...command === program ? [] : [command.name()], word].join(" ")}'`);
    }
    command = found as Command;
  }
}

/** Lists the command's own flags, then the global flags that it reads. */
function visibleOptions(command: Command, words: readonly string[]): Option[] {
  const own = ownOptions(command);
  const root = rootOf(command);
  if (root === command) return own;
  const { connection = "cluster" } = TOP_COMMANDS[words[0]!] ?? {};
  const main = MAIN_CONNECTION_FLAGS[connection];
  const taken = new Set(own.map(({ long }) => long));
  const inherited = root.options.filter(({ long, hidden, helpGroupHeading }) =>
    !hidden && !taken.has(long) &&
    (helpGroupHeading === FLAG_GROUP.output ? connection !== "none" || long === "--no-color" : main.includes(long!))
  );
  const rank = ({ helpGroupHeading }: Option) =>
    helpGroupHeading === FLAG_GROUP.connection ? 2 : helpGroupHeading === FLAG_GROUP.output ? 1 : 0;
  return [...own, ...inherited].sort((a, b) => rank(a) - rank(b));
}

/** The visible flags of a command itself, its own `--help` last. */
function ownOptions(command: Command): Option[] {
  return new Help().visibleOptions(command);
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent as Command) : command;
}

function endOf({ examples }: CommandText, words: readonly string[]): string {
  const lines = examples.flatMap(([comment, line], index) => [...index > 0 ? [""] : [], `  # ${comment}`, `  ${line}`]);
  const { connection = "cluster" } = TOP_COMMANDS[words[0]!] ?? {};
  const more = connection === "cluster" ? ["", "`tiphys help options` lists all connection options."] : [];
  return ["Examples:", ...lines, ...more].join("\n");
}
