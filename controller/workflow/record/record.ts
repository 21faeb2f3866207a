/** Writing what was decided: one merge patch of what changed, on the very version that was read. */
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import type { Change, NodesAfter } from "@tiphys/engine";
import type { StoredNodes } from "./stored_nodes.ts";
import { createMergePatch, isServerSideApplied, type KubeClient, NO_FIELD_OWNERS, WORKFLOWS } from "@tiphys/kube";

type Changed = NodesAfter["changed"];

/** The patch that makes the change of a workflow; undefined when nothing changed. */
export function workflowPatch(before: Workflow, head: Workflow, changed: Changed): Record<string, unknown> | undefined {
  if (before === head && changed.size === 0) return undefined;
  const metadata = {
    ...fieldPatch(before.metadata, head.metadata, "labels"),
    ...fieldPatch(before.metadata, head.metadata, "annotations"),
    ...fieldPatch(before.metadata, head.metadata, "finalizers"),
  };
  const spec = fieldPatch(before, head, "spec");
  const status = statusPatch(before.status, head.status, changed);
  if (Object.keys(metadata).length === 0 && Object.keys(spec).length === 0 && status === undefined) return undefined;
  return {
    metadata: { ...metadata, resourceVersion: before.metadata.resourceVersion },
    ...spec,
    ...(status === undefined ? {} : { status }),
  };
}

/** Unchanged parts are shared between the two states, so only what was touched is compared. */
function statusPatch(
  before: Workflow["status"],
  after: Workflow["status"],
  changed: Changed,
): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  if (before !== after && after) {
    const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]) as Set<keyof typeof after>;
    fields.delete("nodes");
    for (const field of fields) Object.assign(patch, fieldPatch(before ?? {}, after, field));
  }
  const nodes = nodesPatch(before?.nodes ?? {}, changed);
  if (nodes) patch.nodes = nodes;
  return Object.keys(patch).length ? patch : undefined;
}

type Nodes = NonNullable<NonNullable<Workflow["status"]>["nodes"]>;

function nodesPatch(before: Nodes, changed: Changed): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const [id, node] of changed) {
    if (before[id] === node) continue;
    const change = before[id] ? createMergePatch(before[id], node) : node;
    if (change !== undefined) patch[id] = change;
  }
  return Object.keys(patch).length ? patch : undefined;
}

function fieldPatch<T extends object>(before: T, after: T, field: keyof T & string): Record<string, unknown> {
  if (before[field] === after[field]) return {};
  if (after[field] === undefined) return { [field]: null };
  const change = before[field] === undefined ? after[field] : createMergePatch(before[field], after[field]);
  return change === undefined ? {} : { [field]: change };
}

/** The epoch in which is written; `isNeeded`: it is to be written although nothing else changed. */
export interface Stamp {
  readonly epoch?: number | undefined;
  readonly isNeeded: boolean;
}

/** The workflow with the epoch in which it is written. */
function stamped(workflow: Workflow, epoch: number | undefined): Workflow {
  const { metadata } = workflow;
  if (epoch === undefined || metadata.annotations?.[ANNOTATION.epoch] === String(epoch)) return workflow;
  const annotations = { ...metadata.annotations, [ANNOTATION.epoch]: String(epoch) };
  return { ...workflow, metadata: { ...metadata, annotations } };
}

/** A change as it is written: a merge patch, and what the workflow is after it but for the server's resourceVersion. */
export interface Packed {
  readonly patch: Record<string, unknown>;
  readonly after: Change;
}

/**
 * Packs the change of a decision in the form in which it is stored; undefined when there is nothing to write.
 * @throws {StatusTooLargeError} when the nodes fit in no form.
 */
export async function pack(
  before: Workflow,
  { head, nodes }: Change,
  stored: StoredNodes,
  stamp: Stamp = { isNeeded: false },
): Promise<Packed | undefined> {
  // With nothing to change, the version alone proves that what was decided on is the newest state.
  const proof = stamp.isNeeded ? { metadata: { resourceVersion: before.metadata.resourceVersion } } : undefined;
  const change = workflowPatch(before, head, nodes.changed) ?? proof;
  if (!change) return undefined;
  const after = { head: stamped(head, stamp.epoch), nodes };
  const patch = after.head === head ? change : withAnnotation(change, ANNOTATION.epoch, String(stamp.epoch));
  return { patch: withoutFieldOwners(head, await stored.pack(patch, after)), after };
}

/** The part of the server's answer to a write that we go on with. */
export type Receipt = Pick<Workflow["metadata"], "resourceVersion" | "generation">;

/**
 * Sends a patch.
 * @throws {KubeError}, a conflict when somebody wrote in between: read again and decide anew.
 */
export async function send(client: KubeClient, { metadata }: Workflow, patch: unknown): Promise<Receipt> {
  const { namespace, name } = metadata;
  const written = await client.patch(WORKFLOWS, namespace, name!, patch, "merge", { answer: "metadata" });
  const { resourceVersion, generation } = written.metadata;
  return { resourceVersion, ...(generation ? { generation } : {}) };
}

/** The workflow that was written: from now on this is what is known of it. */
export function written({ head, nodes }: Change, receipt: Receipt): Workflow {
  const metadata = { ...head.metadata, ...receipt };
  if (nodes.changed.size === 0) return { ...head, metadata };
  return { ...head, metadata, status: { ...head.status, nodes: nodes.keep() } };
}

/**
 * Writes the change and returns the workflow as it now is, with the server's resourceVersion; the same object when
 * there was nothing to write.
 * @throws {StatusTooLargeError} when the nodes fit in no form.
 * @throws {KubeError} a conflict when somebody wrote in between: read again and decide anew.
 */
export async function record(
  client: KubeClient,
  before: Workflow,
  change: Change,
  stored: StoredNodes,
  stamp: Stamp = { isNeeded: false },
): Promise<Workflow> {
  const packed = await pack(before, change, stored, stamp);
  if (!packed) return before;
  return written(packed.after, await send(client, before, packed.patch));
}

function withAnnotation(patch: Record<string, unknown>, name: string, value: string): Record<string, unknown> {
  const metadata = patch.metadata as { annotations?: Record<string, unknown> };
  return { ...patch, metadata: { ...metadata, annotations: { ...metadata.annotations, [name]: value } } };
}

/**
 * Asks the server not to keep who wrote each field of a workflow: of a large status that takes most of the time of a write,
 * of a small one a fifth, and as much room as the status itself. Where somebody manages the workflow by server-side apply
 * it stays, for there it is needed.
 */
function withoutFieldOwners({ metadata }: Workflow, patch: Record<string, unknown>): Record<string, unknown> {
  if (isServerSideApplied(metadata)) return patch;
  return { ...patch, metadata: { ...patch.metadata as object, managedFields: NO_FIELD_OWNERS } };
}
