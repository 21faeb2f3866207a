/** `tiphys server`: serves the API of Argo Workflows and the page for a cluster. */
import type { Command } from "commander";
import { readFlags, runServer, serverCommand as commandOf } from "../../server/mod.ts";
import type { World } from "../world.ts";

/** Creates the command `server`. */
export function serverCommand(world: World): Command {
  const command = commandOf();
  return command.action(async () => {
    const stop = new AbortController();
    using _ = world.onInterrupt((signal) => stop.abort(new DOMException(`Stopped by ${signal}`, "AbortError")));
    const write = (line: string) => world.err(`${line}\n`);
    await runServer(readFlags(command), { env: (name) => world.env(name), write }, stop.signal);
  });
}
