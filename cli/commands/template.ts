/** `tiphys template`. */
import type { Command } from "commander";
import { resourceCommand } from "../resource_command.ts";
import type { World } from "../world.ts";

/** Creates the command `template`. */
export function templateCommand(world: World): Command {
  return resourceCommand(world, { name: "template", store: ({ templates }) => templates, kind: "WorkflowTemplate" });
}
