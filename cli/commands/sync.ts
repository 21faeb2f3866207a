/** `tiphys sync`: manages the limits of semaphores. */
import { Command } from "commander";
import { classifyError, KubeError } from "@tiphys/kube";
import {
  readSyncType,
  type SyncLimit,
  SyncLimitError,
  type SyncLimitName,
  type SyncType,
} from "@tiphys/storage/sync_limits";
import { badInput, CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly type: string;
  readonly cmName?: string;
  readonly limit?: string;
}

/** Creates the command `sync`. */
export function syncCommand(world: World): Command {
  const limited = (verb: "create" | "update") =>
    subcommand(world, verb, async ({ syncLimits }, name, flags) => {
      const limit = await syncLimits[verb]({ ...name, limit: readLimit(flags.limit) });
      return `Sync limit ${verb}d\n${describe(limit)}`;
    }).requiredOption("--limit <number>", "number of holders at a time");
  return new Command("sync")
    .addCommand(limited("create"))
    .addCommand(subcommand(world, "get", async ({ syncLimits }, name) => describe(await syncLimits.get(name))))
    .addCommand(limited("update"))
    .addCommand(subcommand(world, "delete", async ({ syncLimits }, name) => {
      // Deleting a missing limit succeeds at the API, as in Argo. Here it is a mistake in a name.
      await syncLimits.get(name).catch((error) => {
        if (isNotFound(error)) throw error;
      });
      await syncLimits.delete(name);
      return "Sync limit deleted\n";
    }));
}

function isNotFound(error: unknown): boolean {
  return error instanceof SyncLimitError ? error.code === "NotFound" : classifyError(error) === "notFound";
}

function subcommand(
  world: World,
  verb: string,
  act: (connection: Connection, name: SyncLimitName, flags: Flags) => Promise<string>,
): Command {
  return new Command(verb)
    .argument("<key>", "key of the limit")
    .requiredOption("--type <type>", "store of the limit: configmap or database")
    .option("--cm-name <name>", "the ConfigMap, where the type is configmap")
    .action((key: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      const type = readType(flags);
      return withCluster(world, flags, async (connection) => {
        const { namespace } = connection;
        const cmName = flags.cmName ?? "";
        try {
          world.out(await act(connection, { type, namespace, key, ...(cmName && { cmName }) }, flags));
        } catch (error) {
          // A server rejects a limit with a status. Missing credentials (401) and network errors (0) are reported
          // elsewhere.
          const isRefusal = error instanceof SyncLimitError ||
            error instanceof KubeError && error.status !== 401 && error.status !== 0;
          if (!isRefusal) throw error;
          throw new CommandError(`failed to ${verb} sync limit: ${error.message}`);
        }
      });
    });
}

function readType({ type: text, cmName }: Flags): SyncType {
  let type: SyncType;
  try {
    type = readSyncType(text);
  } catch {
    throw badInput("--type must be either 'database' or 'configmap'");
  }
  if (type === "CONFIGMAP" && !cmName) throw badInput("--cm-name is required when type is configmap");
  return type;
}

function readLimit(text = ""): number {
  if (!/^[+-]?\d+$/.test(text)) throw badInput(`--limit: expected a whole number, got ${JSON.stringify(text)}`);
  return Number(text);
}

function describe({ key, type, cmName, namespace, limit }: SyncLimit): string {
  const map = cmName === undefined ? "" : `ConfigMap Name: ${cmName}\n`;
  return `Key: ${key}\nType: ${type.toLowerCase()}\n${map}Namespace: ${namespace}\nLimit: ${limit}\n`;
}
