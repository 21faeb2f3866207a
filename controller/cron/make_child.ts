/**
 * Creation of the child of a slot. Errors of the server are returned as an outcome, which the next decision of the same
 * pass reads.
 */
import type { CronWorkflow, ObjectReference, Workflow } from "@tiphys/model/api";
import { classifyError, isOwnedBy, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { throwBug } from "@tiphys/kube/errors";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { Backoff } from "../loop/backoff.ts";
import type { Clock } from "../loop/clock.ts";
import { childReference } from "./children.ts";
import type { CronAction, Outcome } from "./types.ts";

/** The client that creates children, and the back-off after failed attempts. */
export interface MakeOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The back-off of failed attempts, by key (`namespace/name`) of the child. */
  readonly backoff: Backoff;
}

/**
 * Terminates the children that are replaced, and creates the new one. If a workflow of that name already belongs to the
 * same cron workflow, the creation counts as successful: another controller has created it, or this one before a crash.
 */
export async function makeChild(
  { client, clock, backoff }: MakeOptions,
  cron: CronWorkflow,
  { child, replaces }: Extract<CronAction, { kind: "createChild" }>,
): Promise<Outcome> {
  const { namespace, name = "" } = child.metadata;
  const key = `${namespace}/${name}`;
  const failed = (message: string, isRetryable: boolean): Outcome => {
    const wait = isRetryable ? backoff.next(key) : 0;
    if (!isRetryable) backoff.forget(key);
    return { kind: "failed", message, isRetryable, againAt: clock.now() + wait };
  };
  for (const reference of replaces) {
    try {
      await terminate(client, namespace, reference);
    } catch (error) {
      throwBug(error);
      return failed(`error stopping workflow ${reference.name}: ${messageOf(error)}`, isTemporary(error));
    }
  }
  try {
    const made = await createOrFind(client, cron, child);
    if (typeof made === "string") return failed(`Failed to submit Workflow: ${made}`, true);
    backoff.forget(key);
    return { kind: "made", child: made };
  } catch (error) {
    throwBug(error);
    return failed(`Failed to submit Workflow: ${messageOf(error)}`, isTemporary(error));
  }
}

/**
 * Creates the child, or returns the existing one; returns an error message if its name is taken by a workflow that is
 * about to be deleted.
 */
async function createOrFind(
  client: KubeClient,
  cron: CronWorkflow,
  child: Workflow,
): Promise<ObjectReference | string> {
  const { namespace, name = "" } = child.metadata;
  try {
    return referenceOf(await client.create<KubeObject>(WORKFLOWS, namespace, child, { answer: "metadata" }));
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
    const existing = await client.get<KubeObject>(WORKFLOWS, namespace, name);
    if (isOwnedBy(existing, "CronWorkflow", cron)) return referenceOf(existing);
    const isGoing = existing.metadata.deletionTimestamp !== undefined ||
      existing.metadata.ownerReferences?.some(({ kind }) => kind === "CronWorkflow");
    if (isGoing) return `workflow "${name}" of an earlier cron workflow has not been deleted yet`;
    throw error;
  }
}

/** Terminates a child, unless it is gone or already shut down. */
async function terminate(client: KubeClient, namespace: string | undefined, { name = "", uid }: ObjectReference) {
  try {
    const { metadata, spec } = await client.get<KubeObject>(WORKFLOWS, namespace, name);
    if (metadata.uid !== uid || fieldsOf(spec).shutdown) return;
    const { resourceVersion } = metadata;
    const change = { metadata: { uid, resourceVersion }, spec: { shutdown: "Terminate" } };
    await client.patch(WORKFLOWS, namespace, name, change, "merge", { answer: "metadata" });
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
  }
}

function referenceOf({ metadata: { namespace, name, uid, resourceVersion } }: KubeObject): ObjectReference {
  return childReference({ namespace, name, uid, resourceVersion });
}

/** Whether a retry may help. Missing permissions are not granted within seconds, so they wait for the next slot. */
function isTemporary(error: unknown): boolean {
  const sort = classifyError(error);
  return sort === "transient" || sort === "conflict" || sort === "notFound";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
