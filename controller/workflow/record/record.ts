/** Writes a decision as one merge patch of its changes, on the condition of the version that was read. */
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import type { Change, NodesSnapshot } from "@tiphys/engine";
import type { StoredNodes } from "./stored_nodes.ts";
import { type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { isServerSideApplied, NO_FIELD_OWNERS } from "@tiphys/kube/informers";
import { createMergePatch } from "@tiphys/kube/patch";

type ChangedNodes = NodesSnapshot["changed"];

/** The patch from a workflow to its changed state; undefined if nothing changed. */
export function workflowPatch(
  before: Workflow,
  head: Workflow,
  changed: ChangedNodes,
): Record<string, unknown> | undefined {
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

/** Unchanged parts are shared between both states, so only replaced parts are compared. */
function statusPatch(
  before: Workflow["status"],
  after: Workflow["status"],
  changed: ChangedNodes,
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

function nodesPatch(before: Nodes, changed: ChangedNodes): Record<string, unknown> | undefined {
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

/** The epoch of a write; `isNeeded`: whether it is written although nothing else changed. */
export interface EpochStamp {
  readonly epoch?: number | undefined;
  readonly isNeeded: boolean;
}

/** Returns the workflow with the epoch of the write. */
function withEpoch(workflow: Workflow, epoch: number | undefined): Workflow {
  const { metadata } = workflow;
  if (epoch === undefined || metadata.annotations?.[ANNOTATION.epoch] === String(epoch)) return workflow;
  const annotations = { ...metadata.annotations, [ANNOTATION.epoch]: String(epoch) };
  return { ...workflow, metadata: { ...metadata, annotations } };
}

/** A change as it is written: the merge patch, and the workflow after it except for the server's resourceVersion. */
export interface ChangePatch {
  readonly patch: Record<string, unknown>;
  readonly after: Change;
}

/**
 * Packs the change of a decision in the form to store; undefined if there is nothing to write.
 * @throws {StatusTooLargeError} if the nodes are too large in any form.
 */
export async function packChange(
  before: Workflow,
  { head, nodes }: Change,
  stored: StoredNodes,
  stamp: EpochStamp = { isNeeded: false },
): Promise<ChangePatch | undefined> {
  // If nothing changes, the version alone proves that the decision was made on the newest state.
  const proof = stamp.isNeeded ? { metadata: { resourceVersion: before.metadata.resourceVersion } } : undefined;
  const change = workflowPatch(before, head, nodes.changed) ?? proof;
  if (!change) return undefined;
  const after = { head: withEpoch(head, stamp.epoch), nodes };
  const patch = after.head === head ? change : withAnnotation(change, ANNOTATION.epoch, String(stamp.epoch));
  return { patch: withoutFieldOwners(head, await stored.pack(patch, after)), after };
}

/** The part of the server's response that is used. */
export type Receipt = Pick<Workflow["metadata"], "resourceVersion" | "generation">;

/**
 * Sends a patch.
 * @throws {KubeError} a conflict when another client wrote in between: read and decide again.
 */
export async function send(client: KubeClient, { metadata }: Workflow, patch: unknown): Promise<Receipt> {
  const { namespace, name } = metadata;
  const written = await client.patch(WORKFLOWS, namespace, name!, patch, "merge", { answer: "metadata" });
  const { resourceVersion, generation } = written.metadata;
  return { resourceVersion, ...(generation ? { generation } : {}) };
}

/** Returns the workflow after a write. */
export function workflowAfterWrite({ head, nodes }: Change, receipt: Receipt): Workflow {
  const metadata = { ...head.metadata, ...receipt };
  if (nodes.changed.size === 0) return { ...head, metadata };
  return { ...head, metadata, status: { ...head.status, nodes: nodes.recordInPlace() } };
}

/**
 * Writes the change and returns the workflow after it, with the server's resourceVersion; the same object if there was
 * nothing to write.
 * @throws {StatusTooLargeError} if the nodes are too large in any form.
 * @throws {KubeError} a conflict when another client wrote in between: read and decide again.
 */
export async function record(
  client: KubeClient,
  before: Workflow,
  change: Change,
  stored: StoredNodes,
  stamp: EpochStamp = { isNeeded: false },
): Promise<Workflow> {
  const packed = await packChange(before, change, stored, stamp);
  if (!packed) return before;
  return workflowAfterWrite(packed.after, await send(client, before, packed.patch));
}

function withAnnotation(patch: Record<string, unknown>, name: string, value: string): Record<string, unknown> {
  const metadata = patch.metadata as { annotations?: Record<string, unknown> };
  return { ...patch, metadata: { ...metadata, annotations: { ...metadata.annotations, [name]: value } } };
}

/**
 * Adds the request not to store the owner of each field. For a large status, that takes most of the time of a write,
 * for a small one a fifth, and as much space as the status itself. A workflow that is managed by server-side apply
 * needs the owners, so they stay.
 */
function withoutFieldOwners({ metadata }: Workflow, patch: Record<string, unknown>): Record<string, unknown> {
  if (isServerSideApplied(metadata)) return patch;
  return { ...patch, metadata: { ...patch.metadata as object, managedFields: NO_FIELD_OWNERS } };
}
