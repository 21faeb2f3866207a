/** A workflow of a cluster as it changes. */
import type { Workflow } from "../api/mod.ts";
import { pause, systemClock } from "../clock/mod.ts";
import { type KubeClient, sortError, type WatchEvent } from "../kube/mod.ts";
import { wholeWorkflow } from "../nodes/mod.ts";
import { hasFinished } from "../status/mod.ts";
import type { Cluster } from "./change.ts";
import { storedWorkflows } from "./stored_objects.ts";

const PAUSE_MILLIS = 500;
/** The number of failures in a row after which the cluster is taken for gone. */
const MAX_FAILURES = 60;

/** The ways to one workflow: as it is, and its changes after a version, until the watch ends. */
export interface FollowSource {
  readonly get: () => Promise<Workflow>;
  readonly changes: (resourceVersion: string | undefined) => AsyncIterable<WatchEvent<Workflow>>;
}

/**
 * Yields the workflow as it is, then after each change, until it has finished, was deleted, or the signal is aborted. A
 * connection that breaks is opened anew, for half a minute.
 * @throws {KubeError} when it is not there at first, or the server refuses.
 */
export async function* follow({ get, changes }: FollowSource, signal: AbortSignal): AsyncGenerator<Workflow> {
  let seen = false;
  let failures = 0;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      if (!isFirst) await pause(systemClock, PAUSE_MILLIS, signal);
      isFirst = false;
      const workflow = await get();
      yield workflow;
      if (hasFinished(workflow)) return;
      seen = true;
      failures = 0;
      for await (const { type, object } of changes(workflow.metadata.resourceVersion)) {
        if (type === "DELETED") return;
        if (type === "BOOKMARK") continue;
        yield object;
        if (hasFinished(object)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const sort = sortError(error);
      if (seen && sort === "notFound") return;
      if (sort !== "transient" || ++failures > MAX_FAILURES) throw error;
    }
  }
}

/** Follows a workflow of a cluster, with all its nodes each time. */
export function followWorkflow(
  { client, offloaded }: Cluster,
  namespace: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Workflow> {
  return followStored({ client, put: (workflow) => wholeWorkflow(workflow, offloaded) }, namespace, name, signal);
}

/** Follows a workflow of a cluster to its end; its nodes stay where they are. */
export async function awaitEnd(
  client: KubeClient,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const _ of followStored({ client, put: (one) => Promise.resolve(one) }, namespace, name, signal));
}

/** A cluster, and what becomes of each workflow that is read of it. */
interface Stored {
  readonly client: KubeClient;
  readonly put: (workflow: Workflow) => Promise<Workflow>;
}

function followStored({ client, put }: Stored, namespace: string, name: string, signal: AbortSignal) {
  const workflows = storedWorkflows(client);
  async function* changes(resourceVersion: string | undefined): AsyncGenerator<WatchEvent<Workflow>> {
    const options = { resourceVersion, fieldSelector: `metadata.name=${name}` };
    for await (const { type, object } of workflows.watch(namespace, options, signal)) {
      yield { type, object: await put(object) };
    }
  }
  const get = async () => await put(await workflows.get(namespace, name));
  return follow({ get, changes }, signal);
}
