/**
 * Objects of a cluster, read as their kind where they enter. One that cannot be read is an error where it alone is asked for,
 * and a row that says so among others; what was written is told in any case.
 */
import { withRequiredFields } from "../api/required_fields.ts";
import { isProblem, type Read, type StoredReader, storedWorkflow, type Workflow } from "../api/mod.ts";
import {
  type KubeClient,
  type KubeList,
  type KubeObject,
  type ListOptions,
  type Resource,
  type WatchEvent,
  type WatchOptions,
  WORKFLOWS,
  type WriteOptions,
} from "../kube/mod.ts";
import { ActionError } from "../workflow_actions/mod.ts";

/** The objects of one kind, by namespace; undefined stands for all of them, and for kinds that have none. */
export class StoredObjects<T extends object> {
  readonly #client: KubeClient;
  readonly #resource: Resource;
  readonly #reader: StoredReader<T>;

  constructor(client: KubeClient, resource: Resource, reader: StoredReader<T>) {
    this.#client = client;
    this.#resource = resource;
    this.#reader = reader;
  }

  /** @throws {ActionError} for one that cannot be read; {@link KubeError} where it is not there. */
  async get(namespace: string | undefined, name: string): Promise<T> {
    return readable(this.#reader.read(await this.#client.get(this.#resource, namespace, name)));
  }

  /** The same; one that cannot be read is a row that says so. */
  async getRow(namespace: string | undefined, name: string): Promise<T> {
    return this.#reader.row(await this.#client.get(this.#resource, namespace, name));
  }

  /** One page. */
  async list(
    namespace: string | undefined,
    options: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<Pick<KubeList<T>, "items" | "metadata">> {
    const { items, metadata } = await this.#client.list(this.#resource, namespace, options, signal);
    return { items: items.map((item) => this.#reader.row(item)), metadata };
  }

  /** Changes, without the bookmarks. */
  async *watch(
    namespace: string | undefined,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    for await (const { type, object } of this.#client.watch(this.#resource, namespace, options, signal)) {
      if (type !== "BOOKMARK") yield { type, object: this.#reader.row(object) };
    }
  }

  /** Creates an object as it is written. */
  async create(namespace: string | undefined, object: T | KubeObject, options: WriteOptions = {}): Promise<T> {
    const whole = withRequiredFields(object as KubeObject, this.#resource.kind);
    return this.#reader.row(await this.#client.create(this.#resource, namespace, whole, options));
  }

  /** Replaces the whole object; with metadata.resourceVersion set, only if nobody wrote since. */
  async replace(namespace: string | undefined, object: T | KubeObject): Promise<T> {
    const whole = withRequiredFields(object as KubeObject, this.#resource.kind);
    return this.#reader.row(await this.#client.replace<object>(this.#resource, namespace, whole));
  }

  /** Changes what a merge patch names. */
  async patch(namespace: string | undefined, name: string, patch: unknown): Promise<T> {
    return this.#reader.row(await this.#client.patch(this.#resource, namespace, name, patch));
  }
}

/** The workflows of a cluster; their nodes are where they are kept. */
export function storedWorkflows(client: KubeClient): StoredObjects<Workflow> {
  return new StoredObjects(client, WORKFLOWS, storedWorkflow);
}

/**
 * An object that was read.
 * @throws {ActionError} that says why it could not be.
 */
export function readable<T>(read: Read<T>): T {
  if (isProblem(read)) throw new ActionError(read.message);
  return read;
}
