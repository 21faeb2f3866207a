/**
 * Retries an archived workflow: it is created again in the cluster with its nodes, and resumes from those that failed.
 */
import type { Workflow } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import { dehydrate, type NodeCompression } from "@tiphys/model/nodes";
import { type Actor, formulateRetry, withActor } from "@tiphys/engine/workflow_actions";
import { deleteConflictingObjects } from "./change.ts";
import type { RetryRequest } from "./service.ts";
import { storedWorkflows } from "./stored_objects.ts";

/** The time of a retry, and the server's information: the user, and the compression of nodes. */
export interface RetryContext {
  readonly now: Date;
  readonly actor?: Actor | undefined;
  readonly compression?: NodeCompression | undefined;
}

/**
 * Creates the workflow again under its name, with a new UID. Leftovers of its pods are deleted first, because their
 * names are used again.
 * @throws {ActionError} when there is nothing to retry.
 * @throws {KubeError} `alreadyExists` when its name is in use.
 */
export async function retryArchived(
  client: KubeClient,
  archived: Workflow,
  options: RetryRequest,
  { now, actor, compression }: RetryContext,
): Promise<Workflow> {
  const retry = formulateRetry(archived, options, now);
  const { namespace = "", name = "" } = archived.metadata;
  await deleteConflictingObjects(client, namespace, name, retry);
  const { labels, annotations, finalizers } = retry.workflow.metadata;
  const metadata = { name, namespace, labels, annotations, finalizers };
  const fresh = { ...retry.workflow, metadata: removeUndefined(metadata) } as Workflow;
  const signed = actor ? withActor(fresh, "Retry", actor) : fresh;
  const made = await storedWorkflows(client).create(namespace, await dehydrate(signed, compression));
  return { ...made, status: signed.status };
}

function removeUndefined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
