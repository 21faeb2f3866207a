/** `tiphys auth token`: prints the authorization header of requests to the cluster or server. */
import { Command } from "commander";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import type { World } from "../world.ts";

/** Creates the command `auth`. */
export function authCommand(world: World): Command {
  const token = new Command("token")
    .action((_flags: unknown, self: Command) =>
      withCluster(world, self.optsWithGlobals<GlobalFlags>(), async (connection) => {
        const authorization = await connection.authorization?.();
        if (!authorization) {
          throw new CommandError(
            "No token: the cluster or server requires no authentication, or a client certificate is used",
          );
        }
        world.out(`${authorization}\n`);
      })
    );
  return new Command("auth").addCommand(token);
}
