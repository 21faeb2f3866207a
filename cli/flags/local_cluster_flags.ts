/** Flags of the commands that start a local cluster. */
import type { Command } from "commander";
import { Quantity, QuantityError } from "@tiphys/base/go/quantity";
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
  /** The instance ID of the controller; a flag of every command. */
  readonly instanceid?: string;
  /** Another name of `settings`. */
  readonly config?: string;
}

/** Adds the flags to a command. */
export function addLocalClusterFlags(command: Command): Command {
  return command
    .option(
      "--runtime <name>",
      "container runtime: auto, sandbox, docker, podman, or host (programs of this machine, no images)",
    )
    .option("--stand-in", "replace images that cannot be pulled with a stand-in that has common tools")
    .option("--no-stand-in", "replace no image, not even base images such as alpine")
    .option("--allow-host-path", "allow pods to mount folders of this machine (hostPath)")
    .option(
      "--artifact-limit <size>",
      "maximum size of all artifacts in the embedded store, such as 10Gi; 0 disables it",
    )
    .option("--settings <file>", "settings of the controller: a workflow-controller-configmap, or its fields")
    .option("--config <file>", "same as --settings")
    .option("-v, --verbose", "print the log of the controller");
}

/** Returns the options of the local cluster from the flags. */
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
