/** The context of a check: what is known of the document. */
import type {
  ClusterWorkflowTemplate,
  PathSegments,
  Read,
  Template,
  WorkflowSpec,
  WorkflowTemplate,
} from "@tiphys/model/api";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/**
 * Finds the templates that a document refers to; undefined when there is none of that name, and a problem when there is one
 * that cannot be read. Without a lookup, references
 * to other documents are not followed.
 */
export interface TemplateLookup {
  /** Whether templates that are not found may still exist, out of our sight: then their absence is no error. */
  readonly allowMissing?: boolean;
  workflowTemplate(name: string): Read<Pick<WorkflowTemplate, "spec">> | undefined;
  clusterWorkflowTemplate(name: string): Read<Pick<ClusterWorkflowTemplate, "spec">> | undefined;
}

/** The document whose templates a call by name means. */
export interface Home {
  readonly spec: WorkflowSpec;
  /** The path of its spec in the document being checked; undefined for another document. */
  readonly path?: PathSegments;
}

/** The state of the check of one document. */
export interface Context {
  readonly report: Report;
  readonly lookup?: TemplateLookup;
  /** The names that every template may use; grows as templates that export outputs are met. */
  readonly globals: Scope;
  /** The globals whose values are known: the workflow's own parameters. */
  readonly values: ReadonlyMap<string, string>;
  /** The templates whose bodies have been checked. */
  readonly checked: Set<Template>;
  /** The templates whose bodies are being checked: each is called by the one before it. */
  readonly open: Set<Template>;
}
