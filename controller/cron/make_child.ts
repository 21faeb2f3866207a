/** Making the child of a slot. The answer is an outcome, whatever a server says: the next decision of the same pass reads it. */
import type { CronWorkflow, ObjectReference, Workflow } from "@tiphys/model/api";
import { isOwnedBy, type KubeClient, type KubeObject, sortError, throwDefect, WORKFLOWS } from "@tiphys/kube";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { Backoff } from "../loop/backoff.ts";
import type { Clock } from "../loop/clock.ts";
import { referenceTo } from "./children.ts";
import type { CronAction, Outcome } from "./types.ts";

/** The client that creates children, and the pauses after failed attempts. */
export interface MakeOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The pauses before a failed attempt is repeated, by the key (`namespace/name`) of the child. */
  readonly backoff: Backoff;
}

/**
 * Tells the children that it replaces to end, and makes the new one. One of its name that belongs to this very cron
 * workflow is success: another controller, or this one before a crash, has made it.
 */
export async function makeChild(
  { client, clock, backoff }: MakeOptions,
  cron: CronWorkflow,
  { child, replaces }: Extract<CronAction, { kind: "createChild" }>,
): Promise<Outcome> {
  const { namespace, name = "" } = child.metadata;
  const key = `${namespace}/${name}`;
  const failed = (message: string, mayPass: boolean): Outcome => {
    const wait = mayPass ? backoff.next(key) : 0;
    if (!mayPass) backoff.forget(key);
    return { kind: "failed", message, mayPass, againAt: clock.now() + wait };
  };
  for (const reference of replaces) {
    try {
      await terminate(client, namespace, reference);
    } catch (error) {
      throwDefect(error);
      return failed(`error stopping workflow ${reference.name}: ${messageOf(error)}`, isPassing(error));
    }
  }
  try {
    const made = await createOrFind(client, cron, child);
    if (typeof made === "string") return failed(`Failed to submit Workflow: ${made}`, true);
    backoff.forget(key);
    return { kind: "made", child: made };
  } catch (error) {
    throwDefect(error);
    return failed(`Failed to submit Workflow: ${messageOf(error)}`, isPassing(error));
  }
}

/** The child that is there now; a text when its name is still taken by one that is about to go. */
async function createOrFind(
  client: KubeClient,
  cron: CronWorkflow,
  child: Workflow,
): Promise<ObjectReference | string> {
  const { namespace, name = "" } = child.metadata;
  try {
    return referenceOf(await client.create<KubeObject>(WORKFLOWS, namespace, child, { answer: "metadata" }));
  } catch (error) {
    if (sortError(error) !== "alreadyExists") throw error;
    const existing = await client.get<KubeObject>(WORKFLOWS, namespace, name);
    if (isOwnedBy(existing, "CronWorkflow", cron)) return referenceOf(existing);
    const isGoing = existing.metadata.deletionTimestamp !== undefined ||
      existing.metadata.ownerReferences?.some(({ kind }) => kind === "CronWorkflow");
    if (isGoing) return `workflow "${name}" of an earlier cron workflow is not gone yet`;
    throw error;
  }
}

/** A child that is gone, or told to end already, is left alone. */
async function terminate(client: KubeClient, namespace: string | undefined, { name = "", uid }: ObjectReference) {
  try {
    const { metadata, spec } = await client.get<KubeObject>(WORKFLOWS, namespace, name);
    if (metadata.uid !== uid || fieldsOf(spec).shutdown) return;
    const { resourceVersion } = metadata;
    const change = { metadata: { uid, resourceVersion }, spec: { shutdown: "Terminate" } };
    await client.patch(WORKFLOWS, namespace, name, change, "merge", { answer: "metadata" });
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
  }
}

function referenceOf({ metadata: { namespace, name, uid, resourceVersion } }: KubeObject): ObjectReference {
  return referenceTo({ namespace, name, uid, resourceVersion });
}

/** A right that is missing is not granted while somebody waits: the next slot tries again. */
function isPassing(error: unknown): boolean {
  const sort = sortError(error);
  return sort === "transient" || sort === "conflict" || sort === "notFound";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
