/** Flags of the commands that start an engine. */
import type { Command } from "commander";
import type { EngineOptions } from "./world.ts";

/** The flags as commander reads them. */
export interface EngineFlags {
  readonly verbose?: boolean;
  readonly runtime?: string;
  readonly allowHostPath?: boolean;
}

/** Adds them to a command. */
export function addEngineFlags(command: Command): Command {
  return command
    .option(
      "--runtime <name>",
      "what runs containers: sandbox, docker, podman (in their images), host (on this machine's files), auto",
    )
    .option("--allow-host-path", "let pods mount folders of this machine (hostPath)")
    .option("-v, --verbose", "tell what the engine does");
}

/** What they say of the engine. */
export function engineOptions(flags: EngineFlags): Pick<EngineOptions, "verbose" | "runtime" | "allowHostPath"> {
  return { verbose: flags.verbose ?? false, runtime: flags.runtime, allowHostPath: flags.allowHostPath };
}
