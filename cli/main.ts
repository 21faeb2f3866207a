/**
 * The command line: `tiphys`.
 *
 * - program.ts: the commands by name; commands/: one file for each: parse, act, print; resource_command.ts: the commands
 *   that every kind of template has
 * - world.ts: what commands know of the outside; real_world.ts, connect.ts, engine.ts, data_dir.ts: the outside
 * - global_flags.ts, submit_flags.ts, engine_flags.ts, choose_workflows.ts: flags that several commands take; command_error.ts: exit codes
 * - manifest_files.ts, input_documents.ts, check_documents.ts, create_objects.ts, resource_of.ts: from files to objects
 * - follow_workflow.ts, await_end.ts, pod_logs.ts, embedded_run.ts: what happens meanwhile
 * - change_workflow.ts, hydrate.ts, unfinished_workflows.ts: workflows read and written
 * - tree.ts, tree_table.ts, describe_workflow.ts, failure_report.ts, table.ts, look.ts, elapsed.ts: from objects to text
 * - live_view.ts, change_lines.ts, print_object.ts, print_workflow.ts: text to the terminal, or to whatever reads us
 * - testing/: a world for tests
 *
 * The CLI is where programs are put together: it may import `local` and the controller's `mod.ts`. Nothing imports it.
 */
import { createRequire } from "node:module";
import { runCli } from "./program.ts";
import { realWorld } from "./real_world.ts";

if (import.meta.main) {
  // Bundled packages that were written for Node call `require`, which a module has not got. They are loaded later.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  Deno.exit(await runCli(Deno.args, realWorld));
}
