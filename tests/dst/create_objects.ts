/** Creates the objects of a case in the cluster. */
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  type KubeClient,
  type KubeObject,
  type Resource,
  WORKFLOW_TEMPLATES,
} from "@tiphys/kube";

const RESOURCES: Readonly<Record<string, Resource>> = {
  WorkflowTemplate: WORKFLOW_TEMPLATES,
  ClusterWorkflowTemplate: CLUSTER_WORKFLOW_TEMPLATES,
  ConfigMap: CONFIGMAPS,
};

/** The kinds that a case may contain besides its workflow. */
export const CASE_KINDS: ReadonlySet<string> = new Set(Object.keys(RESOURCES));

/** @throws {Error} when an object has another kind */
export async function createObjects(client: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const resource = RESOURCES[object.kind ?? ""];
    if (!resource) throw new Error(`A case cannot have objects of the kind ${object.kind}`);
    await client.create(resource, resource.namespaced ? "default" : undefined, inDefault(object));
  }
}

/** Moves an object to the namespace of the simulation. */
function inDefault(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: undefined } };
}
