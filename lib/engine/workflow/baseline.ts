/** Baselines: durations of an earlier, similar workflow, from which those of a new one are estimated. */
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube/object";

/** The durations of a workflow and its nodes, in whole seconds, from which those of another workflow are estimated. */
export interface Baseline {
  readonly seconds: number;
  /** The seconds that each node took, by the part of its name that follows the name of the workflow. */
  readonly nodes: ReadonlyMap<string, number>;
}

/** Labels whose values similar workflows share. The first one that a workflow has is used. */
const SIMILARITY_LABELS = [LABEL.workflowTemplate, LABEL.clusterWorkflowTemplate, LABEL.cronWorkflow] as const;

/** The fields of a workflow that determine which others are similar. */
export interface SimilarityFields {
  readonly metadata: KubeObject["metadata"];
  readonly spec?: unknown;
}

/**
 * The key that similar workflows share, `LABEL=VALUE`; undefined for a workflow without a template or schedule. A
 * workflow gets the label of its template in its first pass; before that, its reference to the template is used.
 */
export function similarityKey({ metadata, spec }: SimilarityFields): string | undefined {
  const { name: template, clusterScope } = fieldsOf(fieldsOf(spec).workflowTemplateRef);
  const label = clusterScope ? LABEL.clusterWorkflowTemplate : LABEL.workflowTemplate;
  const labels = { ...(typeof template === "string" && { [label]: template }), ...metadata.labels };
  const name = SIMILARITY_LABELS.find((label) => labels[label]);
  return name && `${name}=${labels[name]}`;
}
