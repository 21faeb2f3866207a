/** A finding of the preflight: one fact about the cluster that matters for a takeover. */

/**
 * `problem`: the takeover would fail. `warning`: the takeover works, but something should be checked. `ok`:
 * information.
 */
export type Severity = "ok" | "warning" | "problem";

/** The checks of a preflight. */
export type CheckName = "cluster" | "crds" | "controller" | "lease" | "rights" | "settings" | "objects";

export interface Finding {
  readonly check: CheckName;
  readonly severity: Severity;
  /** The object or permission that the finding is about: `WorkflowTemplate/argo/build`, `patch configmaps`. */
  readonly subject: string;
  /** The field that it is about, if any. */
  readonly path?: string;
  readonly message: string;
}
