import type { NodeStatus } from "@tiphys/model/api";
import { isAttempt } from "@tiphys/model/status";
import type { Pass } from "../pass.ts";

/** The nodes after which the successors of a node hang in the graph, each once. */
export function outboundNodes(pass: Pass, node: NodeStatus): string[] {
  return outboundOf(pass, node, new Set());
}

/** Each node is looked at once, however many ways lead to it: there may be very many. */
function outboundOf(pass: Pass, node: NodeStatus, seen: Set<string>): string[] {
  if (seen.has(node.id)) return [];
  seen.add(node.id);
  const children = node.children ?? [];
  switch (node.type) {
    case "StepGroup":
    case "Skipped":
    case "Suspend":
    case "HTTP":
    case "Plugin":
      return [node.id];
    case "Pod":
      // Only the members of a container set hang below a pod; hooks do too, and are not on the way out.
      return containersBelow(pass, node).length ? outboundOfMembers(pass, node, seen) : [node.id];
    case "Container":
    case "TaskGroup":
      return children.length ? outboundOfMembers(pass, node, seen) : [node.id];
    case "Retry":
      return [lastOfRetry(pass, node)];
    case "Steps":
    case "DAG":
      // One that a cache answered, or that ended before its time, has no way through it.
      if (node.memoizationStatus?.hit || !node.outboundNodes?.length) return [node.id];
      break;
  }
  return (node.outboundNodes ?? []).flatMap((id) => {
    const next = pass.draft.nodes.get(id);
    return next ? outboundOf(pass, next, seen) : [];
  });
}

/** The last attempt or hook; the node itself where a cache, or a mistake, left it without an attempt. */
function lastOfRetry(pass: Pass, node: NodeStatus): string {
  const isOwn = (id: string) => {
    const child = pass.draft.nodes.get(id);
    return child !== undefined && (child.nodeFlag?.hooked || isAttempt(node, child));
  };
  return node.children?.findLast(isOwn) ?? node.id;
}

function containersBelow(pass: Pass, node: NodeStatus): NodeStatus[] {
  return (node.children ?? []).map((id) => pass.draft.nodes.get(id)).filter((child) =>
    child?.type === "Container"
  ) as NodeStatus[];
}

function outboundOfMembers(pass: Pass, node: NodeStatus, seen: Set<string>): string[] {
  return (node.children ?? []).flatMap((id) => {
    const child = pass.draft.nodes.get(id);
    if (!child) return [];
    if (node.type === "Container" && node.boundaryID !== child.boundaryID) return [node.id];
    return outboundOf(pass, child, seen);
  });
}
