/** `tiphys auth token`: the authorization header with which the cluster, or the server, is asked. */
import { Command } from "commander";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

/** Makes the command. */
export function authCommand(world: World): Command {
  const token = new Command("token")
    .action((_flags: unknown, self: Command) =>
      withCluster(world, self.optsWithGlobals<GlobalFlags>(), async (connection) => {
        const authorization = await connection.authorization?.();
        if (!authorization) {
          throw new CommandError("no token: nobody has to say who they are there, or a certificate says it");
        }
        world.out(`${authorization}\n`);
      })
    );
  return new Command("auth").addCommand(token);
}
