/** Templates and cron workflows of a cluster. */
import type { CronWorkflow } from "../api/mod.ts";
import { CRON_WORKFLOWS, type KubeClient, type KubeObject, type Resource } from "../kube/mod.ts";
import type { CronWorkflowStore, Stored, TemplateStore } from "./service.ts";

/** The objects of one kind. */
export class ClusterTemplates<T extends Stored> implements TemplateStore<T> {
  protected readonly client: KubeClient;
  readonly #resource: Resource;

  constructor(client: KubeClient, resource: Resource) {
    this.client = client;
    this.#resource = resource;
  }

  async list(namespace: string | undefined, options: { readonly labelSelector?: string | undefined } = {}) {
    return [...(await this.client.list<T>(this.#resource, this.#within(namespace), options)).items];
  }

  async get(namespace: string, name: string): Promise<T> {
    return await this.client.get<T>(this.#resource, this.#within(namespace), name);
  }

  async create(namespace: string, object: KubeObject): Promise<T> {
    return await this.client.create<T>(this.#resource, this.#within(object.metadata.namespace ?? namespace), object);
  }

  async update(namespace: string, object: KubeObject): Promise<T> {
    return await overwrite(this.client, this.#resource, this.#within(object.metadata.namespace ?? namespace), object);
  }

  async delete(namespace: string, name: string): Promise<void> {
    await this.client.delete(this.#resource, this.#within(namespace), name);
  }

  #within(namespace: string | undefined): string | undefined {
    return this.#resource.namespaced ? namespace : undefined;
  }
}

/** Cron workflows, whose schedules can be suspended. */
export class ClusterCronWorkflows extends ClusterTemplates<CronWorkflow> implements CronWorkflowStore {
  constructor(client: KubeClient) {
    super(client, CRON_WORKFLOWS);
  }

  async suspend(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#setSuspended(namespace, name, true);
  }

  async resume(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#setSuspended(namespace, name, false);
  }

  async #setSuspended(namespace: string, name: string, suspend: boolean): Promise<CronWorkflow> {
    return await this.client.patch<CronWorkflow>(CRON_WORKFLOWS, namespace, name, { spec: { suspend } });
  }
}

/**
 * Gives the object of a name this content, whatever it was.
 * @throws {KubeError} when there is none.
 */
export async function overwrite<T>(
  client: KubeClient,
  resource: Resource,
  namespace: string | undefined,
  object: KubeObject,
): Promise<T> {
  const { resourceVersion } = (await client.get(resource, namespace, object.metadata.name ?? "")).metadata;
  const metadata = { ...object.metadata, resourceVersion };
  return await client.replace<KubeObject>(resource, namespace, { ...object, metadata }) as T;
}
