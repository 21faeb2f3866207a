/** `--strict`: whether fields that a kind does not have are refused. */
import type { Command } from "commander";

/** Adds the flag to a command: on without a word, off with `--strict=false` or `--no-strict`. */
export function addStrictFlag(command: Command): Command {
  return command.option("--strict", "refuse unknown fields", true).option("--no-strict", "ignore unknown fields");
}
