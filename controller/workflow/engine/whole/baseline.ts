/** Baselines: durations of an earlier workflow that is alike, by which those of a new one are estimated. */
import { LABEL } from "../../../../lib/constants.ts";

/** The durations, in whole seconds, of a workflow by which those of another one are estimated, and of its nodes. */
export interface Baseline {
  readonly seconds: number;
  /** The seconds that each node took, by the part of its name that follows the name of the workflow. */
  readonly nodes: ReadonlyMap<string, number>;
}

/** Labels that say what workflows have in common, the first that a workflow has counts. */
const ALIKE = [LABEL.workflowTemplate, LABEL.clusterWorkflowTemplate, LABEL.cronWorkflow] as const;

/**
 * The text that workflows share which may be measured by each other, `LABEL=VALUE`; undefined for one that is like no
 * other.
 */
export function likenessOf(labels: Readonly<Record<string, string>> | undefined): string | undefined {
  const name = ALIKE.find((label) => labels?.[label]);
  return name && `${name}=${labels![name]}`;
}
