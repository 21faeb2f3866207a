/** The source of a script template, written to the file that main's command runs. */
import { PATH } from "@tiphys/base/constants";
import type { PodTemplate } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/** Writes the source of a script template; does nothing for other templates. */
export function stageScript(world: World, { script }: PodTemplate): void {
  if (script?.source) world.files.write(at(world, PATH.scriptSource), script.source, 0o755);
}
