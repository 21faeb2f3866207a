/** An archived workflow that goes on where it failed: it is made anew in the cluster, with the nodes that it had. */
import type { Workflow } from "../api/mod.ts";
import type { KubeClient } from "../kube/mod.ts";
import { dehydrate, type NodeCompression } from "../nodes/mod.ts";
import { type Actor, formulateRetry, withActor } from "../workflow_actions/mod.ts";
import { removeInTheWay } from "./change.ts";
import type { RetryRequest } from "./service.ts";
import { storedWorkflows } from "./stored_objects.ts";

/** The moment of a retry, and what a server knows beside it: who asks, and the form in which nodes are to be compressed. */
export interface RetryMoment {
  readonly now: Date;
  readonly actor?: Actor | undefined;
  readonly compression?: NodeCompression | undefined;
}

/**
 * Makes the workflow again under its name; the cluster gives it a UID of its own. What its pods may have left behind goes
 * first: their names come back.
 * @throws {ActionError} when there is nothing to retry; {@link KubeError} `alreadyExists` when one of its name is there.
 */
export async function retryArchived(
  client: KubeClient,
  archived: Workflow,
  options: RetryRequest,
  { now, actor, compression }: RetryMoment,
): Promise<Workflow> {
  const retry = formulateRetry(archived, options, now);
  const { namespace = "", name = "" } = archived.metadata;
  await removeInTheWay(client, namespace, name, retry);
  const { labels, annotations, finalizers } = retry.workflow.metadata;
  const metadata = { name, namespace, labels, annotations, finalizers };
  const fresh = { ...retry.workflow, metadata: plain(metadata) } as Workflow;
  const signed = actor ? withActor(fresh, "Retry", actor) : fresh;
  const made = await storedWorkflows(client).create(namespace, await dehydrate(signed, compression));
  return { ...made, status: signed.status };
}

function plain(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
