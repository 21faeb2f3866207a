/** A finding of the preflight: one thing that a take-over would meet. */

/** `problem`: something would not work. `warning`: somebody should look at it. `ok`: how it is, for people. */
export type Severity = "ok" | "warning" | "problem";

/** The parts of a preflight. */
export type CheckName = "cluster" | "controller" | "lease" | "rights" | "settings" | "objects";

export interface Finding {
  readonly check: CheckName;
  readonly severity: Severity;
  /** The object or right that it is about: `WorkflowTemplate/argo/build`, `patch configmaps`. */
  readonly subject: string;
  /** The field, where it is about one. */
  readonly path?: string;
  readonly message: string;
}
