/**
 * argoexec: the program in every workflow pod. The emissary stands in front of every user command and is all that is
 * loaded for it; everything else is loaded when it is asked for.
 *
 * - which command: `program.ts`, `commands.ts`, `last_words.ts`
 * - before main: `supervisor.ts` (or `legacy.ts`), `stage.ts`, `load_artifact.ts`, `artifact_plugins.ts`, `link_inputs.ts`
 * - the command: `emissary.ts`, `ready.ts`, `run_child.ts`, `start_on_terminal.ts`, `inbox.ts`, `signals.ts`, `kill.ts`, `reap_orphans.ts`
 * - after main: `collect.ts` (in main), `after_main.ts`, `outputs.ts`, `save_artifacts.ts`, `report.ts` (beside it)
 * - in place of a command: `own_work.ts`, with `resource/` or `data/`
 * - between containers: `exit_code.ts`, `life.ts`, `signals.ts`, `kill_containers.ts`, the marker of `lib/watch`
 */
import { DENO_VARIABLES } from "../lib/constants.ts";
import { runProgram } from "./program.ts";
import { realWorld } from "./world.ts";

forgetOwnVariables();
Deno.exit(await runProgram(realWorld, Deno.args));

/** How our launcher has Deno run is none of the business of the user's command. */
function forgetOwnVariables(): void {
  for (const [name, own] of Object.entries(DENO_VARIABLES)) {
    const found = Deno.env.get(name);
    // Deleting removes every variable of that name, the user's too: theirs is the one that was found.
    Deno.env.delete(name);
    if (found !== undefined && found !== own) Deno.env.set(name, found);
  }
}
