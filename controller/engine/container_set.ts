import type { NodeStatus } from "../../lib/api/mod.ts";
import type { ReadyCall } from "./call.ts";
import { addNewNode } from "./new_node.ts";
import { isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";

/** Adds a node for each member of a container set, hung below the members it depends on. */
export function addContainerNodes(pass: Pass, call: ReadyCall, podNode: NodeStatus): void {
  const members = call.template.containerSet?.containers ?? [];
  const nameOf = (member: string) => `${call.nodeName}.${member}`;
  for (const { name } of members) {
    addNewNode(pass, {
      name: nameOf(name!),
      type: "Container",
      phase: "Pending",
      holder: call.holder,
      scope: call.scope,
      boundaryId: podNode.id,
      flag: call.flag,
    });
  }
  for (const { name, dependencies } of members) {
    const id = pass.nodes.idOf(nameOf(name!));
    const parents = dependencies?.length ? dependencies.map((member) => pass.nodes.idOf(nameOf(member))) : [podNode.id];
    for (const parent of parents) pass.nodes.addChild(parent, id);
  }
}

/** The members of a container set whose pod is gone, or lost, end with it. */
export function markContainersDeleted(pass: Pass, nodeId: string): void {
  for (const id of pass.nodes.get(nodeId)?.children ?? []) {
    const child = pass.nodes.get(id);
    if (child?.type !== "Container") continue;
    if (!isOver(child)) pass.markError(id, "container deleted");
    markContainersDeleted(pass, id);
  }
}
