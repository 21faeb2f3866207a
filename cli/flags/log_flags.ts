/** Argo's flags for the level and format of the program's own log. */
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

/** Flags with a value that may come before the command's name. */
export const LOG_FLAGS_WITH_VALUE: readonly string[] = ["--loglevel", "--gloglevel", "--log-format"];

/** Adds the flags whose names no command uses itself. */
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

/** Returns a log to the standard error with the level and format of the flags. Silent without a level. */
export function logOf({ verbose, loglevel, logFormat = "text" }: LogFlags, world: World): Log {
  const level = verbose ? "debug" : loglevel;
  if (level === undefined) return silentLog;
  return lineLog({ level, format: logFormat, write: (line) => world.err(`${line}\n`) });
}
