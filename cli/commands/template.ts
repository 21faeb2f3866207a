/** `tiphys template`. */
import type { Command } from "commander";
import { WORKFLOW_TEMPLATES } from "../../lib/kube/mod.ts";
import { resourceCommand } from "../resource_command.ts";
import type { World } from "../world.ts";

/** Makes the command. */
export function templateCommand(world: World): Command {
  return resourceCommand(world, { name: "template", resource: WORKFLOW_TEMPLATES, kind: "WorkflowTemplate" });
}
