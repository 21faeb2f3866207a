/** The interface of the archive: what people ask of workflows that are over and lie in a database. */
import type { Workflow } from "../api/mod.ts";
import type { PageQuery, ResubmitRequest, RetryRequest, WorkflowPage } from "./service.ts";

/** The conditions that the archived workflows of a list meet. */
export interface ArchiveQuery extends PageQuery {
  /** Only of this very name. */
  readonly name?: string | undefined;
}

/** One archived workflow. Several may have had its name, so its UID says which. */
export interface ArchivedId {
  readonly uid: string;
  /** The namespace that it has to be in; any, where it is left out. */
  readonly namespace?: string | undefined;
}

/**
 * Archived workflows, the one that was started last first. What is thrown is what {@link WorkflowService} throws, `notFound`
 * for one that is not there.
 */
export interface ArchiveService {
  /** One page of a namespace, or of all: without templates and nodes. */
  list(namespace: string | undefined, query?: ArchiveQuery): Promise<WorkflowPage>;
  /** One workflow with all its nodes. */
  get(id: ArchivedId): Promise<Workflow>;
  delete(id: ArchivedId): Promise<void>;
  /** Makes the same workflow again, under a new name. */
  resubmit(id: ArchivedId, options?: ResubmitRequest): Promise<Workflow>;
  /** Brings a workflow back to the cluster, where it goes on where it failed. None of its name may be there. */
  retry(id: ArchivedId, options?: RetryRequest): Promise<Workflow>;
  /** The names of all labels. */
  labelKeys(namespace?: string): Promise<readonly string[]>;
  /** The values of a label. */
  labelValues(key: string, namespace?: string): Promise<readonly string[]>;
}
