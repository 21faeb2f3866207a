/** The archive of an Argo server. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import { classifyError, type KubeError } from "@tiphys/kube";
import { ActionError } from "@tiphys/engine/workflow_actions";
import type { ArchivedId, ArchiveQuery, ArchiveService } from "../archive_service.ts";
import { selectorsOf } from "../list.ts";
import type { ResubmitRequest, RetryRequest, WorkflowPage } from "../service.ts";
import { ANY, listResponse, TextsResponse, WorkflowResponse } from "./answers.ts";
import { requestServer, type SendToServer } from "./exchange.ts";

const PATH = "/api/v1/archived-workflows";

/** Serves the archived workflows of a server. */
export class ServerArchive implements ArchiveService {
  readonly #send: SendToServer;

  constructor(send: SendToServer) {
    this.#send = send;
  }

  async list(namespace: string | undefined, query: ArchiveQuery = {}): Promise<WorkflowPage> {
    const { labelSelector, fieldSelector } = selectorsOf(query);
    const asked = {
      namespace,
      namePrefix: query.name ?? query.namePrefix,
      nameFilter: query.name === undefined ? undefined : "Exact",
      createdAfter: query.createdAfter?.toISOString(),
      finishedBefore: query.finishedBefore?.toISOString(),
      "listOptions.labelSelector": labelSelector,
      "listOptions.fieldSelector": fieldSelector,
      "listOptions.limit": query.limit,
      "listOptions.continue": query.continue,
    };
    const { items, metadata } = await requestServer(
      this.#send,
      "GET",
      PATH,
      listResponse(storedWorkflow),
      { query: asked },
    );
    // Argo's server matches the name as a prefix.
    const found = items.filter(({ metadata }) => query.name === undefined || metadata.name === query.name);
    return { items: found, ...(metadata?.continue ? { continue: metadata.continue } : {}) };
  }

  async get({ uid, namespace }: ArchivedId): Promise<Workflow> {
    return await requestServer(this.#send, "GET", pathOf(uid), WorkflowResponse, { query: { namespace } });
  }

  async delete({ uid, namespace }: ArchivedId): Promise<void> {
    await requestServer(this.#send, "DELETE", pathOf(uid), ANY, { query: { namespace } });
  }

  async resubmit(id: ArchivedId, { memoized, parameters }: ResubmitRequest = {}): Promise<Workflow> {
    return await this.#sendAction(id, "resubmit", { memoized, parameters: textsOf(parameters) });
  }

  async retry(id: ArchivedId, options: RetryRequest = {}): Promise<Workflow> {
    const { restartSuccessful, nodeFieldSelector, parameters } = options;
    return await this.#sendAction(id, "retry", {
      restartSuccessful,
      nodeFieldSelector,
      parameters: textsOf(parameters),
    });
  }

  async labelKeys(namespace?: string): Promise<readonly string[]> {
    return await this.#labels("keys", { namespace });
  }

  async labelValues(key: string, namespace?: string): Promise<readonly string[]> {
    return await this.#labels("values", { namespace, "listOptions.labelSelector": key });
  }

  async #labels(what: "keys" | "values", query: Readonly<Record<string, string | undefined>>) {
    const path = `/api/v1/archived-workflows-label-${what}`;
    return (await requestServer(this.#send, "GET", path, TextsResponse, { query })).items ?? [];
  }

  async #sendAction({ uid, namespace }: ArchivedId, verb: string, options: Readonly<Record<string, unknown>>) {
    try {
      const body = { uid, namespace, ...options };
      return await requestServer(this.#send, "PUT", `${pathOf(uid)}/${verb}`, WorkflowResponse, { body });
    } catch (error) {
      if (classifyError(error) === "invalid") throw new ActionError((error as KubeError).message);
      throw error;
    }
  }
}

function pathOf(uid: string): string {
  return `${PATH}/${encodeURIComponent(uid)}`;
}

function textsOf(values: ReadonlyMap<string, string> | undefined): string[] | undefined {
  return values && [...values].map(([name, value]) => `${name}=${value}`);
}
