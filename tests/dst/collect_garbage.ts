/** `argoexec artifact delete` in a simulation: reads its tasks, deletes their artifacts, and reports each. */
import type { Pod, WorkflowArtifactGCTask } from "@tiphys/model/api";
import { keyOf } from "@tiphys/model/artifact/location";
import { ARTIFACT_GC_COMPONENT, ENV, LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, WORKFLOW_ARTIFACT_GC_TASKS } from "@tiphys/kube";
import { envOf } from "../../simulate/pod_end.ts";

/** Whether a pod deletes artifacts. */
export function isCollector({ metadata }: Pod): boolean {
  return metadata.labels?.[LABEL.component] === ARTIFACT_GC_COMPONENT;
}

/** Performs all tasks of a pod. Calls `onDeleted` with the key of each artifact. */
export async function collectGarbage(client: KubeClient, pod: Pod, onDeleted: (key: string) => void): Promise<void> {
  const { namespace } = pod.metadata;
  const uid = envOf(pod, ENV.workflowUid);
  const labelSelector = `${LABEL.artifactGcPod}=${envOf(pod, ENV.artifactGcPod)}`;
  const { items } = await client.list<WorkflowArtifactGCTask>(WORKFLOW_ARTIFACT_GC_TASKS, namespace, { labelSelector });
  for (const { metadata, spec } of items) {
    if (!metadata.ownerReferences?.some((owner) => owner.uid === uid)) continue;
    const artifactResultsByNode = Object.fromEntries(
      Object.entries(spec.artifactsByNode ?? {}).map(([nodeId, { artifacts = {} }]) => [nodeId, {
        artifactResults: Object.fromEntries(
          Object.values(artifacts).map((artifact) => {
            onDeleted(keyOf(artifact) ?? "");
            return [artifact.name, { name: artifact.name, success: true }];
          }),
        ),
      }]),
    );
    const status = { artifactResultsByNode };
    try {
      await client.patch(WORKFLOW_ARTIFACT_GC_TASKS, namespace, metadata.name!, { status }, "merge", {
        subresource: "status",
      });
    } catch (error) {
      if (classifyError(error) !== "notFound") throw error;
    }
  }
}
