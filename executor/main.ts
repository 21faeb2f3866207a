/**
 * argoexec: the program in every workflow pod. The emissary stands in front of every user command and is all that is
 * loaded for it; everything else is loaded when it is asked for.
 *
 * - before main: `supervisor.ts` (or `legacy.ts`), `stage.ts`, `link_inputs.ts`
 * - the command: `emissary.ts`, `run_child.ts`, `signals.ts`, `kill.ts`
 * - after main: `collect.ts` (in main), `after_main.ts`, `outputs.ts`, `report.ts` (beside it)
 * - between containers: `exit_code.ts`, `signals.ts`, the marker of `lib/watch`
 */
import { EXIT, NO_CACHE } from "../lib/constants.ts";
import { emissary } from "./emissary.ts";
import { describe, writeTerminationMessage } from "./failure.ts";
import { realWorld, type World } from "./world.ts";

async function run(world: World, command: string | undefined, args: string[]): Promise<number> {
  switch (command) {
    case "emissary":
      Deno.umask(0);
      forgetOwnCache();
      return await emissary(world, args);
    case "supervisor":
      return await (await import("./supervisor.ts")).supervisor(world);
    case "init":
      return await (await import("./legacy.ts")).init(world);
    case "wait":
      return await (await import("./legacy.ts")).wait(world);
    case "kill":
      return await (await import("./kill.ts")).kill(world, args);
    case "version":
      console.log((await import("../lib/version.ts")).VERSION);
      return 0;
    default:
      console.error(
        `argoexec: unknown command "${command ?? ""}"; expected emissary, supervisor, init, wait, kill or version`,
      );
      return EXIT.executorError;
  }
}

/** The variable by which our launcher spares the user's home is none of the user's command's business. */
function forgetOwnCache(): void {
  const folder = Deno.env.get("DENO_DIR");
  // Deleting removes every variable of that name, the user's too: theirs is the one that was found.
  Deno.env.delete("DENO_DIR");
  if (folder !== undefined && folder !== NO_CACHE) Deno.env.set("DENO_DIR", folder);
}

const [command, ...args] = Deno.args;
try {
  Deno.exit(await run(realWorld, command, args));
} catch (error) {
  await writeTerminationMessage(realWorld, describe(error));
  console.error(`argoexec: ${describe(error)}`);
  Deno.exit(EXIT.executorError);
}
