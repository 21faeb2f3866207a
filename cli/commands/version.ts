/** `tiphys version`. */
import { Command } from "commander";
import { VERSION } from "../../lib/version.ts";
import type { World } from "../world.ts";

/** Makes the command. */
export function versionCommand(world: World): Command {
  return new Command("version").option("--short", "the version alone").action((flags: { short?: boolean }) => {
    const more = [`  Deno: ${Deno.version.deno}`, `  Platform: ${Deno.build.os}/${Deno.build.arch}`];
    world.out([`tiphys: v${VERSION}`, ...(flags.short ? [] : more)].join("\n") + "\n");
  });
}
