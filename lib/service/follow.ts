/** Follows the changes of a workflow in a cluster. */
import type { Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { classifyError, type KubeClient } from "@tiphys/kube";
import type { WatchEvent } from "@tiphys/kube/informers";
import { wholeWorkflow } from "@tiphys/model/nodes";
import { hasFinished } from "@tiphys/model/status";
import type { Cluster } from "./change.ts";
import { storedWorkflows } from "./stored_objects.ts";

const PAUSE_MILLIS = 500;
/** Number of consecutive failures after which the cluster counts as unavailable. */
const MAX_FAILURES = 60;

/** Access to one workflow: its current state, and its changes after a version, until the watch ends. */
export interface FollowSource {
  readonly get: () => Promise<Workflow>;
  readonly changes: (resourceVersion: string | undefined) => AsyncIterable<WatchEvent<Workflow>>;
}

/**
 * Yields the workflow, then again after each change, until it has finished, was deleted, or the signal is aborted. A
 * broken connection is reopened for up to half a minute.
 * @throws {KubeError} when the workflow does not exist at first, or the server rejects the request.
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
      const sort = classifyError(error);
      if (seen && sort === "notFound") return;
      if (sort !== "transient" || ++failures > MAX_FAILURES) throw error;
    }
  }
}

/** Follows a workflow of a cluster, with all its nodes in each state. */
export function followWorkflow(
  { client, offloaded }: Cluster,
  namespace: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Workflow> {
  return followStored({ client, convert: (workflow) => wholeWorkflow(workflow, offloaded) }, namespace, name, signal);
}

/** Follows a workflow of a cluster to its end, without reading its nodes from elsewhere. */
export async function awaitEnd(
  client: KubeClient,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for await (
    const _ of followStored({ client, convert: (workflow) => Promise.resolve(workflow) }, namespace, name, signal)
  );
}

/** A cluster, and the conversion of each workflow that is read. */
interface WorkflowReader {
  readonly client: KubeClient;
  readonly convert: (workflow: Workflow) => Promise<Workflow>;
}

function followStored({ client, convert }: WorkflowReader, namespace: string, name: string, signal: AbortSignal) {
  const workflows = storedWorkflows(client);
  async function* changes(resourceVersion: string | undefined): AsyncGenerator<WatchEvent<Workflow>> {
    const options = { resourceVersion, fieldSelector: `metadata.name=${name}` };
    for await (const { type, object } of workflows.watch(namespace, options, signal)) {
      yield { type, object: await convert(object) };
    }
  }
  const get = async () => await convert(await workflows.get(namespace, name));
  return follow({ get, changes }, signal);
}
