/** The service over an Argo server: operations are requests to its API. */
import {
  type ArtifactRepository,
  type ClusterWorkflowTemplate,
  storedClusterWorkflowTemplate,
  storedWorkflow,
  storedWorkflowTemplate,
  type Workflow,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import { classifyError, type KubeError } from "@tiphys/kube";
import type { WatchEvent } from "@tiphys/kube/informers";
import type { Problem } from "@tiphys/language/validate";
import { ActionError, type ParameterValues, type SubmitOptions } from "@tiphys/engine/workflow_actions";
import { follow } from "../follow.ts";
import { meetsConditions, selectorsOf } from "../list.ts";
import type {
  ArtifactChoice,
  ArtifactSize,
  CreateOptions,
  DeleteRequest,
  Lintable,
  LoadRequest,
  LogLine,
  LogRequest,
  NameQuery,
  NodeChoice,
  OpenStore,
  PageQuery,
  ResubmitRequest,
  RetryRequest,
  SetOptions,
  StopOptions,
  StoreRequest,
  WorkflowName,
  WorkflowPage,
  WorkflowQuery,
  WorkflowService,
  WorkflowSource,
} from "../service.ts";
import {
  ANY,
  ChangeResponse,
  LineResponse,
  listResponse,
  NamesResponse,
  ReasonsResponse,
  RemovedResponse,
  WorkflowResponse,
} from "./answers.ts";
import { type RequestParts, requestServer, type SendToServer, streamOfServer } from "./exchange.ts";
import { ServerCronWorkflows, ServerTemplates } from "./server_templates.ts";

/** Serves workflows of a cluster behind an Argo server or a Tiphys server. */
export class ServerService implements WorkflowService {
  readonly templates: ServerTemplates<WorkflowTemplate>;
  readonly clusterTemplates: ServerTemplates<ClusterWorkflowTemplate>;
  readonly cronWorkflows: ServerCronWorkflows;
  readonly #send: SendToServer;

  constructor(send: SendToServer) {
    this.#send = send;
    const template = { field: "template" };
    this.templates = new ServerTemplates(send, storedWorkflowTemplate, {
      ...template,
      path: "/api/v1/workflow-templates",
      namespaced: true,
    });
    this.clusterTemplates = new ServerTemplates(send, storedClusterWorkflowTemplate, {
      ...template,
      path: "/api/v1/cluster-workflow-templates",
      namespaced: false,
    });
    this.cronWorkflows = new ServerCronWorkflows(send);
  }

  /**
   * Returns one page. Argo's server does not return a continue token, so if its first page may be incomplete, all
   * workflows are requested. It also treats unfinished workflows as finished before a time; those are removed here.
   */
  async list(namespace: string | undefined, query: PageQuery = {}): Promise<WorkflowPage> {
    const { items, metadata } = await this.#page(namespace, query);
    const { limit = 0, continue: from } = query;
    const mayBeMore = !from && limit > 0 && items.length >= limit && !metadata?.continue;
    const all = mayBeMore ? (await this.#page(namespace, { ...query, limit: undefined })).items : items;
    const found = all.filter((workflow) => meetsConditions(workflow, query));
    return { items: found, ...(metadata?.continue ? { continue: metadata.continue } : {}) };
  }

  async names(
    namespace: string | undefined,
    { fieldSelector, limit }: NameQuery,
    signal?: AbortSignal,
  ): Promise<readonly WorkflowName[]> {
    const { items } = await requestServer(this.#send, "GET", pathOf(namespace), NamesResponse, {
      query: {
        "listOptions.fieldSelector": fieldSelector,
        "listOptions.limit": limit,
        fields: "items.metadata.name,items.metadata.namespace",
      },
      signal,
    });
    return items.map(({ metadata }) => metadata);
  }

  async #page(namespace: string | undefined, query: PageQuery) {
    return await requestServer(this.#send, "GET", pathOf(namespace), listResponse(storedWorkflow), {
      query: { ...queryOf(query), "listOptions.limit": query.limit, "listOptions.continue": query.continue },
    });
  }

  async get(namespace: string, name: string): Promise<Workflow> {
    return await this.#workflow("GET", pathOf(namespace, name));
  }

  watch(namespace: string | undefined, query: WorkflowQuery, signal: AbortSignal) {
    return this.#changes(namespace, query, undefined, signal);
  }

  /** Yields the existing workflows, then their changes. With a `resourceVersion`, yields only the changes after it. */
  async *#changes(
    namespace: string | undefined,
    query: WorkflowQuery,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<Workflow>> {
    const path = `/api/v1/workflow-events/${encodeURIComponent(namespace ?? "")}`;
    const asked = { query: { ...queryOf(query), "listOptions.resourceVersion": resourceVersion }, signal };
    try {
      for await (const { type, object } of streamOfServer(this.#send, path, ChangeResponse, asked)) {
        yield { type, object };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  follow(namespace: string, name: string, signal = neverAborted()): AsyncGenerator<Workflow> {
    const query = { fieldSelector: `metadata.name=${name}` };
    const changes = (version: string | undefined) => this.#changes(namespace, query, version, signal);
    return follow({ get: () => this.get(namespace, name), changes }, signal);
  }

  async create(namespace: string, workflow: Workflow, { dryRun }: CreateOptions = {}): Promise<Workflow> {
    const where = workflow.metadata.namespace ?? namespace;
    const body = {
      namespace: where,
      workflow,
      serverDryRun: dryRun === "server",
      ...(dryRun === "client" ? { createOptions: { dryRun: ["All"] } } : {}),
    };
    return await this.#workflow("POST", pathOf(where), { body });
  }

  async submit(
    namespace: string,
    { kind, name }: WorkflowSource,
    options: SubmitOptions = {},
    { dryRun }: CreateOptions = {},
  ): Promise<Workflow> {
    const submitOptions = {
      name: options.name,
      generateName: options.generateName,
      entryPoint: options.entrypoint,
      serviceAccount: options.serviceAccount,
      priority: options.priority,
      labels: pairsOf(options.labels),
      annotations: pairsOf(options.annotations),
      parameters: textsOf(options.parameters),
      dryRun: dryRun === "client",
      serverDryRun: dryRun === "server",
    };
    const body = { namespace, resourceKind: kind, resourceName: name, submitOptions };
    return await this.#workflow("POST", `${pathOf(namespace)}/submit`, { body });
  }

  async stop(namespace: string, name: string, { nodeFieldSelector, message }: StopOptions = {}): Promise<void> {
    await this.#sendAction(namespace, name, "stop", { nodeFieldSelector, message });
  }

  async terminate(namespace: string, name: string): Promise<void> {
    await this.#sendAction(namespace, name, "terminate", {});
  }

  async suspend(namespace: string, name: string): Promise<void> {
    await this.#sendAction(namespace, name, "suspend", {});
  }

  async resume(namespace: string, name: string, { nodeFieldSelector }: NodeChoice = {}): Promise<Workflow> {
    return await this.#sendAction(namespace, name, "resume", { nodeFieldSelector });
  }

  async set(
    namespace: string,
    name: string,
    { nodeFieldSelector, phase, message, outputs }: SetOptions,
  ): Promise<Workflow> {
    const outputParameters = outputs?.size ? JSON.stringify(Object.fromEntries(outputs)) : undefined;
    return await this.#sendAction(namespace, name, "set", { nodeFieldSelector, phase, message, outputParameters });
  }

  async retry(
    namespace: string,
    name: string,
    { restartSuccessful, nodeFieldSelector, parameters, resourceVersion }: RetryRequest = {},
  ): Promise<Workflow> {
    const body = { restartSuccessful, nodeFieldSelector, parameters: textsOf(parameters), resourceVersion };
    return await this.#sendAction(namespace, name, "retry", body);
  }

  async resubmit(namespace: string, name: string, { memoized, parameters }: ResubmitRequest = {}): Promise<Workflow> {
    return await this.#sendAction(namespace, name, "resubmit", { memoized, parameters: textsOf(parameters) });
  }

  /** Deletes output artifacts. Fails on Argo's server, which does not have this route. */
  async why(namespace: string, name: string): Promise<Reason[]> {
    const { reasons } = await requestServer(this.#send, "GET", `${pathOf(namespace, name)}/why`, ReasonsResponse);
    return reasons;
  }

  async delete(namespace: string, name: string, { force }: DeleteRequest = {}): Promise<void> {
    await requestServer(this.#send, "DELETE", pathOf(namespace, name), ANY, { query: { force } });
  }

  async *logs(
    namespace: string,
    name: string,
    request: LogRequest = {},
    signal = neverAborted(),
  ): AsyncGenerator<LogLine> {
    const query = {
      podName: request.podName,
      selector: request.labelSelector,
      grep: request.grep,
      "logOptions.container": request.container ?? "main",
      "logOptions.follow": request.follow,
      "logOptions.previous": request.previous,
      "logOptions.timestamps": request.timestamps,
      "logOptions.sinceTime": request.sinceTime,
      "logOptions.sinceSeconds": request.sinceSeconds,
      "logOptions.tailLines": request.tailLines,
      "logOptions.limitBytes": request.limitBytes,
    };
    const lines = streamOfServer(
      this.#send,
      `${pathOf(namespace, name)}/log`,
      LineResponse,
      { query, signal },
    );
    try {
      for await (const { content, podName } of lines) yield { line: content ?? "", podName: podName ?? "" };
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async loadArtifact(workflow: Workflow, choice: ArtifactChoice, request: LoadRequest): Promise<void> {
    const { ARTIFACT_ITSELF, ServerArtifact } = await import("./server_artifacts.ts");
    const { loadFrom } = await import("../artifacts.ts");
    const driver = new ServerArtifact(this.#send, workflow, choice);
    try {
      await loadFrom(driver, ARTIFACT_ITSELF, request);
    } finally {
      await driver.close();
    }
  }

  async measureArtifact(workflow: Workflow, choice: ArtifactChoice, request: StoreRequest): Promise<ArtifactSize> {
    const { ARTIFACT_ITSELF, ServerArtifact } = await import("./server_artifacts.ts");
    const { measurePlace: measureIn } = await import("../artifacts.ts");
    const driver = new ServerArtifact(this.#send, workflow, choice);
    try {
      return await measureIn(driver, ARTIFACT_ITSELF, request);
    } finally {
      await driver.close();
    }
  }

  /** A server does not expose its repositories. */
  artifactRepository(): Promise<ArtifactRepository | undefined> {
    return Promise.resolve(undefined);
  }

  /** A server accepts files only for arguments of templates. */
  openStore(): Promise<OpenStore> {
    return Promise.reject(
      new ActionError("an Argo server accepts files only for arguments of templates: connect to the cluster instead"),
    );
  }

  /** Deletes output artifacts. Fails on Argo's server, which does not have this route. */
  async removeArtifact({ metadata }: Workflow, choice: ArtifactChoice, { signal }: StoreRequest): Promise<number> {
    const { namespace = "", name = "" } = metadata;
    const path = [namespace, name, choice.nodeId, choice.artifactName].map(encodeURIComponent).join("/");
    try {
      return (await requestServer(this.#send, "DELETE", `/artifacts/${path}`, RemovedResponse, { signal })).removed;
    } catch (error) {
      if (classifyError(error) === "invalid") throw new ActionError((error as KubeError).message);
      throw error;
    }
  }

  async lint(namespace: string, object: Lintable): Promise<Problem[]> {
    const [path, field] = lintRoute(namespace, object.kind ?? "");
    try {
      await requestServer(this.#send, "POST", `${path}/lint`, ANY, { body: { namespace, [field]: object } });
      return [];
    } catch (error) {
      // Argo's server responds with "not found" for a missing template of the workflow.
      if (!["invalid", "notFound"].includes(classifyError(error))) throw error;
      return [{ file: "0", line: 1, column: 1, path: "", message: (error as KubeError).message }];
    }
  }

  async #workflow(method: string, path: string, parts: RequestParts = {}): Promise<Workflow> {
    return await requestServer(this.#send, method, path, WorkflowResponse, parts);
  }

  /**
   * Sends an action.
   * @throws {ActionError} when the state of the workflow does not allow it, as without a server.
   */
  async #sendAction(namespace: string, name: string, verb: string, body: Readonly<Record<string, unknown>>) {
    try {
      const path = `${pathOf(namespace, name)}/${verb}`;
      return await this.#workflow("PUT", path, { body: { namespace, name, ...body } });
    } catch (error) {
      if (classifyError(error) === "invalid") throw new ActionError((error as KubeError).message);
      throw error;
    }
  }
}

function pathOf(namespace: string | undefined, name?: string): string {
  const all = `/api/v1/workflows/${encodeURIComponent(namespace ?? "")}`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

/** Returns the part of a query that lists and watches share. */
function queryOf(query: WorkflowQuery) {
  const { labelSelector, fieldSelector } = selectorsOf(query);
  const fields = [fieldSelector, query.namePrefix && `metadata.name=${query.namePrefix}`].filter(Boolean).join(",");
  return {
    "listOptions.labelSelector": labelSelector,
    "listOptions.fieldSelector": fields || undefined,
    nameFilter: query.namePrefix ? "Prefix" : undefined,
    finishedBefore: query.finishedBefore?.toISOString(),
    createdAfter: query.createdAfter?.toISOString(),
  };
}

function textsOf(values: ParameterValues | undefined): string[] | undefined {
  return values && [...values].map(([name, value]) => `${name}=${value}`);
}

function pairsOf(values: Readonly<Record<string, string>> | undefined): string | undefined {
  return values && Object.entries(values).map(([name, value]) => `${name}=${value}`).join(",");
}

function lintRoute(namespace: string, kind: string): readonly [path: string, field: string] {
  const within = encodeURIComponent(namespace);
  switch (kind) {
    case "CronWorkflow":
      return [`/api/v1/cron-workflows/${within}`, "cronWorkflow"];
    case "ClusterWorkflowTemplate":
      return ["/api/v1/cluster-workflow-templates", "template"];
    case "WorkflowTemplate":
      return [`/api/v1/workflow-templates/${within}`, "template"];
    default:
      return [pathOf(namespace), "workflow"];
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
