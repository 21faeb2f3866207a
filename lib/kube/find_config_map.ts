/** Reads a ConfigMap that may not exist. */
import type { ConfigMap } from "@tiphys/model/api";
import type { KubeClient } from "./client.ts";
import { classifyError } from "./errors.ts";
import { dataOf } from "./object_data.ts";
import { CONFIGMAPS } from "./resources.ts";

/** Returns the ConfigMap with its texts; undefined when it does not exist. */
export async function findConfigMap(
  client: Pick<KubeClient, "get">,
  namespace: string,
  name: string,
): Promise<ConfigMap | undefined> {
  try {
    const { metadata, ...found } = await client.get(CONFIGMAPS, namespace, name);
    return { metadata, data: dataOf(found) };
  } catch (error) {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  }
}
