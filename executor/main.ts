/**
 * argoexec: the program in every workflow pod. The emissary stands in front of every user command and is all that is
 * loaded for it; everything else is loaded when it is asked for.
 *
 * - which command: `program.ts`, `commands.ts`, `last_words.ts`; how it fails: `failure.ts`
 * - `before_main/`: the supervisor (or `init` and `wait`), inputs, and the word that lets main go
 * - `command/`: the emissary and the user's command
 * - `after_main/`: deadlines, progress, outputs, artifacts, the report
 * - `garbage/`: deleting artifacts whose time is over
 * - in place of a command: `own_work.ts`, with `resource/` or `data/`
 * - `pod/`: the shared files and the other containers, the API server; `world.ts`: all that is touched, handed in
 */
import { DENO_VARIABLES } from "../lib/constants.ts";
import { runProgram } from "./program.ts";
import { realWorld } from "./world.ts";

forgetOwnVariables();
Deno.exit(await runProgram(realWorld, Deno.args));

/**
 * Takes the variables of our launcher for Deno out of the environment: they are none of the business of the user's
 * command.
 */
function forgetOwnVariables(): void {
  for (const [name, own] of Object.entries(DENO_VARIABLES)) {
    const found = Deno.env.get(name);
    // Deleting removes every variable of that name, the user's too; the value that was found is the user's.
    Deno.env.delete(name);
    if (found !== undefined && found !== own) Deno.env.set(name, found);
  }
}
