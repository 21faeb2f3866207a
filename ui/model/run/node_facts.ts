/** Facts of a node that its status does not say in a field of its own: who resumed it, where its attempts failed, its containers. Pure. */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { attemptsOf, isFailure } from "@tiphys/model/status";

/** The fields of a container, or a script, that are shown. */
export interface ShownContainer
  extends Pick<NonNullable<Template["container"]>, "image" | "command" | "args" | "env" | "envFrom" | "resources"> {
  readonly name?: string | undefined;
  readonly source?: string | undefined;
}

/** The containers of a template, in the order in which they begin; that of a node alone where it is one of a set. */
export function containersOf(
  template: Template,
  node?: Pick<NodeStatus, "type"> & { readonly displayName?: string | undefined },
): ShownContainer[] {
  const { container, script, containerSet, initContainers = [], sidecars = [] } = template;
  const set = containerSet?.containers ?? [];
  if (node?.type === "Container") return set.filter(({ name }) => name === node.displayName);
  return [
    ...initContainers,
    ...(container ? [{ ...container, name: "main" }] : []),
    ...(script ? [{ ...script, name: "main" }] : []),
    ...set,
    ...sidecars,
  ];
}

// deno-lint-ignore tiphys/words-in-one-place -- the words of the server, which are read and not told
const RESUMED = "Resumed by: map[";
/** The claims of a person, in the order of their names. */
const CLAIMS = ["Email", "PreferredUsername", "User"] as const;

/** The person who let a suspended node go on, as its message names them: the name that says most. */
export function resumedByOf({ type, message = "" }: Pick<NodeStatus, "type" | "message">): string | undefined {
  const at = message.lastIndexOf(RESUMED);
  if (type !== "Suspend" || at < 0 || !message.endsWith("]")) return undefined;
  const claims = message.slice(at + RESUMED.length, -1);
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

/** The most nodes that are looked through for hosts. */
const MOST_LOOKED_AT = 10_000;

/** The machines on which pods of some attempts failed, each once. */
export function failedHosts(
  attempts: readonly NodeStatus[],
  nodes: ReadonlyMap<string, NodeStatus>,
): readonly string[] {
  const hosts = new Set<string>();
  const seen = new Set(attempts);
  for (const node of seen) { // grows while it is walked
    if (node.type === "Pod" && isFailure(node.phase) && node.hostNodeName) hosts.add(node.hostNodeName);
    for (const id of seen.size > MOST_LOOKED_AT ? [] : node.children ?? []) {
      const child = nodes.get(id);
      // What comes after an attempt is no part of it.
      if (child?.name.startsWith(node.name)) seen.add(child);
    }
  }
  return [...hosts];
}

/** The pod that did the work of a node: its own, that of its last attempt, or the one that its container is part of. */
export function podOf(node: NodeStatus, nodes: ReadonlyMap<string, NodeStatus>): NodeStatus | undefined {
  if (node.type === "Container") return podOfContainer(node, nodes);
  const worker = node.type === "Retry" ? attemptsOf(node, nodes).at(-1) : node;
  return worker?.type === "Pod" ? worker : undefined;
}

function podOfContainer({ boundaryID, name }: NodeStatus, nodes: ReadonlyMap<string, NodeStatus>) {
  const holder = boundaryID === undefined ? undefined : nodes.get(boundaryID);
  if (holder?.type === "Pod") return holder;
  const path = name.slice(0, name.lastIndexOf("."));
  return [...nodes.values()].find((one) => one.type === "Pod" && one.name === path);
}

/** The container whose log is that of a node. */
export function mainOf({ type, displayName }: NodeStatus): string {
  return type === "Container" && displayName ? displayName : "main";
}

/** An event of Kubernetes, as far as it says what it is about. */
interface ToldEvent {
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
}

/** Whether an event is about a node: about its pod, or told by the controller of the node. */
export function isAboutNode(event: ToldEvent, node: Pick<NodeStatus, "name">, podName: string): boolean {
  const { message, involvedObject: { kind, name } } = event;
  if (kind !== "Workflow") return name === podName;
  const at = message.indexOf(` node ${node.name}`);
  if (at < 0) return false;
  const behind = message[at + ` node ${node.name}`.length];
  return behind === undefined || behind === ":";
}
