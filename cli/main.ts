/**
 * The command line: `tiphys`.
 *
 * - `program.ts`: the commands by name; `commands/`: one file for each: parse, act, print; `resource_command.ts`: the
 *   commands that every kind of template has; `command_error.ts`: exit codes
 * - `world.ts`: the interface through which commands access files, terminals and clusters; `real_world.ts`: its
 *   implementation; `connect/`: connections to clusters
 * - `flags/`: flags of several commands; `input/`: reads objects from files; `view/`: formats objects as text
 * - `await_end.ts`: `--wait`, `--watch` and `--log`; `testing/`: a world for tests
 *
 * Commands read flags, call a `WorkflowService` (lib/service), and print. Only `connect/` uses a Kubernetes client. The
 * CLI may import `local` and the controller's `mod.ts`, because it assembles the programs. Nothing imports the CLI.
 */
import { createRequire } from "node:module";
import { runCli } from "./program.ts";
import { realWorld } from "./real_world.ts";

if (import.meta.main) {
  // Bundled packages that were written for Node call `require`, which modules do not have. They are loaded after this
  // line.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  Deno.exit(await runCli(Deno.args, realWorld));
}
