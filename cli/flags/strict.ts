/** `--strict`: whether unknown fields are rejected. */
import type { Command } from "commander";

/** Adds the flag to a command. On by default; `--strict=false` or `--no-strict` disables it. */
export function addStrictFlag(command: Command): Command {
  return command.option("--strict", "refuse unknown fields", true).option("--no-strict", "ignore unknown fields");
}
