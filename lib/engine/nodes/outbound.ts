import type { NodeStatus } from "@tiphys/model/api";
import { isAttempt, NODE_ROLES } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";

/** The nodes to which the successors of a node are connected in the graph, without duplicates. */
export function outboundNodes(pass: Slice, node: NodeStatus): string[] {
  return outboundOf(pass, node, new Set());
}

/** Visits each node once, since the number of paths may be very large. */
function outboundOf(pass: Slice, node: NodeStatus, seen: Set<string>): string[] {
  if (seen.has(node.id)) return [];
  seen.add(node.id);
  const children = node.children ?? [];
  switch (NODE_ROLES[node.type]) {
    case "skipped":
    case "controller":
    case "agent":
      return [node.id];
    case "group":
      if (node.type === "StepGroup") return [node.id];
      return children.length ? outboundOfChildren(pass, node, seen) : [node.id];
    case "pod":
      // Children of a pod are the members of a container set, or hooks, which are not outbound nodes.
      return containerChildren(pass, node).length ? outboundOfChildren(pass, node, seen) : [node.id];
    case "member":
      return children.length ? outboundOfChildren(pass, node, seen) : [node.id];
    case "attempts":
      return [lastAttemptOrHook(pass, node)];
    case "calls":
      // A node with memoized outputs, or that ended early, has no path through it.
      if (node.memoizationStatus?.hit || !node.outboundNodes?.length) return [node.id];
      break;
  }
  return (node.outboundNodes ?? []).flatMap((id) => {
    const next = pass.draft.nodes.get(id);
    return next ? outboundOf(pass, next, seen) : [];
  });
}

/** The last attempt or hook; the node itself if it has no attempt because of memoization or an error. */
function lastAttemptOrHook(pass: Slice, node: NodeStatus): string {
  const isOwn = (id: string) => {
    const child = pass.draft.nodes.get(id);
    return child !== undefined && (child.nodeFlag?.hooked || isAttempt(node, child));
  };
  return node.children?.findLast(isOwn) ?? node.id;
}

function containerChildren(pass: Slice, node: NodeStatus): NodeStatus[] {
  return (node.children ?? []).map((id) => pass.draft.nodes.get(id)).filter((child) =>
    child?.type === "Container"
  ) as NodeStatus[];
}

function outboundOfChildren(pass: Slice, node: NodeStatus, seen: Set<string>): string[] {
  return (node.children ?? []).flatMap((id) => {
    const child = pass.draft.nodes.get(id);
    if (!child) return [];
    if (node.type === "Container" && node.boundaryID !== child.boundaryID) return [node.id];
    return outboundOf(pass, child, seen);
  });
}
