/**
 * The command line: `tiphys`.
 *
 * - `program.ts`: the commands by name; `commands/`: one file for each: parse, act, print; `resource_command.ts`: the commands
 *   that every kind of template has; `command_error.ts`: exit codes
 * - `world.ts`: what commands know of the outside; `real_world.ts`: the outside; `connect/`: the clusters in it
 * - `flags/`: flags that several commands take; `input/`: from files to objects; `view/`: from objects to text
 * - `await_end.ts`: what happens meanwhile; `testing/`: a world for tests
 *
 * All about workflows is asked of a `WorkflowService` (lib/service): commands read flags, call it, and print.
 * `connect/connect.ts` alone holds a client of Kubernetes. The CLI is where programs are put together: it may import `local` and
 * the controller's `mod.ts`. Nothing imports it.
 */
import { createRequire } from "node:module";
import { runCli } from "./program.ts";
import { realWorld } from "./real_world.ts";

if (import.meta.main) {
  // Bundled packages that were written for Node call `require`, which a module has not got. They are loaded later.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  Deno.exit(await runCli(Deno.args, realWorld));
}
