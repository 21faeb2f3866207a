/** An archived workflow that goes on where it failed: it is made anew in the cluster, with the nodes that it had. */
import type { Workflow } from "../api/mod.ts";
import type { KubeClient } from "../kube/mod.ts";
import { dehydrate } from "../nodes/mod.ts";
import { type Actor, formulateRetry, withActor } from "../workflow_actions/mod.ts";
import { removeInTheWay } from "./change.ts";
import type { RetryRequest } from "./service.ts";
import { storedWorkflows } from "./stored_objects.ts";

/** The moment of a retry, and the person who asks for it, as far as a server knows one. */
export interface RetryMoment {
  readonly now: Date;
  readonly actor?: Actor | undefined;
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
  { now, actor }: RetryMoment,
): Promise<Workflow> {
  const retry = formulateRetry(archived, options, now);
  const { namespace = "", name = "" } = archived.metadata;
  await removeInTheWay(client, namespace, name, retry);
  const { labels, annotations, finalizers } = retry.workflow.metadata;
  const metadata = { name, namespace, labels, annotations, finalizers };
  const fresh = { ...retry.workflow, metadata: plain(metadata) } as Workflow;
  const signed = actor ? withActor(fresh, "Retry", actor) : fresh;
  const made = await storedWorkflows(client).create(namespace, await dehydrate(signed));
  return { ...made, status: signed.status };
}

function plain(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
