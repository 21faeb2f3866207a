/** Flags of Argo that set the level and format of the program's own log. */
import { type Command, Option } from "commander";
import { lineLog, type Log, silentLog } from "@tiphys/base/log";
import { FLAG_GROUP } from "../help/help.ts";
import type { World } from "../world.ts";

/** The flags as commander reads them. */
export interface LogFlags {
  readonly verbose?: boolean;
  readonly loglevel?: "debug" | "info" | "warn" | "error";
  readonly logFormat?: "text" | "json";
}

/** The flags with a value, which may stand before the command's name. */
export const LOG_FLAGS_WITH_VALUE: readonly string[] = ["--loglevel", "--gloglevel", "--log-format"];

/** Adds those of the flags that no command has for itself. */
export function addLogFlags(program: Command, commands: readonly Command[]): void {
  const taken = new Set(commands.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])));
  const flags = [
    new Option("-v, --verbose", "same as --loglevel debug"),
    new Option("--loglevel <level>", "level of this program's own log").choices([
      "debug",
      "info",
      "warn",
      "error",
    ]),
    new Option("--log-format <format>", "format of this program's own log").choices(["text", "json"]),
    new Option("--gloglevel <level>", "no effect").hideHelp(),
  ];
  for (const flag of flags) {
    flag.helpGroup(FLAG_GROUP.output);
    if (![flag.long, flag.short].some((name) => name && taken.has(name))) program.addOption(flag);
  }
}

/** The log that the flags ask for, on the error output; nothing is said where they ask for none. */
export function logOf({ verbose, loglevel, logFormat = "text" }: LogFlags, world: World): Log {
  const level = verbose ? "debug" : loglevel;
  if (level === undefined) return silentLog;
  return lineLog({ level, format: logFormat, write: (line) => world.err(`${line}\n`) });
}
