/**
 * Nodes at rest: most of a large workflow, most of the time. To execute one again would leave everything as it is until
 * something changes about it, about what lies in it, or, for some, until there is room for another pod.
 */
import type { NodeStatus } from "../../lib/api/mod.ts";
import { isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";

/** What a node at rest waits for. */
export type Rest = "change" | "room";

/** The nodes at rest, by ID. */
export const restOf = (): Map<string, Rest> => new Map();

/** Whether executing a node now would leave everything as it is. */
export function isAtRest(pass: Pass, node: NodeStatus): boolean {
  if (isOver(node)) return true;
  const rest = pass.memory.part(restOf).get(node.id);
  if (rest === "change") return true;
  if (rest !== "room" || pass.hasRoom) return false;
  pass.roomless++;
  return true;
}

/**
 * Ends the rest of all nodes of which something changed, and of all that they lie in: a change in a step is a change in
 * its steps node, one in an attempt is one in its Retry node.
 */
export function wakeNodes(pass: Pass): ReadonlySet<string> | undefined {
  const { news } = pass.memory.attention;
  if (!news) {
    pass.memory.forgetParts();
    return undefined;
  }
  const rest = pass.memory.part(restOf);
  const awake = new Set<string>();
  const wake = (id: string | undefined): void => {
    if (!id || awake.has(id)) return;
    awake.add(id);
    rest.delete(id);
    const node = pass.nodes.get(id);
    if (node?.nodeFlag?.retried || node?.nodeFlag?.hooked) wake(pass.nodes.idOf(holderName(node.name)));
    const boundary = node?.boundaryID ? pass.nodes.get(node.boundaryID) : undefined;
    // A call of a loop lies in the group of its task.
    if (node && boundary?.type === "DAG") wake(pass.nodes.idOf(loopName(node.name, boundary.name)));
    wake(boundary?.id);
  };
  for (const id of news) wake(id);
  for (const id of pass.nodes.changed.keys()) wake(id);
  return awake;
}

/** The name of the node that an attempt or a hook belongs to. */
function holderName(name: string): string {
  return name.replace(/\(\d+\)$|\.onExit$|\.hooks\.[^.]+$/, "");
}

/** The name of the task whose loop made a node; the node's own when none did. */
function loopName(name: string, boundaryName: string): string {
  const place = name.slice(boundaryName.length).search(/\(\d+:/);
  return place < 0 ? name : name.slice(0, boundaryName.length + place);
}
