/**
 * Offloads the nodes of workflows that are too large even when compressed to a database, and restores them when a
 * workflow is read.
 */
import type { Workflow } from "../api/mod.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import { LIMITS } from "@tiphys/base/limits";
import { compressNodes } from "./compress.ts";
import { dehydrate } from "./dehydrate.ts";
import { formatOfNodes } from "./formats.ts";
import { ANY_NUMBER, hydrate } from "./hydrate.ts";
import { NodesVersion } from "./nodes_version.ts";
import { UnreadableNodesError } from "./unpack.ts";

/** The table of offloaded nodes; `lib/storage/archive` documents the contracts of its methods. */
export interface OffloadedNodes {
  load(row: { readonly uid: string; readonly version: string }): Promise<unknown>;
  /** Resolves to false if the table is read-only: the controller would not look for the nodes there. */
  save(
    row: { readonly uid: string; readonly version: string; readonly namespace: string },
    json: string,
    now: Date,
  ): Promise<boolean>;
}

/**
 * Returns the workflow with all nodes in `status.nodes`, wherever they are stored.
 * @throws {UnreadableNodesError} when they are missing, or in a database without a connection here.
 * @throws the errors of the table.
 */
export async function wholeWorkflow(workflow: Workflow, elsewhere?: OffloadedNodes): Promise<Workflow> {
  const { status = {} } = workflow;
  const { offloadNodeStatusVersion: version } = status;
  if (!version || !elsewhere) return await hydrate(workflow, ANY_NUMBER);
  const nodes = await elsewhere.load({ uid: workflow.metadata.uid ?? "", version });
  return await hydrate({ ...workflow, status: await withRestoredNodes(status, nodes, version) }, ANY_NUMBER);
}

/**
 * Returns the status with offloaded nodes as compressed nodes, so that they are read with the same limits as other
 * untrusted input.
 * @throws {UnreadableNodesError} when the nodes are missing.
 */
export async function withRestoredNodes<Status extends object>(
  status: Status & { readonly offloadNodeStatusVersion?: unknown },
  nodes: unknown,
  version: string,
): Promise<Omit<Status, "offloadNodeStatusVersion"> & { readonly compressedNodes: string }> {
  if (nodes === undefined) throw new UnreadableNodesError(`offloaded nodes of version ${version} are missing`);
  const { offloadNodeStatusVersion: _, ...rest } = status;
  const compressedNodes = await compressNodes(fieldsOf(nodes) as Parameters<typeof compressNodes>[0]);
  return { ...rest, compressedNodes };
}

/**
 * As {@link wholeWorkflow}, but returns the stored workflow if its nodes cannot be read, for changes that do not depend
 * on nodes.
 */
export async function withNodesIfReadable(workflow: Workflow, elsewhere?: OffloadedNodes): Promise<Workflow> {
  try {
    return await wholeWorkflow(workflow, elsewhere);
  } catch (error) {
    if (error instanceof UnreadableNodesError) return workflow;
    throw error;
  }
}

/**
 * As {@link wholeWorkflow}, for lists and watches: if the nodes cannot be read, the workflow's message is the reason.
 * The result is for display only; do not write it.
 */
export async function withNodesInList(workflow: Workflow, elsewhere?: OffloadedNodes): Promise<Workflow> {
  try {
    return await wholeWorkflow(workflow, elsewhere);
  } catch (error) {
    if (!(error instanceof UnreadableNodesError)) throw error;
    const message = [workflow.status?.message, error.message].filter(Boolean).join("; ");
    return { ...workflow, status: { ...workflow.status, message } };
  }
}

/** The stored form of a workflow, and the table of offloaded nodes. */
export interface WriteContext {
  /** The workflow as it was read, before its nodes were restored. */
  readonly stored?: Workflow;
  readonly elsewhere?: OffloadedNodes | undefined;
}

/**
 * Returns a workflow that can be written: with compressed nodes if it is large, in their previous format, and with
 * offloaded nodes if it is too large even so and the database accepts them. The nodes are stored before the workflow
 * that refers to them is returned.
 */
export async function writableWorkflow(
  workflow: Workflow,
  { stored, elsewhere }: WriteContext = {},
): Promise<Workflow> {
  const before = stored?.status?.compressedNodes;
  const packed = await dehydrate(workflow, before ? { format: formatOfNodes(before) } : undefined);
  const { uid, namespace = "" } = workflow.metadata;
  const { compressedNodes, ...status } = packed.status ?? {};
  if (!elsewhere || !uid || !compressedNodes || compressedNodes.length <= LIMITS.storedStatusBytes) return packed;
  const json = JSON.stringify(workflow.status?.nodes);
  const hash = new NodesVersion();
  hash.read(new TextEncoder().encode(json));
  const version = String(hash);
  if (!await elsewhere.save({ uid, version, namespace }, json, new Date())) return packed;
  return { ...packed, status: { ...status, offloadNodeStatusVersion: version } };
}
