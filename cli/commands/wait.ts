/** `tiphys wait`. */
import { Command } from "commander";
import { classifyError } from "@tiphys/kube";
import { endLine, lastState } from "../await_end.ts";
import { resolveName } from "@tiphys/service";
import { endWith, EXIT_CODE } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";
import { isFailure } from "@tiphys/model/status";

interface Flags extends GlobalFlags {
  readonly ignoreNotFound?: boolean;
}

/** Creates the command `wait`. */
export function waitCommand(world: World): Command {
  return new Command("wait").argument("<workflows...>", "names; @latest is the newest")
    .option("--ignore-not-found", "ignore workflows that do not exist")
    .addHelpText("after", "\nExit code: 1 if one of the workflows failed")
    .action((requestedNames: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async (connection) => {
        const { service, namespace } = connection;
        const succeeded = await Promise.all(requestedNames.map(async (requestedName) => {
          try {
            const name = await resolveName(service, namespace, requestedName);
            const end = await lastState(name, { ...connection, world });
            world.out(endLine(name, end));
            return !isFailure(end?.status?.phase);
          } catch (error) {
            if (flags.ignoreNotFound && classifyError(error) === "notFound") return true;
            throw error;
          }
        }));
        if (succeeded.includes(false)) throw endWith(EXIT_CODE.failed);
      });
    });
}
