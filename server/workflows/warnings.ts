/** Warnings about requests that are carried out: headers of the response, in the form in which Kubernetes sends them. */
import type { Workflow } from "@tiphys/model/api";
import { KubeError } from "@tiphys/kube";
import { type ParameterValues, unknownParameters } from "@tiphys/engine/workflow_actions";
import { referredTemplates } from "@tiphys/service";
import type { Call } from "../routes/route.ts";
import { serviceOf } from "./change.ts";

/** The warnings about parameters that a new workflow does not use; none where its templates cannot be read. */
export async function warningsOfNew(
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

/** The most warnings of a response, and the most characters of each: names come from the request. */
const MOST_WARNINGS = 10;
const LONGEST_WARNING = 300;

/** An answer with warnings. */
export function withWarnings<A extends { readonly json: unknown }>(
  answer: A,
  warnings: readonly string[],
): A & { readonly headers?: Readonly<Record<string, string>> } {
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { warning: warnings.slice(0, MOST_WARNINGS).map(headerOf).join(", ") } };
}

function headerOf(text: string): string {
  const plain = text.slice(0, LONGEST_WARNING).replaceAll(/[^ -~]/g, "?").replaceAll(/["\\]/g, "\\$&");
  return `299 - "${plain}"`;
}
