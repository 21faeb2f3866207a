/**
 * Nodes that lie in a database, because the workflow has no room for them: put back where a workflow is read, and stored there
 * where one is written that is too large even so.
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

/** The table of such nodes; what its methods promise, `lib/storage/archive` says. */
export interface NodesElsewhere {
  load(row: { readonly uid: string; readonly version: string }): Promise<unknown>;
  /** False where nodes are only read: one who works a workflow would not look for them there. */
  save(
    row: { readonly uid: string; readonly version: string; readonly namespace: string },
    json: string,
    now: Date,
  ): Promise<boolean>;
}

/**
 * The workflow with all its nodes at their usual place, wherever they lie.
 * @throws {UnreadableNodesError} when they cannot be had: they are missing, or lie in a database and there is none here.
 * @throws whatever the table throws when it cannot be asked.
 */
export async function wholeWorkflow(workflow: Workflow, elsewhere?: NodesElsewhere): Promise<Workflow> {
  const { status = {} } = workflow;
  const { offloadNodeStatusVersion: version } = status;
  if (!version || !elsewhere) return await hydrate(workflow, ANY_NUMBER);
  const nodes = await elsewhere.load({ uid: workflow.metadata.uid ?? "", version });
  return await hydrate({ ...workflow, status: await withNodesPutBack(status, nodes, version) }, ANY_NUMBER);
}

/**
 * The status with nodes of a database in it, compressed: so they are read in the same way as all that somebody else wrote.
 * @throws {UnreadableNodesError} when they are not there.
 */
export async function withNodesPutBack<Status extends object>(
  status: Status & { readonly offloadNodeStatusVersion?: unknown },
  nodes: unknown,
  version: string,
): Promise<Omit<Status, "offloadNodeStatusVersion"> & { readonly compressedNodes: string }> {
  if (nodes === undefined) throw new UnreadableNodesError(`offloaded nodes of version ${version} are missing`);
  const { offloadNodeStatusVersion: _, ...rest } = status;
  const compressedNodes = await compressNodes(fieldsOf(nodes) as Parameters<typeof compressNodes>[0]);
  return { ...rest, compressedNodes };
}

/** The same; as it is stored where its nodes cannot be had, as for a change that is not about them. */
export async function wholeWhereReadable(workflow: Workflow, elsewhere?: NodesElsewhere): Promise<Workflow> {
  try {
    return await wholeWorkflow(workflow, elsewhere);
  } catch (error) {
    if (error instanceof UnreadableNodesError) return workflow;
    throw error;
  }
}

/**
 * The same for one among others, as in a watch: where its nodes cannot be had, its message says why. It is to be shown and
 * not to be written.
 */
export async function wholeAmongOthers(workflow: Workflow, elsewhere?: NodesElsewhere): Promise<Workflow> {
  try {
    return await wholeWorkflow(workflow, elsewhere);
  } catch (error) {
    if (!(error instanceof UnreadableNodesError)) throw error;
    const message = [workflow.status?.message, error.message].filter(Boolean).join("; ");
    return { ...workflow, status: { ...workflow.status, message } };
  }
}

/** The way in which a workflow was stored, and the table of nodes. */
export interface Writing {
  /** The workflow as it was read, before its nodes were put back. */
  readonly stored?: Workflow;
  readonly elsewhere?: NodesElsewhere | undefined;
}

/**
 * The workflow as it can be written: with its nodes compressed where it is large, in the format in which they were, and in the
 * database where it is too large even so and the database takes them. They are stored before anybody is told that they are there.
 */
export async function writableWorkflow(workflow: Workflow, { stored, elsewhere }: Writing = {}): Promise<Workflow> {
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
