/** A finding of the preflight: one fact about the cluster that matters to a takeover. */

/**
 * `problem`: an obstacle, the takeover would not work. `warning`: the takeover works, and something should be checked.
 * `ok`: a fact, for people.
 */
export type Severity = "ok" | "warning" | "problem";

/** The parts of a preflight. */
export type CheckName = "cluster" | "crds" | "controller" | "lease" | "rights" | "settings" | "objects";

export interface Finding {
  readonly check: CheckName;
  readonly severity: Severity;
  /** The object or right that it is about: `WorkflowTemplate/argo/build`, `patch configmaps`. */
  readonly subject: string;
  /** The field, where it is about one. */
  readonly path?: string;
  readonly message: string;
}
