/** A public bug report about a part of Tiphys that no run of a workflow shows: a call and its result. */
import type { FieldReport } from "./field_report.ts";

/** A report as a row of a table. */
export interface CallReport extends Pick<FieldReport, "issues" | "behavior" | "argo"> {
  /** Calls what the report is about. Its result may be a promise. */
  readonly call: () => unknown;
  /** The expected result. */
  readonly returns: unknown;
}
