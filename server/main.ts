/** Starts the server as a separate process. */
import { CommanderError } from "commander";
import { VERSION } from "@tiphys/base/version";
import { readFlags, serverCommand } from "./flags.ts";
import { runServer } from "./program.ts";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(name, () => stop.abort(new DOMException(`Stopped by ${name}`, "AbortError")));
}
const world = { env: (name: string) => Deno.env.get(name), write: (line: string) => console.error(line) };
const command = serverCommand().name("argo-server").version(`v${VERSION}`).exitOverride();
// Manifests written for Argo pass the command as the first argument: `argo server --auth-mode client`.
const args = Deno.args[0] === "server" ? Deno.args.slice(1) : Deno.args;
command.action(() => runServer(readFlags(command), world, stop.signal)).parseAsync(args, { from: "user" }).then(
  () => Deno.exit(0),
  (error) => {
    // A stop before the server is ready is a normal exit.
    if (stop.signal.aborted && error === stop.signal.reason) Deno.exit(0);
    if (error instanceof CommanderError) Deno.exit(error.exitCode === 0 ? 0 : 2);
    console.error(`argo-server: ${error instanceof Error ? error.message : String(error)}`);
    Deno.exit(1);
  },
);
