/** The page of commands and flags, from the command line itself. */
import type { Command, Option } from "commander";
import { textOf } from "../../cli/help/help.ts";
import { COMMAND_NAMES, programOf } from "../../cli/program.ts";
import { realWorld } from "../../cli/real_world.ts";
import { generatedFrom, table } from "./markdown.ts";

/** The text of `docs/reference/commands.md`. */
export async function commandsPage(): Promise<string> {
  const program = await programOf([], realWorld);
  const sections: string[] = [];
  for (const name of COMMAND_NAMES) {
    const command = (await programOf([name], realWorld)).commands.find((candidate) => candidate.name() === name);
    if (command) sections.push(...sectionsOf(command as Command, ["tiphys"]));
  }
  return `${generatedFrom("cli")}

# Commands

Flags of all commands come first, then each command. Every command prints its flags with \`--help\`.

## Flags of all commands

${flags(program.options)}

${sections.join("\n\n")}
`;
}

/** A command with its arguments and flags, and the commands below it. */
function sectionsOf(command: Command, above: readonly string[]): string[] {
  const names = [...above, command.name()];
  const inner = command.commands.filter((subcommand) => subcommand.name() !== "help") as Command[];
  if (inner.length > 0) return inner.flatMap((subcommand) => sectionsOf(subcommand, names));
  const given = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? "…" : ""}`;
    return argument.required ? name : `[${name}]`;
  });
  const about = command.description() || command.summary();
  const options = command.options.filter((option) => !option.hidden);
  return [[
    `## ${names.join(" ")}`,
    `\`${[...names, ...given].join(" ")}\`${about ? `: ${about}` : ""}`,
    ...options.length > 0 ? [flags(options)] : [],
    ...examplesOf(names.slice(1)),
  ].join("\n\n")];
}

/** The examples of a command, as a block of shell lines. */
function examplesOf(words: readonly string[]): string[] {
  const { examples = [] } = textOf(words) ?? {};
  const lines = examples.flatMap(([comment, line], index) => [...index > 0 ? [""] : [], `# ${comment}`, line]);
  return lines.length > 0 ? [["```sh", ...lines, "```"].join("\n")] : [];
}

function flags(options: readonly Option[]): string {
  return table(
    ["Flag", "Description"],
    options.filter(({ hidden }) => !hidden).map(({ flags, description, argChoices, defaultValue }) => [
      `\`${flags}\``,
      [
        description,
        ...argChoices ? [`one of ${argChoices.map((choice) => `\`${choice}\``).join(", ")}`] : [],
        ...isShown(defaultValue) ? [`default \`${String(defaultValue)}\``] : [],
      ].join("; "),
    ]),
  );
}

function isShown(value: unknown): boolean {
  return typeof value === "string" && value !== "" || typeof value === "number";
}
