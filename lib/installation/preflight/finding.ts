/** A finding of the preflight: one fact about the cluster that matters for a takeover. */
import { rightToAdd } from "../right_to_add.ts";

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

/** The finding that a check was omitted because the caller lacks a permission. */
export function notChecked(check: CheckName, subject: string, verb: string, group: string, resource: string): Finding {
  return { check, severity: "warning", subject, message: `not checked: ${rightToAdd(verb, group, resource)}` };
}
