/** Templates and cron workflows of a cluster. */
import { type CronWorkflow, storedCronWorkflow, type StoredReader } from "@tiphys/model/api";
import { CRON_WORKFLOWS, type KubeClient, type KubeObject, type Resource } from "@tiphys/kube";
import { placeInInstance, queryOfInstance } from "./instance.ts";
import type { CronWorkflowStore, StoredObject, TemplateStore } from "./service.ts";
import { StoredObjects } from "./stored_objects.ts";

/** The objects of one kind. */
export class ClusterTemplates<T extends StoredObject> implements TemplateStore<T> {
  protected readonly objects: StoredObjects<T>;
  readonly #client: KubeClient;
  readonly #resource: Resource;
  readonly #reader: StoredReader<T>;
  readonly #instanceId: string | undefined;

  constructor(client: KubeClient, resource: Resource, reader: StoredReader<T>, instanceId?: string) {
    this.objects = new StoredObjects(client, resource, reader);
    this.#client = client;
    this.#resource = resource;
    this.#reader = reader;
    this.#instanceId = instanceId;
  }

  async list(namespace: string | undefined, options: { readonly labelSelector?: string | undefined } = {}) {
    return (await this.objects.list(this.#namespaceIfScoped(namespace), queryOfInstance(options, this.#instanceId)))
      .items;
  }

  async get(namespace: string, name: string): Promise<T> {
    return await this.objects.get(this.#namespaceIfScoped(namespace), name);
  }

  async create(namespace: string, object: KubeObject): Promise<T> {
    return await this.objects.create(
      this.#namespaceIfScoped(object.metadata.namespace ?? namespace),
      this.#withInstanceId(object),
    );
  }

  async update(namespace: string, object: KubeObject): Promise<T> {
    const within = this.#namespaceIfScoped(object.metadata.namespace ?? namespace);
    return this.#reader.row(await overwrite(this.#client, this.#resource, within, this.#withInstanceId(object)));
  }

  #withInstanceId(object: KubeObject): KubeObject {
    return this.#instanceId ? placeInInstance(object, this.#instanceId) : object;
  }

  async delete(namespace: string, name: string): Promise<void> {
    await this.#client.delete(this.#resource, this.#namespaceIfScoped(namespace), name);
  }

  #namespaceIfScoped(namespace: string | undefined): string | undefined {
    return this.#resource.namespaced ? namespace : undefined;
  }
}

/** Cron workflows, whose schedules can be suspended. */
export class ClusterCronWorkflows extends ClusterTemplates<CronWorkflow> implements CronWorkflowStore {
  constructor(client: KubeClient, instanceId?: string) {
    super(client, CRON_WORKFLOWS, storedCronWorkflow, instanceId);
  }

  async suspend(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#setSuspended(namespace, name, true);
  }

  async resume(namespace: string, name: string): Promise<CronWorkflow> {
    return await this.#setSuspended(namespace, name, false);
  }

  async #setSuspended(namespace: string, name: string, suspend: boolean): Promise<CronWorkflow> {
    return await this.objects.patch(namespace, name, { spec: { suspend } });
  }
}

/**
 * Replaces the content of the object with a name.
 * @throws {KubeError} when it does not exist.
 */
export async function overwrite(
  client: KubeClient,
  resource: Resource,
  namespace: string | undefined,
  object: KubeObject,
): Promise<KubeObject> {
  const { resourceVersion } = (await client.get(resource, namespace, object.metadata.name ?? "")).metadata;
  const metadata = { ...object.metadata, resourceVersion };
  return await client.replace<KubeObject>(resource, namespace, { ...object, metadata });
}
