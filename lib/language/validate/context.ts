/** The context of a check. */
import type {
  ClusterWorkflowTemplate,
  PathSegments,
  ReadResult,
  Template,
  WorkflowSpec,
  WorkflowTemplate,
} from "@tiphys/model/api";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/**
 * Resolves templates that a document refers to: undefined when it does not exist, and a problem when it is invalid.
 * Without a lookup, references to other documents are not followed.
 */
export interface TemplateLookup {
  /** Whether missing templates may exist elsewhere, so that they are not reported. */
  readonly allowMissing?: boolean;
  workflowTemplate(name: string): ReadResult<Pick<WorkflowTemplate, "spec">> | undefined;
  clusterWorkflowTemplate(name: string): ReadResult<Pick<ClusterWorkflowTemplate, "spec">> | undefined;
}

/** The document in which calls by name are resolved. */
export interface ResolvingDocument {
  readonly spec: WorkflowSpec;
  /** The path of its spec in the checked document; undefined for another document. */
  readonly path?: PathSegments;
}

/** The state of checking one document. */
export interface Context {
  readonly report: Report;
  readonly lookup?: TemplateLookup;
  /** The names that all templates may use; grows with the global outputs of visited templates. */
  readonly globals: Scope;
  /** Globals with known values: the workflow's own parameters. */
  readonly values: ReadonlyMap<string, string>;
  /** Templates whose bodies have been checked. */
  readonly checked: Set<Template>;
  /** Templates whose bodies are being checked: each is called by the previous one. */
  readonly open: Set<Template>;
}
