/** Baselines: durations of an earlier workflow that is alike, by which those of a new one are estimated. */
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube/object";

/** The durations, in whole seconds, of a workflow by which those of another one are estimated, and of its nodes. */
export interface Baseline {
  readonly seconds: number;
  /** The seconds that each node took, by the part of its name that follows the name of the workflow. */
  readonly nodes: ReadonlyMap<string, number>;
}

/** Labels that workflows which may be measured by each other have in common; the first that a workflow has counts. */
const ALIKE = [LABEL.workflowTemplate, LABEL.clusterWorkflowTemplate, LABEL.cronWorkflow] as const;

/** The fields of a workflow that determine which others are like it. */
export interface Likeness {
  readonly metadata: KubeObject["metadata"];
  readonly spec?: unknown;
}

/**
 * The text that workflows have in common which may be measured by each other, `LABEL=VALUE`; undefined for a workflow
 * without a template or schedule. A workflow gets the label of its template in its first pass: before that, its reference
 * to the template is used.
 */
export function likenessOf({ metadata, spec }: Likeness): string | undefined {
  const { name: template, clusterScope } = fieldsOf(fieldsOf(spec).workflowTemplateRef);
  const label = clusterScope ? LABEL.clusterWorkflowTemplate : LABEL.workflowTemplate;
  const labels = { ...(typeof template === "string" && { [label]: template }), ...metadata.labels };
  const name = ALIKE.find((label) => labels[label]);
  return name && `${name}=${labels[name]}`;
}
