/** Flags of the commands that start a local cluster. */
import type { Command } from "commander";
import { Quantity, QuantityError } from "../../lib/go/quantity.ts";
import { badInput } from "../command_error.ts";
import type { LocalClusterOptions } from "../world.ts";

/** The flags as commander reads them. */
export interface LocalClusterFlags {
  readonly verbose?: boolean;
  readonly runtime?: string;
  readonly standIn?: boolean;
  readonly allowHostPath?: boolean;
  readonly artifactLimit?: string;
  readonly settings?: string;
  /** The instance that the controller is; a flag of every command. */
  readonly instanceid?: string;
  /** Another name of `settings`. */
  readonly config?: string;
}

/** Adds the flags to a command. */
export function addLocalClusterFlags(command: Command): Command {
  return command
    .option(
      "--runtime <name>",
      "what runs containers: sandbox, docker, podman (in their images), host (on this machine's files), auto",
    )
    .option("--stand-in", "run a stand-in with common tools for any image that no registry can be reached for")
    .option("--allow-host-path", "let pods mount folders of this machine (hostPath)")
    .option("--artifact-limit <size>", "what artifacts without a store of their own may take: 10Gi; 0 is none")
    .option("--settings <file>", "settings of the controller: a workflow-controller-configmap, or its fields")
    .option("--config <file>", "the same as --settings")
    .option("-v, --verbose", "tell what the controller does");
}

/** Options of the local cluster, as the flags say. */
export function localClusterOptions(
  flags: LocalClusterFlags,
): Pick<
  LocalClusterOptions,
  "verbose" | "runtime" | "standIn" | "allowHostPath" | "artifactBytes" | "settings" | "instanceId"
> {
  const { runtime, standIn, allowHostPath, config, settings = config, instanceid: instanceId } = flags;
  const artifactBytes = flags.artifactLimit === undefined ? undefined : bytesOf(flags.artifactLimit);
  return { verbose: flags.verbose ?? false, runtime, standIn, allowHostPath, artifactBytes, settings, instanceId };
}

function bytesOf(text: string): number {
  try {
    const bytes = Quantity.parse(text).toNumber();
    if (bytes >= 0) return Math.floor(bytes);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
  }
  throw badInput(`Expected a size such as 10Gi for --artifact-limit, got ${JSON.stringify(text)}`);
}
