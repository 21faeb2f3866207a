/**
 * argoexec: the program in every workflow pod. The emissary wraps every user command, and nothing else is loaded for
 * it; other commands are imported on demand.
 *
 * - choice of the command: `program.ts`, `commands.ts`; errors: `failure.ts`, `last_words.ts`
 * - `before_main/`: the supervisor (or `init` and `wait`), inputs, and the status marker that starts main
 * - `command/`: the emissary and the user's command
 * - `process/`: child processes, signals and exit codes
 * - `after_main/`: progress, outputs, artifacts, the report
 * - `garbage/`: deletion of artifacts by garbage collection
 * - templates without a user command: `own_work.ts`, with `resource/` or `data/`
 * - `pod/`: shared files, other containers, the API server; `world.ts`: the surroundings of the process
 */
import { DENO_VARIABLES } from "@tiphys/base/constants";
import { runProgram } from "./program.ts";
import { realWorld } from "./world.ts";

removeLauncherVariables();
Deno.exit(await runProgram(realWorld, Deno.args));

/**
 * Removes the variables that the launcher sets for Deno from the environment, so that the user's command does not
 * inherit them.
 */
function removeLauncherVariables(): void {
  for (const [name, own] of Object.entries(DENO_VARIABLES)) {
    const found = Deno.env.get(name);
    // Deno.env.delete removes every variable with that name, including a second one that the user has set; its value is
    // restored.
    Deno.env.delete(name);
    if (found !== undefined && found !== own) Deno.env.set(name, found);
  }
}
