/** The service over a cluster: operations are requests to the Kubernetes API. */
import { withRequiredFields } from "@tiphys/model/api/required_fields";
import {
  type ArtifactRepository,
  type ClusterWorkflowTemplate,
  storedClusterWorkflowTemplate,
  storedWorkflowTemplate,
  type Workflow,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import type { Place } from "@tiphys/model/artifact";
import {
  classifyError,
  CLUSTER_WORKFLOW_TEMPLATES,
  type KubeClient,
  type KubeObject,
  listMetadata,
  type Resource,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import type { OffloadedNodes } from "@tiphys/model/nodes";
import { hasFinished } from "@tiphys/model/status";
import type { LintOptions, Problem } from "@tiphys/language/validate";
import type { Reason } from "@tiphys/engine/explain";
import {
  ActionError,
  type Actor,
  type ActorAction,
  actorLabels,
  applySubmitOptions,
  formulateResubmit,
  formulateRetry,
  resumeWorkflow,
  setNodes,
  type SubmitOptions,
  withActor,
  workflowFromTemplate,
  workflowStartedFromCron,
} from "@tiphys/engine/workflow_actions";
import { changeWorkflow, checkVersion, type Cluster, getWorkflow, performRetry, shutDown } from "./change.ts";
import { recreateWorkflow } from "./recreate_workflow.ts";
import { followWorkflow } from "./follow.ts";
import { placeInInstance, queryOfInstance } from "./instance.ts";
import { listPage, watchWorkflows } from "./list.ts";
import { nameSuffix } from "./name_suffix.ts";
import type { AddressPolicy } from "@tiphys/base/net";
import { workflowLogs } from "./logs.ts";
import type {
  ArtifactChoice,
  ArtifactSize,
  CreateOptions,
  DeleteRequest,
  Lintable,
  LoadRequest,
  LogRequest,
  NameQuery,
  NodeChoice,
  OpenStore,
  PageQuery,
  RepositoryChoice,
  ResubmitRequest,
  RetryRequest,
  SetOptions,
  StopOptions,
  StoreRequest,
  WorkflowName,
  WorkflowQuery,
  WorkflowService,
  WorkflowSource,
} from "./service.ts";
import { referenceName, referredTemplates } from "./stored_templates.ts";
import { storedWorkflows } from "./stored_objects.ts";
import { ClusterCronWorkflows, ClusterTemplates, overwrite } from "./templates.ts";

/**
 * The user on whose behalf a server acts. Without an actor the user is anonymous, and labels of the last actor are
 * removed.
 */
export interface Caller {
  readonly actor?: Actor | undefined;
}

/** Options of a service besides its cluster. */
export interface ServiceOptions {
  /** Set by a server to the user on whose behalf it acts. */
  readonly caller?: Caller | undefined;
  /** The database with the nodes of the largest workflows, if available. */
  readonly offloaded?: OffloadedNodes | undefined;
  /**
   * The controller instance whose objects are listed and created. If undefined, all objects are listed and new ones
   * have no instance.
   */
  readonly instanceId?: string | undefined;
  /**
   * Decides which addresses of stores may be connected to, unless a request does, because workflows name them. By
   * default other machines are reachable, but not metadata servers; a user's own program can reach everything that the
   * user can.
   */
  readonly reach?: AddressPolicy | undefined;
  /** Checks an object in another thread. By default it is checked in this one. */
  readonly lintObject?: ((object: Lintable, options: LintOptions) => Promise<readonly Problem[]>) | undefined;
}

/** Serves the workflows of a cluster. */
export class ClusterService implements WorkflowService {
  readonly templates: ClusterTemplates<WorkflowTemplate>;
  readonly clusterTemplates: ClusterTemplates<ClusterWorkflowTemplate>;
  readonly cronWorkflows: ClusterCronWorkflows;
  readonly #client: KubeClient;
  readonly #now: () => Date;
  readonly #caller: Caller | undefined;
  readonly #cluster: Cluster;
  readonly #reach: AddressPolicy | undefined;
  readonly #instanceId: string | undefined;
  readonly #lintObject: ServiceOptions["lintObject"];

  /** @param now returns the times that changes are dated with. */
  constructor(
    client: KubeClient,
    now: () => Date = () => new Date(),
    { caller, offloaded, instanceId, reach, lintObject }: ServiceOptions = {},
  ) {
    this.#reach = reach;
    this.#client = client;
    this.#now = now;
    this.#caller = caller;
    this.#cluster = { client, offloaded };
    this.#instanceId = instanceId;
    this.#lintObject = lintObject;
    this.templates = new ClusterTemplates(client, WORKFLOW_TEMPLATES, storedWorkflowTemplate, instanceId);
    this.clusterTemplates = new ClusterTemplates(
      client,
      CLUSTER_WORKFLOW_TEMPLATES,
      storedClusterWorkflowTemplate,
      instanceId,
    );
    this.cronWorkflows = new ClusterCronWorkflows(client, instanceId);
  }

  async list(namespace: string | undefined, query: PageQuery = {}) {
    return await listPage(this.#client, namespace, queryOfInstance(query, this.#instanceId));
  }

  async names(
    namespace: string | undefined,
    query: NameQuery,
    signal?: AbortSignal,
  ): Promise<readonly WorkflowName[]> {
    const options = queryOfInstance<NameQuery & { readonly labelSelector?: string }>(query, this.#instanceId);
    const { items } = await listMetadata(this.#client, WORKFLOWS, namespace, options, signal);
    return items.map(({ metadata }) => ({ name: metadata.name ?? "", namespace: metadata.namespace ?? "" }));
  }

  async get(namespace: string, name: string): Promise<Workflow> {
    return await getWorkflow(this.#cluster, namespace, name);
  }

  watch(namespace: string | undefined, query: WorkflowQuery, signal: AbortSignal) {
    return watchWorkflows(this.#cluster, namespace, queryOfInstance(query, this.#instanceId), signal);
  }

  follow(namespace: string, name: string, signal = neverAborted()): AsyncIterable<Workflow> {
    return followWorkflow(this.#cluster, namespace, name, signal);
  }

  async create(namespace: string, submitted: Workflow, { dryRun }: CreateOptions = {}): Promise<Workflow> {
    const workflow = this.#instanceId ? placeInInstance(submitted, this.#instanceId) : submitted;
    const where = workflow.metadata.namespace ?? namespace;
    if (dryRun === "client") return { ...workflow, metadata: { namespace: where, ...workflow.metadata } };
    return await storedWorkflows(this.#client).create(where, workflow, { dryRun: dryRun === "server" });
  }

  async submit(
    namespace: string,
    source: WorkflowSource,
    options: SubmitOptions = {},
    createOptions: CreateOptions = {},
  ): Promise<Workflow> {
    return await this.create(
      namespace,
      applySubmitOptions(await this.#workflowOf(namespace, source), options),
      createOptions,
    );
  }

  async #workflowOf(namespace: string, { kind, name }: WorkflowSource): Promise<Workflow> {
    switch (kind) {
      case "CronWorkflow":
        return workflowStartedFromCron(await this.cronWorkflows.get(namespace, name), this.#now());
      case "WorkflowTemplate":
        await this.templates.get(namespace, name);
        return workflowFromTemplate(kind, name);
      case "ClusterWorkflowTemplate":
        await this.clusterTemplates.get(namespace, name);
        return workflowFromTemplate(kind, name);
    }
  }

  async stop(namespace: string, name: string, { nodeFieldSelector, message }: StopOptions = {}): Promise<void> {
    if (!nodeFieldSelector) return await shutDown(this.#client, namespace, name, "Stop", this.#signature("Stop"));
    const values = { phase: "Failed", message } as const;
    await this.#change(
      namespace,
      name,
      "Stop",
      (workflow) => setNodes(workflow, nodeFieldSelector, values, this.#now()),
    );
  }

  async terminate(namespace: string, name: string): Promise<void> {
    await shutDown(this.#client, namespace, name, "Terminate", this.#signature("Terminate"));
  }

  async suspend(namespace: string, name: string): Promise<void> {
    const stored = await storedWorkflows(this.#client).get(namespace, name);
    if (hasFinished(stored)) throw new ActionError("cannot suspend completed workflows");
    const metadata = this.#signature("Suspend");
    await this.#client.patch(WORKFLOWS, namespace, name, { metadata, spec: { suspend: true } });
  }

  async resume(namespace: string, name: string, { nodeFieldSelector }: NodeChoice = {}): Promise<Workflow> {
    const options = { nodeFieldSelector, by: this.#caller?.actor };
    return await this.#change(namespace, name, "Resume", (workflow) => resumeWorkflow(workflow, this.#now(), options));
  }

  async set(namespace: string, name: string, { nodeFieldSelector, ...values }: SetOptions): Promise<Workflow> {
    const set = (workflow: Workflow) => setNodes(workflow, nodeFieldSelector, values, this.#now());
    return await this.#change(namespace, name, undefined, set);
  }

  async retry(namespace: string, name: string, options: RetryRequest = {}): Promise<Workflow> {
    return await performRetry(this.#cluster, namespace, name, (workflow) => {
      checkVersion(workflow, options.resourceVersion);
      const { podsToDelete, workflow: retried } = formulateRetry(workflow, options, this.#now());
      return { podsToDelete, workflow: this.#signed(retried, "Retry") };
    });
  }

  async #change(
    namespace: string,
    name: string,
    action: ActorAction | undefined,
    change: (workflow: Workflow) => Workflow,
  ): Promise<Workflow> {
    return await changeWorkflow(this.#cluster, namespace, name, (workflow) => {
      const changed = change(workflow);
      return changed === workflow ? workflow : this.#signed(changed, action);
    });
  }

  #signed(workflow: Workflow, action: ActorAction | undefined): Workflow {
    return this.#caller ? withActor(workflow, action, this.#caller.actor) : workflow;
  }

  #signature(action: ActorAction): { readonly labels?: Record<string, string | null> } {
    return this.#caller ? { labels: actorLabels(action, this.#caller.actor) } : {};
  }

  async resubmit(namespace: string, name: string, options: ResubmitRequest = {}): Promise<Workflow> {
    const { memoized, priority, parameters } = options;
    const earlier = await this.get(namespace, name);
    const how = { parameters, priority, memoized: memoized ? { suffix: nameSuffix() } : undefined };
    return await this.create(namespace, formulateResubmit(earlier, how, this.#now()));
  }

  async delete(namespace: string, name: string, { force }: DeleteRequest = {}): Promise<void> {
    if (force) await this.#client.patch(WORKFLOWS, namespace, name, { metadata: { finalizers: null } });
    try {
      await this.#client.delete(WORKFLOWS, namespace, name, { propagationPolicy: "Background" });
    } catch (error) {
      // A workflow that was already being deleted disappears with its last finalizer.
      if (!force || classifyError(error) !== "notFound") throw error;
    }
  }

  async why(namespace: string, name: string): Promise<Reason[]> {
    const { whyWaiting } = await import("./why.ts");
    return await whyWaiting(this.#cluster, namespace, name, this.#now());
  }

  logs(namespace: string, name: string, request: LogRequest = {}, signal = neverAborted()) {
    return workflowLogs({ ...this.#cluster, reach: this.#reach, namespace, workflowName: name }, request, signal);
  }

  async loadArtifact(workflow: Workflow, choice: ArtifactChoice, request: LoadRequest): Promise<void> {
    const { loadArtifact } = await import("./artifacts.ts");
    await loadArtifact(this.#client, workflow, choice, { reach: this.#reach, ...request });
  }

  async measureArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<ArtifactSize> {
    const { measureArtifact } = await import("./artifacts.ts");
    return await measureArtifact(this.#client, workflow, choice, { reach: this.#reach, ...request });
  }

  async removeArtifact({ metadata }: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<number> {
    const { namespace = "", name = "" } = metadata;
    const [{ createRemoval: removalOf, withDeleted }, { removePlace: removeAt }] = await Promise.all([
      import("./removal.ts"),
      import("./artifacts.ts"),
    ]);
    const workflow = await this.get(namespace, name);
    const { place, gone } = removalOf(workflow, choice);
    const removed = await removeAt(this.#client, workflow, place, { reach: this.#reach, ...request });
    await this.#change(namespace, name, undefined, (now) => withDeleted(now, gone));
    return removed;
  }

  async artifactRepository(namespace: string, choice?: RepositoryChoice): Promise<ArtifactRepository | undefined> {
    const { storedRepository } = await import("./stored_repository.ts");
    return (await storedRepository(this.#client, namespace, choice))?.artifactRepository;
  }

  async openStore(namespace: string, location: Place, request: StoreRequest): Promise<OpenStore> {
    const { openStore } = await import("./artifacts.ts");
    return await openStore(this.#client, namespace, location, { reach: this.#reach, ...request });
  }

  async lint(namespace: string, object: Lintable, options: LintOptions = {}): Promise<readonly Problem[]> {
    const referred = await referredTemplates(this, namespace, [object]);
    const stored = referred.filter((kubeObject) => referenceName(kubeObject) !== referenceName(object));
    if (this.#lintObject) return await this.#lintObject(object, { ...options, stored });
    const { lintObjects } = await import("./lint_objects.ts");
    return lintObjects([object], stored, options);
  }

  /**
   * Creates a workflow. A finished workflow with the same name is deleted first. Resolves when its pods are deleted.
   * @throws {NameInUseError} when a workflow with this name has not finished.
   */
  async recreate(namespace: string, workflow: Workflow): Promise<Workflow> {
    return await recreateWorkflow(this.#client, workflow.metadata.namespace ?? namespace, workflow);
  }

  /** Creates an object of any kind, or replaces the content of an existing one. */
  async createOrReplace(namespace: string, resource: Resource, submitted: KubeObject): Promise<KubeObject> {
    const object = withRequiredFields(submitted, resource.kind);
    const within = resource.namespaced ? object.metadata.namespace ?? namespace : undefined;
    try {
      return await this.#client.create(resource, within, object);
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
      return await overwrite(this.#client, resource, within, object);
    }
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
