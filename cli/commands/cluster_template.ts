/** `tiphys cluster-template`. */
import type { Command } from "commander";
import { resourceCommand } from "../resource_command.ts";
import type { World } from "../world.ts";

/** Creates the command `cluster-template`. */
export function clusterTemplateCommand(world: World): Command {
  const kind = "ClusterWorkflowTemplate";
  return resourceCommand(world, { name: "cluster-template", store: ({ clusterTemplates }) => clusterTemplates, kind });
}
