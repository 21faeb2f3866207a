/** The interface of the service: everything that a person, or a page, asks of workflows and what they are made from. */
import type {
  ArtifactRepository,
  ClusterWorkflowTemplate,
  CronWorkflow,
  NodePhase,
  Workflow,
  WorkflowTemplate,
} from "../api/mod.ts";
import type { Moved, Place, Target } from "../artifact/mod.ts";
import type { Held } from "../confined/mod.ts";
import type { Reason } from "../explain/mod.ts";
import type { KubeObject, WatchEvent } from "../kube/mod.ts";
import type { Reach } from "../net/mod.ts";
import type { Problem } from "../validate/mod.ts";
import type { ParameterValues, SourceKind, SubmitOptions } from "../workflow_actions/mod.ts";

/** The conditions that the workflows of a list meet. */
export interface WorkflowQuery {
  /** Kubernetes' selector of labels: `a=b,c!=d`. */
  readonly labelSelector?: string | undefined;
  /** Kubernetes' selector of fields: `metadata.name=a`. */
  readonly fieldSelector?: string | undefined;
  /** Only in one of these phases. */
  readonly phases?: readonly string[] | undefined;
  /** Only workflows that have ended, or only those that have not. */
  readonly completed?: boolean | undefined;
  /** Only workflows that were made by resubmit. */
  readonly resubmitted?: boolean | undefined;
  readonly namePrefix?: string | undefined;
  readonly finishedBefore?: Date | undefined;
  readonly createdAfter?: Date | undefined;
}

/** One part of a long list. */
export interface PageQuery extends WorkflowQuery {
  /** The most workflows that are looked at for a page; the answer has fewer where the rest of the query leaves some out. */
  readonly limit?: number | undefined;
  /** The token of the page before, from which this one goes on. */
  readonly continue?: string | undefined;
}

/** Workflows of a list, and where the next page begins, if there is one. */
export interface WorkflowPage {
  readonly items: readonly Workflow[];
  readonly continue?: string | undefined;
}

/**
 * The options of creating an object. `client`: nothing is sent; `server`: the server answers what it would have made.
 */
export interface CreateOptions {
  readonly dryRun?: "client" | "server" | undefined;
}

/** An object of the cluster that a workflow is made from. */
export interface WorkflowSource {
  readonly kind: SourceKind;
  readonly name: string;
}

/** The choice of nodes that go on, or fail, in place of the whole workflow. */
export interface NodeChoice {
  readonly nodeFieldSelector?: string | undefined;
}

/** The options of stopping a workflow. The message is that of the chosen nodes. */
export interface StopOptions extends NodeChoice {
  readonly message?: string | undefined;
}

/** The values that are set on suspended nodes. */
export interface SetOptions {
  readonly nodeFieldSelector: string;
  readonly phase?: NodePhase | undefined;
  readonly message?: string | undefined;
  readonly outputs?: ParameterValues | undefined;
}

/** The nodes that are retried beside the failed ones, and the new arguments. */
export interface RetryRequest extends NodeChoice {
  readonly restartSuccessful?: boolean | undefined;
  readonly parameters?: ParameterValues | undefined;
  /** The version of the workflow that the retry was planned on: a conflict where it is another by now. */
  readonly resourceVersion?: string | undefined;
}

/** The options of resubmitting a workflow. */
export interface ResubmitRequest {
  /** Nodes that succeeded are not run again. */
  readonly memoized?: boolean | undefined;
  readonly priority?: number | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** The options of deleting a workflow. */
export interface DeleteRequest {
  /** Deletes the workflow also where a finalizer holds it back: the finalizers are removed. */
  readonly force?: boolean | undefined;
}

/** The choice of log lines and of the pods that wrote them. */
export interface LogRequest {
  readonly podName?: string | undefined;
  /** Only pods with these labels, beside the workflow's own. */
  readonly labelSelector?: string | undefined;
  /** The container whose log is read; `main` when absent. */
  readonly container?: string | undefined;
  /** Goes on until the workflow has ended and its streams have. */
  readonly follow?: boolean | undefined;
  /** The log of the container before it was started anew, in place of the present one. */
  readonly previous?: boolean | undefined;
  /** Each line with its time. */
  readonly timestamps?: boolean | undefined;
  readonly sinceTime?: string | undefined;
  readonly sinceSeconds?: number | undefined;
  /** The number of lines of each pod, counted from the end. */
  readonly tailLines?: number | undefined;
  /** The most bytes of each pod's log, counted from where it begins; the last line may be cut. */
  readonly limitBytes?: number | undefined;
  /** Only lines in which this regular expression (Go's syntax) is found. */
  readonly grep?: string | undefined;
}

/** One line of a pod, without its end. */
export interface LogLine {
  readonly podName: string;
  readonly line: string;
}

/** An artifact of a workflow. */
export interface ArtifactChoice {
  readonly nodeId: string;
  readonly artifactName: string;
  /** Whether an input artifact of the node is meant, in place of an output. */
  readonly isInput?: boolean | undefined;
}

/** The means to ask the store of an artifact. */
export interface StoreRequest {
  readonly signal: AbortSignal;
  /** Variables that connections heed: proxies. Credentials are those of the cluster. */
  readonly env?: ((name: string) => string | undefined) | undefined;
  /** Decides which addresses of stores are connected to; without it the default of {@link openReach}. */
  readonly reach?: Reach | undefined;
}

/** The target of an artifact that is fetched, and the means to fetch it. */
export interface LoadRequest extends StoreRequest {
  /** The target of the artifact: nothing lies there before, nor afterwards when it could not be fetched whole. */
  readonly target: Target;
}

/** A repository of artifacts by its name: a key of a ConfigMap; without either, the usual one of the namespace. */
export interface RepositoryChoice {
  readonly configMap?: string | undefined;
  readonly key?: string | undefined;
}

/** A store that is open for writing. Disposing of it ends its connections. */
export interface OpenStore extends AsyncDisposable {
  /**
   * Saves a file as the object of a key, or a folder as objects below it. `onObject` is told the bytes of each object once
   * it is there. An error of the store has nothing secret in its message; the object that it is about is not there.
   */
  save(key: string, held: Held, onObject?: (bytes: number) => void): Promise<Moved>;
}

/** The objects that an artifact is in its store. */
export interface ArtifactSize {
  readonly objects: number;
  /** Of all of them together, where the store tells that of each. */
  readonly bytes?: number;
}

/** The metadata that every stored object has. */
export interface Stored {
  readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined };
}

/** An object of any kind of ours. */
export type Lintable = Pick<KubeObject, "kind"> & Stored;

/** Objects of one kind that workflows are made from. The namespace counts for kinds that have one only. */
export interface TemplateStore<T extends Stored> {
  /** The objects of a namespace, or of all when none is given. */
  list(namespace: string | undefined, options?: { readonly labelSelector?: string | undefined }): Promise<T[]>;
  get(namespace: string, name: string): Promise<T>;
  create(namespace: string, object: KubeObject): Promise<T>;
  /** Gives the object of this name this content, whatever it was; there must be one. */
  update(namespace: string, object: KubeObject): Promise<T>;
  delete(namespace: string, name: string): Promise<void>;
}

/** Cron workflows, whose schedules can be suspended. */
export interface CronWorkflowStore extends TemplateStore<CronWorkflow> {
  suspend(namespace: string, name: string): Promise<CronWorkflow>;
  resume(namespace: string, name: string): Promise<CronWorkflow>;
}

/**
 * Workflows, and what they are made from: one interface for who asks a cluster and who asks a server. A change is made from
 * the workflow as it is at that moment, and made anew when somebody else wrote meanwhile.
 *
 * Errors: an `ActionError` for what the state of a workflow does not allow, and what `sortError` sorts (`notFound`,
 * `alreadyExists`, `forbidden`, …) for the rest.
 */
export interface WorkflowService {
  /** One page of a namespace, or of all namespaces, in the server's order. */
  list(namespace: string | undefined, query?: PageQuery): Promise<WorkflowPage>;
  /** One workflow with all its nodes. */
  get(namespace: string, name: string): Promise<Workflow>;
  /**
   * Changes of a namespace, or of all: first the workflows that are there, as ADDED. Ends with the signal, and where the
   * server ends it.
   */
  watch(namespace: string | undefined, query: WorkflowQuery, signal: AbortSignal): AsyncIterable<WatchEvent<Workflow>>;
  /**
   * The workflow as it is, then after each change, until it has finished, was deleted, or the signal is aborted. A connection
   * that breaks is opened anew, for half a minute.
   */
  follow(namespace: string, name: string, signal?: AbortSignal): AsyncIterable<Workflow>;
  /** Creates a workflow as it is written; its own namespace goes before the given one. */
  create(namespace: string, workflow: Workflow, options?: CreateOptions): Promise<Workflow>;
  /** Creates a workflow of a template, or of a cron workflow. */
  submit(
    namespace: string,
    source: WorkflowSource,
    options?: SubmitOptions,
    how?: CreateOptions,
  ): Promise<Workflow>;
  /** Asks a workflow to end with its exit handlers; with a node selector, fails these suspended nodes instead. */
  stop(namespace: string, name: string, options?: StopOptions): Promise<void>;
  /** Asks a workflow to end at once. */
  terminate(namespace: string, name: string): Promise<void>;
  /** Lets a workflow start nothing new. */
  suspend(namespace: string, name: string): Promise<void>;
  /** Lets a suspended workflow go on; with a node selector, these nodes only. */
  resume(namespace: string, name: string, choice?: NodeChoice): Promise<Workflow>;
  /** Sets what suspended nodes wait for. */
  set(namespace: string, name: string, options: SetOptions): Promise<Workflow>;
  /** Lets a workflow go on where it failed; pods in its way are deleted first. */
  retry(namespace: string, name: string, options?: RetryRequest): Promise<Workflow>;
  /** Makes the same workflow again, under a new name. */
  resubmit(namespace: string, name: string, options?: ResubmitRequest): Promise<Workflow>;
  delete(namespace: string, name: string, options?: DeleteRequest): Promise<void>;
  /**
   * The reasons why a workflow waits, and the nodes that wait: causes outside the workflow come first. None for one
   * that is over and stays.
   */
  why(namespace: string, name: string): Promise<Reason[]>;
  /**
   * The log lines of a workflow's pods in the order of their times; with `follow`, new lines as they are written. Pods
   * that are gone have no lines.
   */
  logs(namespace: string, name: string, request?: LogRequest, signal?: AbortSignal): AsyncIterable<LogLine>;
  /** Brings an output artifact as its store has it: archives stay packed, and a folder is a folder. */
  loadArtifact(workflow: Workflow, choice: ArtifactChoice, request: LoadRequest): Promise<void>;
  /** Asks the store of an artifact how much lies there. */
  measureArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<ArtifactSize>;
  /**
   * Deletes an output artifact of a workflow that is over from its store, and says so in its status. Resolves to the
   * number of objects that were there.
   */
  removeArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<number>;
  /** The artifact repository that a ConfigMap of a namespace names; undefined where there is none. */
  artifactRepository(namespace: string, choice?: RepositoryChoice): Promise<ArtifactRepository | undefined>;
  /** Opens the store of a place for writing, with the Secrets of a namespace that it names. */
  openStore(namespace: string, place: Place, request: StoreRequest): Promise<OpenStore>;
  /** The problems of an object of any of the four kinds, checked together with the stored templates. */
  lint(namespace: string, object: Lintable): Promise<readonly Problem[]>;
  readonly templates: TemplateStore<WorkflowTemplate>;
  readonly clusterTemplates: TemplateStore<ClusterWorkflowTemplate>;
  readonly cronWorkflows: CronWorkflowStore;
}
