/** The source of a script template, put where main's command finds it. */
import { PATH } from "../../lib/constants.ts";
import type { PodTemplate } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/** Writes the script of a template that has one. */
export function stageScript(world: World, { script }: PodTemplate): void {
  if (script?.source) world.files.write(at(world, PATH.scriptSource), script.source, 0o755);
}
