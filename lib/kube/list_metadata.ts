/** Lists the metadata of objects without their specs and status. Separate, because executors do not need it. */
import type { KubeClient, ListOptions } from "./client.ts";
import type { KubeList, KubeObject } from "./object.ts";
import { type Resource, resourcePath } from "./resources.ts";

/** A server without support for this media type returns whole objects. */
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** Lists the metadata of the objects of a namespace, or of all namespaces when it is undefined. */
export async function listMetadata(
  client: KubeClient,
  resource: Resource,
  namespace: string | undefined,
  query: ListOptions,
  signal?: AbortSignal,
): Promise<KubeList<Pick<KubeObject, "metadata">>> {
  const path = resourcePath(resource, namespace);
  return await client.request("GET", path, { query: { ...query }, signal, accept: METADATA_LIST });
}
