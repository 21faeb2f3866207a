/** The interface of the service: everything that users and pages do with workflows and their templates. */
import type {
  ArtifactRepository,
  ClusterWorkflowTemplate,
  CronWorkflow,
  NodePhase,
  Workflow,
  WorkflowTemplate,
} from "@tiphys/model/api";
import type { Place } from "@tiphys/model/artifact";
import type { Target, TransferResult } from "@tiphys/artifacts/transfer";
import type { Handle } from "@tiphys/base/confined";
import type { Reason } from "@tiphys/engine/explain";
import type { KubeObject } from "@tiphys/kube";
import type { WatchEvent } from "@tiphys/kube/informers";
import type { AddressPolicy } from "@tiphys/base/net";
import type { Problem } from "@tiphys/language/validate";
import type { ParameterValues, SourceKind, SubmitOptions } from "@tiphys/engine/workflow_actions";

/** The conditions of a list of workflows. */
export interface WorkflowQuery {
  /** A Kubernetes label selector: `a=b,c!=d`. */
  readonly labelSelector?: string | undefined;
  /** A Kubernetes field selector: `metadata.name=a`. */
  readonly fieldSelector?: string | undefined;
  /** Only workflows in one of these phases. */
  readonly phases?: readonly string[] | undefined;
  /** Only workflows that have ended (true), or that have not (false). */
  readonly completed?: boolean | undefined;
  /** Only workflows that were created by resubmit. */
  readonly resubmitted?: boolean | undefined;
  readonly namePrefix?: string | undefined;
  readonly finishedBefore?: Date | undefined;
  readonly createdAfter?: Date | undefined;
}

/** Selects workflows whose names are read. */
export interface NameQuery {
  readonly fieldSelector?: string;
  /** Maximum number of names. */
  readonly limit: number;
}

/** The name of a workflow and its namespace. */
export interface WorkflowName {
  readonly name: string;
  readonly namespace: string;
}

/** A page of a long list. */
export interface PageQuery extends WorkflowQuery {
  /** Maximum number of workflows read for a page. The page has fewer if other conditions exclude some. */
  readonly limit?: number | undefined;
  /** The token of the previous page, after which this one continues. */
  readonly continue?: string | undefined;
}

/** Workflows of a list, and the token of the next page, if there is one. */
export interface WorkflowPage {
  readonly items: readonly Workflow[];
  readonly continue?: string | undefined;
}

/**
 * Options of creating an object. `client`: nothing is sent; `server`: the server returns what it would have created.
 */
export interface CreateOptions {
  readonly dryRun?: "client" | "server" | undefined;
}

/** An object of the cluster that a workflow is created from. */
export interface WorkflowSource {
  readonly kind: SourceKind;
  readonly name: string;
}

/** Selects nodes to resume or fail, instead of the whole workflow. */
export interface NodeChoice {
  readonly nodeFieldSelector?: string | undefined;
}

/** Options of stopping a workflow. The message is set on the selected nodes. */
export interface StopOptions extends NodeChoice {
  readonly message?: string | undefined;
}

/** The values to set on suspended nodes. */
export interface SetOptions {
  readonly nodeFieldSelector: string;
  readonly phase?: NodePhase | undefined;
  readonly message?: string | undefined;
  readonly outputs?: ParameterValues | undefined;
}

/** The nodes to retry in addition to the failed ones, and new arguments. */
export interface RetryRequest extends NodeChoice {
  readonly restartSuccessful?: boolean | undefined;
  readonly parameters?: ParameterValues | undefined;
  /** The version of the workflow that the retry was planned for. Another version is a conflict. */
  readonly resourceVersion?: string | undefined;
}

/** Options of resubmitting a workflow. */
export interface ResubmitRequest {
  /** Whether nodes that succeeded are not run again. */
  readonly memoized?: boolean | undefined;
  readonly priority?: number | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** Options of deleting a workflow. */
export interface DeleteRequest {
  /** Removes finalizers, so that the workflow is deleted even if a finalizer would keep it. */
  readonly force?: boolean | undefined;
}

/** Selects log lines and the pods that wrote them. */
export interface LogRequest {
  readonly podName?: string | undefined;
  /** Only pods with these labels, in addition to the workflow's label. */
  readonly labelSelector?: string | undefined;
  /** The container whose log is read. Defaults to `main`. */
  readonly container?: string | undefined;
  /** Continues until the workflow and its log streams have ended. */
  readonly follow?: boolean | undefined;
  /** Reads the log of the previous instance of the container instead of the current one. */
  readonly previous?: boolean | undefined;
  /** Whether each line begins with its timestamp. */
  readonly timestamps?: boolean | undefined;
  readonly sinceTime?: string | undefined;
  readonly sinceSeconds?: number | undefined;
  /** Maximum number of lines of each pod, from the end. */
  readonly tailLines?: number | undefined;
  /** Maximum number of bytes of each pod's log, from its start. The last line may be cut. */
  readonly limitBytes?: number | undefined;
  /** Only lines that contain a match of this regular expression (Go's syntax). */
  readonly grep?: string | undefined;
}

/** One line of a pod, without its line end. */
export interface LogLine {
  readonly podName: string;
  readonly line: string;
}

/** An artifact of a workflow. */
export interface ArtifactChoice {
  readonly nodeId: string;
  readonly artifactName: string;
  /** Whether it is an input artifact of the node instead of an output. */
  readonly isInput?: boolean | undefined;
}

/** Options of requests to the store of an artifact. */
export interface StoreRequest {
  readonly signal: AbortSignal;
  /** Environment variables for connections: proxies. Credentials come from the cluster. */
  readonly env?: ((name: string) => string | undefined) | undefined;
  /** Decides which addresses of stores may be connected to. Defaults to that of {@link addressPolicy}. */
  readonly reach?: AddressPolicy | undefined;
}

/** The target of a fetched artifact, and options of the request. */
export interface LoadRequest extends StoreRequest {
  /** The target path. Nothing exists there before, nor after a failure. */
  readonly target: Target;
}

/** An artifact repository: a key of a ConfigMap. If both are undefined, the default repository of the namespace. */
export interface RepositoryChoice {
  readonly configMap?: string | undefined;
  readonly key?: string | undefined;
}

/** A store that is open for writing. Disposing of it closes the connections. */
export interface OpenStore extends AsyncDisposable {
  /**
   * Saves a file as the object of a key, or a folder as objects below it. `onObject` receives the size of each saved
   * object. The message of a store error contains no secrets; the object that failed does not exist then.
   */
  save(key: string, handle: Handle, onObject?: (bytes: number) => void): Promise<TransferResult>;
}

/** The objects of an artifact in its store. */
export interface ArtifactSize {
  readonly objects: number;
  /** Total size, if the store reports the size of each object. */
  readonly bytes?: number;
}

/** The metadata that every stored object has. */
export interface StoredObject {
  readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined };
}

/** An object of any kind that can be linted. */
export type Lintable = Pick<KubeObject, "kind"> & StoredObject;

/** Objects of one kind that workflows are created from. The namespace is ignored for cluster-scoped kinds. */
export interface TemplateStore<T extends StoredObject> {
  /** Returns the objects of a namespace, or of all namespaces if undefined. */
  list(namespace: string | undefined, options?: { readonly labelSelector?: string | undefined }): Promise<T[]>;
  get(namespace: string, name: string): Promise<T>;
  create(namespace: string, object: KubeObject): Promise<T>;
  /** Replaces the content of the object with this name, which must exist. */
  update(namespace: string, object: KubeObject): Promise<T>;
  delete(namespace: string, name: string): Promise<void>;
}

/** Cron workflows, whose schedules can be suspended. */
export interface CronWorkflowStore extends TemplateStore<CronWorkflow> {
  suspend(namespace: string, name: string): Promise<CronWorkflow>;
  resume(namespace: string, name: string): Promise<CronWorkflow>;
}

/**
 * Workflows and their templates: one interface for clusters and servers. A change is made to the current workflow, and
 * repeated after a conflict.
 *
 * Errors: an `ActionError` for an action that the state of a workflow does not allow; otherwise errors that
 * `classifyError` classifies (`notFound`, `alreadyExists`, `forbidden`, …).
 */
export interface WorkflowService {
  /** Returns one page of a namespace, or of all namespaces, in the server's order. */
  list(namespace: string | undefined, query?: PageQuery): Promise<WorkflowPage>;
  /**
   * Returns the names of at most `limit` workflows, in the server's order. Reads no specs and no nodes, so that it is
   * cheap for any size.
   */
  names(
    namespace: string | undefined,
    query: NameQuery,
    signal?: AbortSignal,
  ): Promise<readonly WorkflowName[]>;
  /** Returns one workflow with all its nodes. */
  get(namespace: string, name: string): Promise<Workflow>;
  /**
   * Yields changes of a namespace, or of all: first the existing workflows, as ADDED. Ends when the signal is aborted
   * or the server ends it.
   */
  watch(namespace: string | undefined, query: WorkflowQuery, signal: AbortSignal): AsyncIterable<WatchEvent<Workflow>>;
  /**
   * Yields the workflow, then again after each change, until it has finished, was deleted, or the signal is aborted. A
   * broken connection is reopened for up to half a minute.
   */
  follow(namespace: string, name: string, signal?: AbortSignal): AsyncIterable<Workflow>;
  /** Creates a workflow as written. Its own namespace takes precedence over the given one. */
  create(namespace: string, workflow: Workflow, options?: CreateOptions): Promise<Workflow>;
  /** Creates a workflow from a template or a cron workflow. */
  submit(
    namespace: string,
    source: WorkflowSource,
    options?: SubmitOptions,
    createOptions?: CreateOptions,
  ): Promise<Workflow>;
  /** Ends a workflow, running its exit handlers. With a node selector, fails these suspended nodes instead. */
  stop(namespace: string, name: string, options?: StopOptions): Promise<void>;
  /** Ends a workflow immediately. */
  terminate(namespace: string, name: string): Promise<void>;
  /** Suspends a workflow: it starts nothing new. */
  suspend(namespace: string, name: string): Promise<void>;
  /** Resumes a suspended workflow. With a node selector, resumes only these nodes. */
  resume(namespace: string, name: string, choice?: NodeChoice): Promise<Workflow>;
  /** Sets the values that suspended nodes wait for. */
  set(namespace: string, name: string, options: SetOptions): Promise<Workflow>;
  /** Retries a workflow from the nodes that failed. Pods in its way are deleted first. */
  retry(namespace: string, name: string, options?: RetryRequest): Promise<Workflow>;
  /** Creates the same workflow again under a new name. */
  resubmit(namespace: string, name: string, options?: ResubmitRequest): Promise<Workflow>;
  delete(namespace: string, name: string, options?: DeleteRequest): Promise<void>;
  /**
   * Returns the reasons why a workflow waits, and the waiting nodes. Causes outside the workflow come first. Empty for
   * a completed workflow.
   */
  why(namespace: string, name: string): Promise<Reason[]>;
  /**
   * Yields the log lines of a workflow's pods ordered by time. With `follow`, also yields new lines as they are
   * written. Deleted pods have no lines.
   */
  logs(namespace: string, name: string, request?: LogRequest, signal?: AbortSignal): AsyncIterable<LogLine>;
  /** Fetches an output artifact as it is stored: archives stay packed, and a folder is a folder. */
  loadArtifact(workflow: Workflow, choice: ArtifactChoice, request: LoadRequest): Promise<void>;
  /** Reads the number of objects of an artifact and their size from its store. */
  measureArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<ArtifactSize>;
  /**
   * Deletes an output artifact of a completed workflow from its store, and marks it as deleted in the status. Resolves
   * to the number of objects.
   */
  removeArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<number>;
  /** Returns the artifact repository in a ConfigMap of a namespace; undefined when it does not exist. */
  artifactRepository(namespace: string, choice?: RepositoryChoice): Promise<ArtifactRepository | undefined>;
  /** Opens the store of a place for writing, with the Secrets of a namespace. */
  openStore(namespace: string, location: Place, request: StoreRequest): Promise<OpenStore>;
  /** Returns the problems of an object of any of the four kinds, checked together with the stored templates. */
  lint(namespace: string, object: Lintable): Promise<readonly Problem[]>;
  readonly templates: TemplateStore<WorkflowTemplate>;
  readonly clusterTemplates: TemplateStore<ClusterWorkflowTemplate>;
  readonly cronWorkflows: CronWorkflowStore;
}
