/** Warnings about accepted requests, sent as headers in the format of Kubernetes. */
import { unknownFieldsOf } from "@tiphys/language/text_worker";
import type { KindName, Workflow } from "@tiphys/model/api";
import { KubeError } from "@tiphys/kube";
import { type ParameterValues, unknownParameters } from "@tiphys/engine/workflow_actions";
import { referredTemplates } from "@tiphys/service/stored";
import { queueKeyOf } from "../gate/caller.ts";
import type { Call } from "../routes/route.ts";
import { serviceOf } from "./change.ts";

/** Warnings about parameters that a new workflow does not use; empty if its templates cannot be read. */
export async function parameterWarnings(
  call: Call,
  namespace: string,
  workflow: Workflow,
  parameters: ParameterValues | undefined,
): Promise<readonly string[]> {
  if (!parameters?.size) return [];
  try {
    const templates = await referredTemplates(serviceOf(call), namespace, [workflow]);
    return unknownParameters(workflow, templates, parameters.keys());
  } catch (error) {
    if (error instanceof KubeError) return [];
    throw error;
  }
}

/**
 * The warnings about unknown fields of an object. As on Argo's server, they do not refuse it: a client may be newer
 * than this server.
 */
export function fieldWarnings(
  { served, caller }: Pick<Call, "served" | "caller">,
  kind: KindName,
  object: unknown,
): Promise<readonly string[]> {
  return served.texts.run("unknownFieldsOf", { kind, object }, {
    key: queueKeyOf(caller),
    runHere: unknownFieldsOf,
  });
}

/**
 * The maximum number of warnings of a response, and their maximum length in characters: names come from the request.
 */
const MAX_WARNINGS = 10;
const MAX_WARNING_LENGTH = 300;

/** Adds warnings to a response. */
export function withWarnings<A extends { readonly json: unknown }>(
  answer: A,
  warnings: readonly string[],
): A & { readonly headers?: Readonly<Record<string, string>> } {
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { warning: warnings.slice(0, MAX_WARNINGS).map(warningHeader).join(", ") } };
}

function warningHeader(text: string): string {
  const plain = text.slice(0, MAX_WARNING_LENGTH).replaceAll(/[^ -~]/g, "?").replaceAll(/["\\]/g, "\\$&");
  return `299 - "${plain}"`;
}
