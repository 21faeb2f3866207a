/** The status of a workflow without what must differ from run to run. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { nodeID } from "@tiphys/model/status";

/**
 * The fields that differ from run to run: times, durations, the pod's machine and address, the store's address. The digest
 * and size of an artifact are of what was saved: an archive has the times of its files in it.
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

/** The lists in the order of time: a task of a DAG is put below its dependencies when it starts. */
const IN_ORDER_OF_TIME = new Set(["children", "outboundNodes"]);

/**
 * The status as a value that two runs of the same workflow have in common: without times, and without the addresses of
 * the suite's servers, which are others in each place. The workflow's own name becomes `{workflow}`, and
 * the hash in the id of a node and in the name of its pod, which comes of that name, becomes the node's name. An id that
 * is not made of the node's name stays as it is, and so is found.
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
  return renamed(withoutMoments(workflow.status ?? {}), rename);
}

/** The status without the condition PodRunning: whether a pod was ever seen running is a matter of moments. */
function withoutMoments({ conditions, ...status }: NonNullable<Workflow["status"]>): unknown {
  return conditions ? { ...status, conditions: conditions.filter(({ type }) => type !== "PodRunning") } : status;
}

function renamed(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === "string") return rename(value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([field]) => !OF_THE_RUN.has(field));
  return Object.fromEntries(kept.map(([field, below]) => {
    const comparable = renamed(below, rename);
    return [rename(field), IN_ORDER_OF_TIME.has(field) ? (comparable as string[]).toSorted() : comparable];
  }));
}
