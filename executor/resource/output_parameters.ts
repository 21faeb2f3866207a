/** The output parameters of a resource template, extracted from the object of its action. */
import type { KubeObject } from "@tiphys/kube/object";
import { ExecutorError } from "../failure.ts";
import type { OutputParameter } from "../pod/template.ts";
import { fillJsonPath, JsonPathError } from "@tiphys/base/json_path";

/**
 * Returns the declared parameters with their values. Without an object, as when `get` finds nothing, they have their
 * defaults.
 * @throws {ExecutorError} when a path or filter is invalid, or fails on the object.
 */
export async function outputParameters(
  declared: readonly OutputParameter[],
  object: KubeObject | undefined,
): Promise<OutputParameter[]> {
  return await Promise.all(declared.map(async (parameter) => {
    const value = await valueOf(parameter, object);
    return value === undefined ? parameter : { ...parameter, value };
  }));
}

async function valueOf({ name, valueFrom }: OutputParameter, object: KubeObject | undefined) {
  if (!valueFrom) return undefined;
  const { default: otherwise = "", jsonPath, jqFilter } = valueFrom;
  if (!object) return otherwise;
  try {
    if (jsonPath) return fillJsonPath(jsonPath, object);
    return jqFilter ? await (await import("./jq.ts")).filterJson(jqFilter, object) : undefined;
  } catch (error) {
    const isJqs = error instanceof Error && error.name === "JqError";
    if (!isJqs && !(error instanceof JsonPathError)) throw error;
    throw new ExecutorError(`output parameter "${name}": ${jsonPath ?? jqFilter}: ${error.message}`);
  }
}
