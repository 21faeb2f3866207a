/** Writes of ConfigMaps that hold caches of memoization. */
import { classifyError, CONFIGMAPS, type KubeClient } from "@tiphys/kube";
import type { ObjectMeta } from "@tiphys/kube/object";
import { dataOf } from "@tiphys/kube/object_data";

/** A change of the data of a ConfigMap: the new texts by their keys, null for keys that are removed. */
export type CacheChange = Readonly<Record<string, string | null>>;

/** The ConfigMap as it was read. */
export interface ReadCache {
  readonly metadata: ObjectMeta;
  /** Labels that are added. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether the write fails if the ConfigMap has changed since. */
  readonly isConditional: boolean;
}

/** Clients that may update ConfigMaps but not patch them, as with roles that were written for memoization in Argo. */
const withoutPatch = new WeakSet<KubeClient>();

/**
 * Changes the data of a ConfigMap by a patch, or by an update where the client may not patch; an update always fails if
 * the ConfigMap has changed since it was read.
 * @throws {KubeError} when neither is allowed, or the ConfigMap has changed or is gone.
 */
export async function changeCache(client: KubeClient, read: ReadCache, data: CacheChange): Promise<void> {
  const { metadata: { namespace, name = "", uid, resourceVersion }, labels, isConditional } = read;
  if (withoutPatch.has(client)) return await update(client, read, data);
  const metadata = { uid, ...(isConditional && { resourceVersion }), ...(labels && { labels }) };
  try {
    await client.patch(CONFIGMAPS, namespace, name, { metadata, data }, "merge", { answer: "metadata" });
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
    await update(client, read, data);
    withoutPatch.add(client);
  }
}

async function update(client: KubeClient, { metadata, labels }: ReadCache, change: CacheChange): Promise<void> {
  const { namespace, name = "", uid, resourceVersion } = metadata;
  const found = await client.get(CONFIGMAPS, namespace, name);
  const data = Object.entries({ ...dataOf(found), ...change }).filter(([, text]) => text !== null);
  await client.replace(CONFIGMAPS, namespace, {
    ...found,
    metadata: { ...found.metadata, uid, resourceVersion, labels: { ...found.metadata.labels, ...labels } },
    data: Object.fromEntries(data),
  });
}
