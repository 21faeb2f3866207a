/** What a check of one document knows. */
import type { ClusterWorkflowTemplate, PathSegments, Template, WorkflowSpec, WorkflowTemplate } from "../api/mod.ts";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/**
 * Finds the templates that a document refers to; undefined when there is none of that name. Without a lookup, references
 * to other documents are not followed.
 */
export interface TemplateLookup {
  /** What is not found may still be there, out of our sight: no error then. */
  readonly allowMissing?: boolean;
  workflowTemplate(name: string): Pick<WorkflowTemplate, "spec"> | undefined;
  clusterWorkflowTemplate(name: string): Pick<ClusterWorkflowTemplate, "spec"> | undefined;
}

/** The document whose templates a call by name means. */
export interface Home {
  readonly spec: WorkflowSpec;
  /** Where its spec stands in the document being checked; undefined for another document. */
  readonly path?: PathSegments;
}

/** What a check of one document knows. */
export interface Context {
  readonly report: Report;
  readonly lookup?: TemplateLookup;
  /** The names that every template may use; grows as templates that export outputs are met. */
  readonly globals: Scope;
  /** Those of them whose values are known: the workflow's own parameters. */
  readonly values: ReadonlyMap<string, string>;
  /** The templates whose bodies have been checked. */
  readonly checked: Set<Template>;
}
