/**
 * Formats and parses the IDs and names of nodes and pods. A node's name is a path: `wf[0].fan(1:b)(0).onExit`: group,
 * step, item of its loop, attempt, handler.
 */
import { fnv1a32, fnv1a64 } from "@tiphys/base/go/hash";
import { atoi } from "@tiphys/base/go/number";
import { byteLength, sliceBytes, toLower } from "@tiphys/base/go/text";

/** The format of pod names: `v1` is the node ID, `v2` includes the template's name. */
export type PodNameVersion = "v1" | "v2";

/** Maximum number of characters of a Kubernetes name. */
const MAX_NAME_LENGTH = 253;
/** The digits of a 32-bit hash, and the characters reserved for a generated suffix. */
const HASH_LENGTH = 10;

/**
 * The default ID of a node, which is also the name of its task result. The root's is the workflow's name. Another name
 * in the same workflow may have the same 32-bit hash: the node that is added second then gets a `widerNodeID`. So an ID
 * proves nothing about the name of its node.
 */
export function nodeID(workflowName: string, nodeName: string): string {
  return nodeName === workflowName ? workflowName : `${workflowName}-${fnv1a32(nodeName)}`;
}

/**
 * The ID of a node whose usual ID belongs to a node with another name. The first candidate, a 64-bit hash of the name,
 * is the ID that Argo 4.1.3 and later use. The others are for names that were chosen to share it: the first that is not
 * taken counts.
 */
export function widerNodeID(workflowName: string, nodeName: string, isTaken: (id: string) => boolean): string {
  for (let salt = 0;; salt++) {
    const id = `${workflowName}-${fnv1a64(salt === 0 ? nodeName : `${salt}~${nodeName}`)}`;
    if (!isTaken(id)) return id;
  }
}

/** The IDs of nodes that are added to a workflow in this order, by name: all are different. */
export function nodeIDs(workflowName: string, nodeNames: Iterable<string>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of nodeNames) {
    if (ids.has(name)) continue;
    const usual = nodeID(workflowName, name);
    const id = taken.has(usual) ? widerNodeID(workflowName, name, (wider) => taken.has(wider)) : usual;
    ids.set(name, id);
    taken.add(id);
  }
  return ids;
}

/** The facts that determine the name of a pod. */
export interface PodNaming {
  workflowName: string;
  nodeName: string;
  /** The ID of the node. Defaults to the usual one. */
  nodeId?: string;
  templateName: string;
  version: PodNameVersion;
}

/**
 * The name of the pod of a node, the same for every controller. It ends in the hash in the ID of the node, so that two
 * nodes have two pods. A template may have capital letters in its name, a pod may not.
 */
export function podName(naming: PodNaming): string {
  return argoPodName(naming).toLowerCase();
}

/** The name that Argo gives the pod of a node. It is not a valid name if the template's name has capital letters. */
export function argoPodName(naming: PodNaming): string {
  const { workflowName, nodeName, templateName, version, nodeId = nodeID(workflowName, nodeName) } = naming;
  if (version === "v1") return nodeId;
  if (nodeName === workflowName) return workflowName;
  const prefix = templateName === "" ? workflowName : `${workflowName}-${templateName}`;
  const hash = hashInId(workflowName, nodeId) ?? String(fnv1a32(nodeName));
  return `${truncatePrefix(prefix, Math.max(hash.length, HASH_LENGTH))}-${hash}`;
}

/** Returns the hash in the ID of a node; undefined if the ID has another form. */
function hashInId(workflowName: string, nodeId: string): string | undefined {
  if (!nodeId.startsWith(`${workflowName}-`)) return undefined;
  const hash = nodeId.slice(workflowName.length + 1);
  return /^\d{1,20}$/.test(hash) ? hash : undefined;
}

/**
 * Truncates a prefix so that a hyphen and a suffix fit into a Kubernetes name. Each byte of a split character becomes
 * U+FFFD.
 */
function truncatePrefix(prefix: string, suffixLength = HASH_LENGTH): string {
  return sliceBytes(prefix, 0, Math.min(MAX_NAME_LENGTH - 1 - suffixLength, byteLength(prefix))).toWellFormed();
}

/**
 * Returns the version of a workflow's pod names. An annotation fixes it for the life of the workflow; a value other
 * than `v1` means `v2`. Without it, the controller's setting applies.
 */
export function podNameVersion(annotation: string | undefined, setting: PodNameVersion = "v2"): PodNameVersion {
  if (annotation === undefined) return setting;
  return annotation === "v1" ? "v1" : "v2";
}

/** Returns the name of a step, task or container of a set, within the node that contains it: `wf.build`. */
export function memberNodeName(holderName: string, member: string): string {
  return `${holderName}.${member}`;
}

/** Returns the name of a group of steps, by its index: `wf[0]`. */
export function groupNodeName(stepsName: string, index: number): string {
  return `${stepsName}[${index}]`;
}

/**
 * The name of one child of a loop, `step(3:banana)`. Parentheses in the description are dropped, because the index is
 * read back from the name: `loopIndex` finds it where the step's own name has neither a colon nor a parenthesis.
 */
export function loopNodeName(name: string, index: number, description: string): string {
  return `${name}(${index}:${description.replaceAll(/[()]/g, "")})`;
}

/** Returns the name of an item's loop, by the item's name. Any other name is returned unchanged. */
export function loopNameOf(name: string): string {
  const end = name.indexOf("(");
  return end < 0 ? name : name.slice(0, end);
}

/** Returns the index in the name of a loop's child, or -1 if the name has no index. */
export function loopIndex(nodeName: string): number {
  const from = nodeName.indexOf("(");
  const to = nodeName.indexOf(":");
  if (from < 0 || to < from) return -1;
  return Number(atoi(nodeName.slice(from + 1, to)) ?? -1n);
}

/** Returns the name of the task or step whose loop made a node of a boundary; the node's own name otherwise. */
export function loopHolderName(nodeName: string, boundaryName: string): string {
  const place = nodeName.slice(boundaryName.length).search(/\(\d+:/);
  return place < 0 ? nodeName : nodeName.slice(0, boundaryName.length + place);
}

/** Returns the name of one attempt of a Retry node: `wf.build(2)`, counted from 0. */
export function attemptNodeName(retryName: string, attempt: number): string {
  return `${retryName}(${attempt})`;
}

const ATTEMPT = /\((\d+)\)$/;

/** Returns the attempt number in a name, counted from 0; undefined if it is not the name of an attempt. */
export function attemptIndex(nodeName: string): number | undefined {
  const digits = ATTEMPT.exec(nodeName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the name of an attempt's Retry node. Any other name is returned unchanged. */
export function withoutAttempt(nodeName: string): string {
  return nodeName.replace(ATTEMPT, "");
}

/** Returns the step or task of a node: its name without loop indexes, attempts, group indexes and parents. */
export function taskName(nodeName: string): string {
  const name = withoutGroups(nodeName);
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Removes trailing `(…)` and `[…]`. A name of only groups, or with an unopened one, is returned unchanged. */
function withoutGroups(nodeName: string): string {
  let end = nodeName.length;
  while (end > 0) {
    const opener = nodeName[end - 1] === ")" ? "(" : nodeName[end - 1] === "]" ? "[" : undefined;
    if (opener === undefined) return nodeName.slice(0, end);
    const start = nodeName.lastIndexOf(opener, end - 2);
    if (start < 0) return nodeName;
    end = start;
  }
  return nodeName;
}

/** Returns the name of the node that runs a lifecycle hook of `parentNodeName`. */
export function hookNodeName(parentNodeName: string, hook: string): string {
  return `${parentNodeName}.hooks.${hook}`;
}

const EXIT_HANDLER = ".onExit";

/** Returns the name of the node that runs the exit handler of `parentNodeName`. */
export function onExitNodeName(parentNodeName: string): string {
  return `${parentNodeName}${EXIT_HANDLER}`;
}

/** Whether a node, by its name or display name, is an exit handler. */
export function isExitHandler(name: string): boolean {
  return name.endsWith(EXIT_HANDLER);
}

/**
 * Returns the name of the node that an attempt, hook or exit handler belongs to. Any other name is returned unchanged.
 */
export function withoutAttemptOrHook(nodeName: string): string {
  const retry = nodeName.replace(/\(\d+\)$/, "");
  return retry !== nodeName ? retry : nodeName.replace(/\.onExit$|\.hooks\.[^.]+$/, "");
}

/**
 * Returns the name of a cron workflow's child for an instant. Firing twice results in the same name, so only one is
 * created.
 */
export function cronChildName(cronWorkflowName: string, scheduledTime: Date): string {
  return `${cronWorkflowName}-${Math.floor(scheduledTime.getTime() / 1000)}`;
}

/** Returns the name prefix of workflows of a backfill, truncated so that a generated suffix fits. */
export function backfillPrefix(cronWorkflowName: string, operation: string): string {
  return truncatePrefix(`${cronWorkflowName}-backfill-${toLower(operation)}`);
}

/** Returns the display name of a node: without the name of its boundary. */
export function displayNodeName(nodeName: string, boundaryName: string | undefined): string {
  if (boundaryName === undefined || !nodeName.startsWith(boundaryName)) return nodeName;
  return nodeName.slice(boundaryName.length).replace(/^(\[\d+\])?\./, "");
}

/** Returns the step or task in a node's display name: `fan` for `fan(1:b)`. */
export function callerOfDisplayName(displayName: string | undefined): string {
  const [name = ""] = (displayName ?? "").split("(", 1);
  return name;
}

/**
 * Returns the path of a node in its workflow: its name without the workflow's, `[0].print(1:b)`; for the root, its
 * name.
 */
export function nodePath(nodeName: string, workflowName: string): string {
  if (!nodeName.startsWith(workflowName)) return nodeName;
  return nodeName.slice(workflowName.length).replace(/^\./, "") || nodeName;
}
