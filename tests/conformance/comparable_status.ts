/** The status of a workflow without the values that differ from run to run. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { nodeID } from "@tiphys/model/status";

/**
 * The fields that differ from run to run: times, durations, the pod's machine and address, the store's address. The
 * digest and size of an artifact depend on an archive that contains the times of its files.
 */
const OF_THE_RUN = new Set([
  "startedAt",
  "finishedAt",
  "estimatedDuration",
  "resourcesDuration",
  "hostNodeName",
  "podIP",
  "daemonedAt",
  "endpoint",
  "digest",
  "size",
]);

/** Lists in order of time: a task of a DAG is added below its dependencies when it starts. */
const IN_ORDER_OF_TIME = new Set(["children", "outboundNodes"]);

/**
 * The status as a value that is equal for two runs of the same workflow: without times, and without the addresses of
 * the suite's servers, which differ in each place. The workflow's name becomes `{workflow}`. The hash in a node's ID
 * and in its pod's name, which depends on that name, becomes the node's name. An ID that is not derived from the node's
 * name stays unchanged, and so is found as a difference.
 */
export function comparableStatus(workflow: Workflow): unknown {
  const { name = "", uid = "" } = workflow.metadata;
  const hashes = new Map<string, string>();
  for (const { id, name: nodeName } of Object.values(workflow.status?.nodes ?? {}) as NodeStatus[]) {
    if (id !== name && id === nodeID(name, nodeName)) hashes.set(id.slice(name.length + 1), nodeName);
  }
  const rename = (text: string) =>
    text
      .replaceAll(/\d{5,10}/g, (digits) => hashes.has(digits) ? `{${hashes.get(digits)}}` : digits)
      .replaceAll(name, "{workflow}")
      .replaceAll(uid, "{uid}")
      .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}\b/g, "{address}")
      .replaceAll(/\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [A-Z]{3,4} \d{4}\b/g, "{time}")
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?Z| \+0000 UTC)?/g, "{time}");
  return renameAll(withoutPodRunning(workflow.status ?? {}), rename);
}

/** The status without the condition PodRunning: whether a pod was ever seen running depends on timing. */
function withoutPodRunning({ conditions, ...status }: NonNullable<Workflow["status"]>): unknown {
  return conditions ? { ...status, conditions: conditions.filter(({ type }) => type !== "PodRunning") } : status;
}

function renameAll(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === "string") return rename(value);
  if (Array.isArray(value)) return value.map((item) => renameAll(item, rename));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([field]) => !OF_THE_RUN.has(field));
  return Object.fromEntries(kept.map(([field, below]) => {
    const comparable = renameAll(below, rename);
    return [rename(field), IN_ORDER_OF_TIME.has(field) ? (comparable as string[]).toSorted() : comparable];
  }));
}
