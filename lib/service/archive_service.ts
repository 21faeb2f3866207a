/** The interface of the archive: completed workflows that are stored in a database. */
import type { Workflow } from "@tiphys/model/api";
import type { PageQuery, ResubmitRequest, RetryRequest, WorkflowPage } from "./service.ts";

/** The conditions of a list of archived workflows. */
export interface ArchiveQuery extends PageQuery {
  /** Only workflows with exactly this name. */
  readonly name?: string | undefined;
}

/** Identifies an archived workflow. Several may have the same name, so the UID is required. */
export interface ArchivedId {
  readonly uid: string;
  /** The namespace that it must be in. Any namespace if undefined. */
  readonly namespace?: string | undefined;
}

/**
 * Archived workflows, the most recently started first. Errors are those of {@link WorkflowService}, with `notFound` for
 * a missing workflow.
 */
export interface ArchiveService {
  /** Returns one page of a namespace, or of all namespaces, without templates and nodes. */
  list(namespace: string | undefined, query?: ArchiveQuery): Promise<WorkflowPage>;
  /** Returns one workflow with all its nodes. */
  get(id: ArchivedId): Promise<Workflow>;
  delete(id: ArchivedId): Promise<void>;
  /** Creates the same workflow again under a new name. */
  resubmit(id: ArchivedId, options?: ResubmitRequest): Promise<Workflow>;
  /** Restores a workflow to the cluster, where it resumes from the nodes that failed. Its name must not be in use. */
  retry(id: ArchivedId, options?: RetryRequest): Promise<Workflow>;
  /** The names of all labels. */
  labelKeys(namespace?: string): Promise<readonly string[]>;
  /** The values of a label. */
  labelValues(key: string, namespace?: string): Promise<readonly string[]>;
}
