/** Reads a ConfigMap that a workflow refers to, once: a fact of its next passes. */
import { isProblem } from "@tiphys/model/api";
import { classifyError, CONFIGMAPS, type KubeObject } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import { readConfigMap as readAs } from "../observe/readers.ts";
import type { Action, ReadConfigMap } from "@tiphys/engine";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes } from "./outcomes.ts";

/**
 * Reads the ConfigMap. A ConfigMap that is missing or may not be read is a result as well.
 * @throws {Error} a transient error.
 */
export async function readConfigMap(
  { client }: Pick<ActionContext, "client">,
  { readConfigMaps }: Pick<ActionOutcomes, "readConfigMaps">,
  { namespace, name }: Extract<Action, { kind: "readConfigMap" }>,
): Promise<true> {
  readConfigMaps.set(`${namespace}/${name}`, await find());
  return true;

  async function find(): Promise<ReadConfigMap> {
    try {
      const read = readAs(await client.get<KubeObject>(CONFIGMAPS, namespace, name));
      return isProblem(read) ? { problem: read.message } : { configMap: read };
    } catch (error) {
      throwBug(error);
      if (classifyError(error) === "notFound") return {};
      if (isRetryable(error)) throw error;
      return { problem: (error as Error).message };
    }
  }
}
