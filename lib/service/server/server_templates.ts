/** Templates and cron workflows of a server. */
import type { z } from "zod";
import { type CronWorkflow, storedCronWorkflow, type StoredReader } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { CronWorkflowStore, StoredObject, TemplateStore } from "../service.ts";
import { ANY, listResponse, MetadataResponse, objectResponse } from "./answers.ts";
import { requestServer, type SendToServer } from "./exchange.ts";

/** The path of a kind in the API, and the field of bodies that contains an object. */
export interface TemplateRoute {
  readonly path: string;
  readonly field: string;
  readonly namespaced: boolean;
}

/** Query for an object without the empty fields that Go's JSON encoder always writes. Argo's server ignores it. */
const STORED = { stored: true } as const;

/** The objects of one kind. */
export class ServerTemplates<T extends StoredObject> implements TemplateStore<T> {
  protected readonly send: SendToServer;
  readonly #place: TemplateRoute;
  readonly #reader: StoredReader<T>;
  protected readonly shape: z.ZodType<T>;

  constructor(send: SendToServer, reader: StoredReader<T>, place: TemplateRoute) {
    this.send = send;
    this.#reader = reader;
    this.shape = objectResponse(reader);
    this.#place = place;
  }

  async list(namespace: string | undefined, options: { readonly labelSelector?: string | undefined } = {}) {
    const query = { "listOptions.labelSelector": options.labelSelector };
    const { items } = await requestServer(this.send, "GET", this.pathOf(namespace), listResponse(this.#reader), {
      query,
    });
    return items;
  }

  async get(namespace: string, name: string): Promise<T> {
    return await requestServer(this.send, "GET", this.pathOf(namespace, name), this.shape, { query: STORED });
  }

  async create(namespace: string, object: KubeObject): Promise<T> {
    const where = object.metadata.namespace ?? namespace;
    const body = this.#bodyOf(where, object);
    return await requestServer(this.send, "POST", this.pathOf(where), this.shape, { query: STORED, body });
  }

  async update(namespace: string, object: KubeObject): Promise<T> {
    const where = object.metadata.namespace ?? namespace;
    const name = object.metadata.name ?? "";
    const { metadata } = await requestServer(this.send, "GET", this.pathOf(where, name), MetadataResponse);
    const next = { ...object, metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion } };
    return await requestServer(this.send, "PUT", this.pathOf(where, name), this.shape, {
      query: STORED,
      body: { ...this.#bodyOf(where, next), name },
    });
  }

  async delete(namespace: string, name: string): Promise<void> {
    await requestServer(this.send, "DELETE", this.pathOf(namespace, name), ANY);
  }

  /** Returns the path of a namespace's objects, or of one object. */
  protected pathOf(namespace: string | undefined, name?: string): string {
    const where = this.#place.namespaced ? `/${encodeURIComponent(namespace ?? "")}` : "";
    return `${this.#place.path}${where}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
  }

  #bodyOf(namespace: string, object: KubeObject) {
    return { ...(this.#place.namespaced ? { namespace } : {}), [this.#place.field]: object };
  }
}

/** Cron workflows, whose schedules can be suspended. */
export class ServerCronWorkflows extends ServerTemplates<CronWorkflow> implements CronWorkflowStore {
  constructor(send: SendToServer) {
    super(send, storedCronWorkflow, { path: "/api/v1/cron-workflows", field: "cronWorkflow", namespaced: true });
  }

  async suspend(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#put(namespace, name, "suspend");
  }

  async resume(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#put(namespace, name, "resume");
  }

  async #put(namespace: string, name: string, verb: string): Promise<CronWorkflow> {
    const path = `${this.pathOf(namespace, name)}/${verb}`;
    return await requestServer(this.send, "PUT", path, this.shape, { query: STORED, body: { namespace, name } });
  }
}
