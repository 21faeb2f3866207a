/**
 * Facts about a node that are not fields of its status: who resumed it, the hosts of failed attempts, its containers.
 * Pure.
 */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { attemptsOf, isFailure } from "@tiphys/model/status";
import { workContainers } from "@tiphys/model/templates/work_containers";

/** The fields of a container or script that are shown. */
export interface ShownContainer
  extends Pick<NonNullable<Template["container"]>, "image" | "command" | "args" | "env" | "envFrom" | "resources"> {
  readonly name?: string | undefined;
  readonly source?: string | undefined;
}

/** Returns the containers of a template in start order, or the single one of a node that is a container of a set. */
export function containersOf(
  template: Template,
  node?: Pick<NodeStatus, "type"> & { readonly displayName?: string | undefined },
): ShownContainer[] {
  const { containerSet, initContainers = [], sidecars = [] } = template;
  if (node?.type === "Container") {
    return containerSet?.containers?.filter(({ name }) => name === node.displayName) ?? [];
  }
  const own = workContainers(template).map(({ container }) =>
    containerSet ? container : { ...container, name: "main" }
  );
  return [...initContainers, ...own, ...sidecars];
}

// deno-lint-ignore tiphys/words-in-one-place -- the words of the server, which are parsed and not shown
const RESUMED = "Resumed by: map[";
/** The claims of a person in the message, in order. */
const CLAIMS = ["Email", "PreferredUsername", "User"] as const;

/** Returns the person who resumed a suspended node according to its message, by the most readable claim. */
export function resumerOf({ type, message = "" }: Pick<NodeStatus, "type" | "message">): string | undefined {
  const index = message.lastIndexOf(RESUMED);
  if (type !== "Suspend" || index < 0 || !message.endsWith("]")) return undefined;
  const claims = message.slice(index + RESUMED.length, -1);
  const named = new Map<string, string>();
  let end = claims.length;
  for (const claim of CLAIMS.toReversed()) {
    const from = claims.startsWith(`${claim}:`) ? 0 : claims.lastIndexOf(` ${claim}:`, end) + 1;
    if (from === 0 && !claims.startsWith(`${claim}:`)) continue;
    named.set(claim, claims.slice(from + claim.length + 1, end));
    end = Math.max(0, from - 1);
  }
  return named.get("PreferredUsername") ?? named.get("Email") ?? named.get("User") ?? claims;
}

/** The maximum number of nodes that are searched for hosts. */
const MAX_LOOKED_AT = 10_000;

/** Returns the hosts on which pods of the attempts failed, without duplicates. */
export function failedHosts(
  attempts: readonly NodeStatus[],
  nodes: ReadonlyMap<string, NodeStatus>,
): readonly string[] {
  const hosts = new Set<string>();
  const seen = new Set(attempts);
  for (const node of seen) { // Grows during the iteration.
    if (node.type === "Pod" && isFailure(node.phase) && node.hostNodeName) hosts.add(node.hostNodeName);
    for (const id of seen.size > MAX_LOOKED_AT ? [] : node.children ?? []) {
      const child = nodes.get(id);
      // Successors of an attempt are not part of it.
      if (child?.name.startsWith(node.name)) seen.add(child);
    }
  }
  return [...hosts];
}

/** Returns the pod of a node: itself, that of its last attempt, or the pod of its container set. */
export function podOf(node: NodeStatus, nodes: ReadonlyMap<string, NodeStatus>): NodeStatus | undefined {
  if (node.type === "Container") return podOfContainer(node, nodes);
  const worker = node.type === "Retry" ? attemptsOf(node, nodes).at(-1) : node;
  return worker?.type === "Pod" ? worker : undefined;
}

function podOfContainer({ boundaryID, name }: NodeStatus, nodes: ReadonlyMap<string, NodeStatus>) {
  const holder = boundaryID === undefined ? undefined : nodes.get(boundaryID);
  if (holder?.type === "Pod") return holder;
  const path = name.slice(0, name.lastIndexOf("."));
  return [...nodes.values()].find((node) => node.type === "Pod" && node.name === path);
}

/** Returns the container with the log of a node. */
export function mainOf({ type, displayName }: NodeStatus): string {
  return type === "Container" && displayName ? displayName : "main";
}

/** The fields of a Kubernetes event that identify its subject. */
interface EventSubject {
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
}

/** Reports whether an event is about a node: about its pod, or emitted by the controller for the node. */
export function isAboutNode(event: EventSubject, node: Pick<NodeStatus, "name">, podName: string): boolean {
  const { message, involvedObject: { kind, name } } = event;
  if (kind !== "Workflow") return name === podName;
  const index = message.indexOf(` node ${node.name}`);
  if (index < 0) return false;
  const behind = message[index + ` node ${node.name}`.length];
  return behind === undefined || behind === ":";
}
