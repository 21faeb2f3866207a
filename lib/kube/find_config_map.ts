/** A ConfigMap that may not be there. */
import type { ConfigMap } from "../api/mod.ts";
import type { KubeClient } from "./client.ts";
import { sortError } from "./errors.ts";
import { dataOf } from "./object_data.ts";
import { CONFIGMAPS } from "./resources.ts";

/** The ConfigMap, with its texts; undefined where there is none of that name. */
export async function findConfigMap(
  client: Pick<KubeClient, "get">,
  namespace: string,
  name: string,
): Promise<ConfigMap | undefined> {
  try {
    const { metadata, ...found } = await client.get(CONFIGMAPS, namespace, name);
    return { metadata, data: dataOf(found) };
  } catch (error) {
    if (sortError(error) === "notFound") return undefined;
    throw error;
  }
}
