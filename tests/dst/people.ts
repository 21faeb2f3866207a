/** Users and their actions on workflows, with a client that is not subject to faults. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { classifyError, CONFIGMAPS, type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { isActiveSuspend } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { ClusterService } from "@tiphys/service";
import type { UserAction } from "./case.ts";
import { CONFIGMAP } from "./process.ts";

/** Performs an action of a user. Returns false when it is not possible yet and may be tried again. */
export async function performUserAction(client: KubeClient, name: string, action: UserAction): Promise<boolean> {
  try {
    return await attemptAction(client, name, action);
  } catch (error) {
    // A refusal is a result as well: a workflow that was refused as a whole has no failed node to retry.
    if (error instanceof ActionError || ["notFound", "conflict"].includes(classifyError(error))) return true;
    throw error;
  }
}

async function attemptAction(client: KubeClient, name: string, action: UserAction): Promise<boolean> {
  const workflow = await client.get<Workflow>(WORKFLOWS, "default", name);
  const isOver = workflow.status?.finishedAt !== undefined;
  switch (action.do) {
    case "resume": {
      const nodeWaits = Object.values(workflow.status?.nodes ?? {}).some(isActiveSuspend);
      if (!nodeWaits && !workflow.spec.suspend) return isOver;
      await new ClusterService(client).resume("default", name);
      // Another user had suspended the whole workflow: the step to resume is still to come.
      return nodeWaits || !workflow.spec.templates?.some(({ suspend }) => suspend);
    }
    case "stop":
    case "terminate": {
      if (isOver) return true;
      const shutdown = action.do === "stop" ? "Stop" : "Terminate";
      await client.patch(WORKFLOWS, "default", name, { spec: { shutdown } });
      return true;
    }
    case "suspend":
      if (!isOver) await client.patch(WORKFLOWS, "default", name, { spec: { suspend: true } });
      return true;
    case "retry": {
      const { phase } = workflow.status ?? {};
      if (!isOver) return false;
      if (phase === "Succeeded") return true;
      await new ClusterService(client).retry("default", name);
      return true;
    }
    case "deletePod": {
      const { items } = await client.list<Pod>(PODS, "default");
      const pod = items.find(({ metadata }) =>
        !action.node || metadata.annotations?.[ANNOTATION.nodeName]?.endsWith(action.node)
      );
      if (!pod) return isOver;
      await client.delete(PODS, "default", pod.metadata.name!);
      return true;
    }
    case "edit": {
      const annotations = { "example.com/seen": new Date().toISOString() };
      await client.patch(WORKFLOWS, "default", name, { metadata: { labels: { "example.com/edited": "yes" } } });
      const [pod] = (await client.list<Pod>(PODS, "default")).items;
      if (pod) await client.patch(PODS, "default", pod.metadata.name!, { metadata: { annotations } });
      return true;
    }
    case "configure":
      await configure(client);
      return true;
    case "deleteWorkflow":
      await client.delete(WORKFLOWS, "default", name, { propagationPolicy: "Background" });
      return true;
  }
}

/** Edits the controller's settings without changing any decision. */
async function configure(client: KubeClient): Promise<void> {
  const data = { parallelism: "7", namespaceParallelism: String(3 + new Date().getSeconds()) };
  try {
    await client.patch(CONFIGMAPS, "argo", CONFIGMAP, { data });
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
    await client.create(CONFIGMAPS, "argo", { metadata: { name: CONFIGMAP }, data });
  }
}
