import type { NodeStatus } from "@tiphys/model/api";
import { isOver, memberNodeName } from "@tiphys/model/status";
import type { ReadyCall } from "./call.ts";
import { addNewNode } from "../nodes/new_node.ts";
import type { NodesDraft, Slice } from "../slice.ts";

/** Adds a node for each member of a container set, as a child of the members on which it depends. */
export function addContainerNodes(pass: Slice<NodesDraft>, call: ReadyCall, podNode: NodeStatus): void {
  const members = call.template.containerSet?.containers ?? [];
  const nameOf = (member: string) => memberNodeName(call.nodeName, member);
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
    const id = pass.draft.nodes.idOf(nameOf(name!));
    const parents = dependencies?.length
      ? dependencies.map((member) => pass.draft.nodes.idOf(nameOf(member)))
      : [podNode.id];
    for (const parent of parents) pass.draft.addChild(parent, id);
  }
}

/** Ends the members of a container set whose pod was deleted or lost. */
export function markContainersDeleted(pass: Slice<NodesDraft>, nodeId: string): void {
  // Each member once: in a dense set, many paths lead to the same member.
  const seen = new Set([nodeId]);
  for (const name of seen) {
    for (const id of pass.draft.nodes.get(name)?.children ?? []) {
      const child = pass.draft.nodes.get(id);
      if (child?.type !== "Container" || seen.has(id)) continue;
      if (!isOver(child)) pass.draft.markError(id, "container deleted");
      seen.add(id);
    }
  }
}
