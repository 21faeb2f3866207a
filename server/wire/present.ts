/** Objects as Argo's clients expect them: times that are not set are null, and a workflow has arguments. */
import type { NodeStatus, Workflow } from "../../lib/api/mod.ts";
import type { KubeObject } from "../../lib/kube/mod.ts";
import { waitsOnly } from "../../lib/status/mod.ts";
import type { FieldMask } from "./field_mask.ts";

/** A workflow of a list, or alone. */
export function presentWorkflow(workflow: Workflow): Workflow {
  const { spec, status, metadata } = workflow;
  return {
    ...workflow,
    metadata: { ...metadata, creationTimestamp: metadata.creationTimestamp ?? null },
    spec: { ...spec, arguments: spec.arguments ?? {} },
    status: presentStatus(status),
  } as Workflow;
}

/** Workflows that wait only, and others: the same ones are told to many. */
const waits = new WeakMap<Workflow, boolean>();

/** A workflow with the field `waitsOnly` of its status, for who asks for it: a list of runs has no nodes. */
export function presentWithWait(workflow: Workflow): Workflow {
  const isWaiting = waits.get(workflow) ?? waitsOnly(workflow);
  waits.set(workflow, isWaiting);
  const shown = presentWorkflow(workflow);
  return isWaiting ? { ...shown, status: { ...shown.status, waitsOnly: true } as Workflow["status"] } : shown;
}

function presentStatus(status: Workflow["status"]) {
  return {
    ...status,
    startedAt: status?.startedAt ?? null,
    finishedAt: status?.finishedAt ?? null,
    ...(status?.nodes && { nodes: presentNodes(status.nodes) }),
  };
}

function presentNodes(nodes: Readonly<Record<string, NodeStatus>>) {
  const presented: Record<string, unknown> = {};
  for (const [id, node] of Object.entries(nodes)) {
    presented[id] = node.startedAt && node.finishedAt
      ? node
      : { ...node, startedAt: node.startedAt ?? null, finishedAt: node.finishedAt ?? null };
  }
  return presented;
}

/** A cron workflow: `suspend` is there where it is true. */
export function presentCronWorkflow(object: KubeObject): KubeObject {
  const { spec } = object as KubeObject & { readonly spec?: Readonly<Record<string, unknown>> };
  if (spec?.suspend !== false) return object;
  const { suspend: _, ...rest } = spec;
  return { ...object, spec: rest } as KubeObject;
}

/** A list: its items are null where there are none. */
export function presentList<T>(items: readonly T[], metadata: Readonly<Record<string, unknown>>) {
  return { metadata, items: items.length === 0 ? null : items };
}

/** The wanted fields of a list: clients look into its items and its metadata without asking whether it has any. */
export function maskedList(mask: FieldMask, list: ReturnType<typeof presentList>) {
  return { metadata: {}, items: null, ...mask.apply(list) as Partial<typeof list> };
}
