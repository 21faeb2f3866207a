/** Puts objects into a cluster. */
import type { Workflow } from "../lib/api/mod.ts";
import { LABEL } from "../lib/constants.ts";
import { type KubeClient, type KubeObject, PODS, sortError, WORKFLOWS } from "../lib/kube/mod.ts";
import { badInput } from "./command_error.ts";
import { resourceOf } from "./resource_of.ts";

/** Creates the object, or gives the one of its name this content. */
export async function createOrReplace(client: KubeClient, namespace: string, object: KubeObject): Promise<KubeObject> {
  const resource = resourceOf(object);
  const within = resource.namespaced ? object.metadata.namespace ?? namespace : undefined;
  try {
    return await client.create<KubeObject>(resource, within, object);
  } catch (error) {
    if (sortError(error) !== "alreadyExists") throw error;
    const { resourceVersion } = (await client.get(resource, within, object.metadata.name ?? "")).metadata;
    const metadata = { ...object.metadata, resourceVersion };
    return await client.replace<KubeObject>(resource, within, { ...object, metadata });
  }
}

/**
 * Creates a workflow; one of its name that has finished makes room first.
 * @throws {CommandError} when one of its name still runs.
 */
export async function createInPlace(client: KubeClient, namespace: string, workflow: Workflow): Promise<Workflow> {
  try {
    return await client.create<Workflow>(WORKFLOWS, namespace, workflow);
  } catch (error) {
    if (sortError(error) !== "alreadyExists") throw error;
    const name = workflow.metadata.name ?? "";
    const earlier = await client.get<Workflow>(WORKFLOWS, namespace, name);
    if (!earlier.status?.finishedAt) {
      throw badInput(`Workflow "${name}" exists and has not finished: give this one another name with --name`);
    }
    await removeWithPods(client, namespace, name);
    return await client.create<Workflow>(WORKFLOWS, namespace, workflow);
  }
}

/** Deletes a workflow and its pods, whose names come back with the workflow's; resolves when they are gone. */
async function removeWithPods(client: KubeClient, namespace: string, name: string): Promise<void> {
  const ofWorkflow = { labelSelector: `${LABEL.workflow}=${name}` };
  await client.delete(WORKFLOWS, namespace, name, { propagationPolicy: "Background" });
  await client.deleteCollection(PODS, namespace, ofWorkflow, { gracePeriodSeconds: 0 });
  const { items, metadata: { resourceVersion } } = await client.list(PODS, namespace, ofWorkflow);
  const left = new Set(items.map(({ metadata }) => metadata.name));
  if (left.size === 0) return;
  for await (const { type, object } of client.watch(PODS, namespace, { ...ofWorkflow, resourceVersion })) {
    if (type === "DELETED") left.delete(object.metadata.name);
    if (left.size === 0) return;
  }
}
