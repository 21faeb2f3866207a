/** A workflow as it changes. */
import type { Workflow } from "../lib/api/mod.ts";
import { type KubeClient, KubeError, sortError, WORKFLOWS } from "../lib/kube/mod.ts";
import { hydrate } from "../lib/nodes/mod.ts";

const PAUSE_MILLIS = 500;
/** So many failures in a row, and the cluster is taken for gone. */
const MAX_FAILURES = 60;

/**
 * Yields the workflow as it is, then after each change, until it has finished, was deleted, or the signal is aborted. A
 * connection that breaks is opened anew, for half a minute. Throws KubeError when it is not there at first, or the server refuses.
 */
export async function* followWorkflow(
  client: KubeClient,
  namespace: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Workflow> {
  let seen = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const workflow = await hydrate(await client.get<Workflow>(WORKFLOWS, namespace, name));
      yield workflow;
      if (hasFinished(workflow)) return;
      seen = true;
      failures = 0;
      const { resourceVersion } = workflow.metadata;
      const changes = { resourceVersion, fieldSelector: `metadata.name=${name}` };
      for await (const { type, object } of client.watch<Workflow>(WORKFLOWS, namespace, changes, signal)) {
        if (type === "DELETED") return;
        if (type === "BOOKMARK") continue;
        yield await hydrate(object);
        if (hasFinished(object)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const sort = sortError(error);
      if (seen && sort === "notFound") return;
      const isTooOld = error instanceof KubeError && error.status === 410;
      if (sort !== "transient" && !isTooOld || ++failures > MAX_FAILURES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  }
}

/** Whether a workflow is over: its phase is final, and the controller has said when. */
export function hasFinished({ status }: Workflow): boolean {
  return !!status?.finishedAt && ["Succeeded", "Failed", "Error"].includes(status.phase ?? "");
}
