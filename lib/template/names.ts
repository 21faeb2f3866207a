/** Names the engine derives: node ids, pod names, the names of loop children, hooks and cron children. */
import { fnv1a32 } from "../go/hash.ts";
import { atoi } from "../go/number.ts";
import { byteLength, sliceBytes, toLower } from "../go/text.ts";
import { TemplateError } from "./error.ts";

/** How pods are named: `v1` is the node id, `v2` has the template's name in it. */
export type PodNameVersion = "v1" | "v2";

/** 253 characters of a Kubernetes name, less ten for a hash or a generated suffix and the hyphen before it. */
const MAX_PREFIX = 242;

/** The id of a node, which is also the name of its task result. The root's is the workflow's name. */
export function nodeID(workflowName: string, nodeName: string): string {
  return nodeName === workflowName ? workflowName : `${workflowName}-${fnv1a32(nodeName)}`;
}

/** What decides the name of a pod. */
export interface PodNaming {
  workflowName: string;
  nodeName: string;
  templateName: string;
  version: PodNameVersion;
}

/** The name of the pod of a node: the same for every controller that ever looks at it. */
export function podName(naming: PodNaming): string {
  const { workflowName, nodeName, templateName, version } = naming;
  if (version === "v1") return nodeID(workflowName, nodeName);
  if (nodeName === workflowName) return workflowName;
  const prefix = templateName === "" ? workflowName : `${workflowName}-${templateName}`;
  return `${withRoom(prefix)}-${fnv1a32(nodeName)}`;
}

/** A prefix cut so that a Kubernetes name has room behind it; of a character cut in two each byte becomes U+FFFD. */
function withRoom(prefix: string): string {
  return sliceBytes(prefix, 0, Math.min(MAX_PREFIX, byteLength(prefix))).toWellFormed();
}

/**
 * The version a workflow's pods are named by. An annotation freezes it for the life of the workflow, and one that says
 * neither `v1` nor `v2` means `v2`; without any, the controller's setting decides.
 */
export function podNameVersion(annotation: string | undefined, setting: PodNameVersion = "v2"): PodNameVersion {
  if (annotation === undefined) return setting;
  return annotation === "v1" ? "v1" : "v2";
}

/**
 * The name of one child of a loop, `step(3:banana)`. Parentheses in the description are dropped, because the index is
 * read back from the name; for the same reason a `name` with a colon or a parenthesis throws.
 */
export function loopNodeName(name: string, index: number, description: string): string {
  const nodeName = `${name}(${index}:${description.replaceAll(/[()]/g, "")})`;
  if (loopIndex(nodeName) === index) return nodeName;
  throw new TemplateError(`Expected a step or task name without a colon or parenthesis, got "${name}"`);
}

/** The index in the name of a loop's child, or -1 when the name holds none. */
export function loopIndex(nodeName: string): number {
  const from = nodeName.indexOf("(");
  const to = nodeName.indexOf(":");
  if (from < 0 || to < from) return -1;
  return Number(atoi(nodeName.slice(from + 1, to)) ?? -1n);
}

/** The step or task a node belongs to: its name without loop indexes, attempts, group indexes and parents. */
export function taskName(nodeName: string): string {
  const name = withoutGroups(nodeName);
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Cuts trailing `(…)` and `[…]`; a name that is nothing but groups, or has one that never opens, stays as it is. */
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

/** The node that runs a lifecycle hook of `parentNodeName`. */
export function hookNodeName(parentNodeName: string, hook: string): string {
  return `${parentNodeName}.hooks.${hook}`;
}

/** The node that runs the exit handler of `parentNodeName`. */
export function onExitNodeName(parentNodeName: string): string {
  return `${parentNodeName}.onExit`;
}

/** The workflow a cron workflow starts for an instant. Firing twice makes the same name, so only one is created. */
export function cronChildName(cronWorkflowName: string, scheduledTime: Date): string {
  return `${cronWorkflowName}-${Math.floor(scheduledTime.getTime() / 1000)}`;
}

/** The name prefix of workflows made by a backfill, cut so that a generated suffix still fits. */
export function backfillPrefix(cronWorkflowName: string, operation: string): string {
  return withRoom(`${cronWorkflowName}-backfill-${toLower(operation)}`);
}

/** A node's name as people see it: without the name of the node it runs in. */
export function displayNodeName(nodeName: string, boundaryName: string | undefined): string {
  if (boundaryName === undefined || !nodeName.startsWith(boundaryName)) return nodeName;
  return nodeName.slice(boundaryName.length).replace(/^(\[\d+\])?\./, "");
}
