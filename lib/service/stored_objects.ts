/**
 * Objects of a cluster, parsed as their kind. An object that cannot be parsed is an error if it is requested alone, and
 * an item with a message in a list. Written objects are always returned.
 */
import { withRequiredFields } from "@tiphys/model/api/required_fields";
import { isProblem, type ReadResult, type StoredReader, storedWorkflow, type Workflow } from "@tiphys/model/api";
import { type KubeClient, type KubeObject, type Resource, WORKFLOWS } from "@tiphys/kube";
import type { ListOptions, WatchOptions, WriteOptions } from "@tiphys/kube/client";
import type { WatchEvent } from "@tiphys/kube/informers";
import type { KubeList } from "@tiphys/kube/object";
import { ActionError } from "@tiphys/engine/workflow_actions";

/** The objects of one kind, by namespace. Undefined means all namespaces, or a cluster-scoped kind. */
export class StoredObjects<T extends object> {
  readonly #client: KubeClient;
  readonly #resource: Resource;
  readonly #reader: StoredReader<T>;

  constructor(client: KubeClient, resource: Resource, reader: StoredReader<T>) {
    this.#client = client;
    this.#resource = resource;
    this.#reader = reader;
  }

  /**
   * @throws {ActionError} for an object that cannot be parsed.
   * @throws {KubeError} when it does not exist.
   */
  async get(namespace: string | undefined, name: string): Promise<T> {
    return valueOrThrow(this.#reader.read(await this.#client.get(this.#resource, namespace, name)));
  }

  /** Same as `get`, but an object that cannot be parsed is an item with a message. */
  async getRow(namespace: string | undefined, name: string): Promise<T> {
    return this.#reader.row(await this.#client.get(this.#resource, namespace, name));
  }

  /** Returns one page. */
  async list(
    namespace: string | undefined,
    options: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<Pick<KubeList<T>, "items" | "metadata">> {
    const { items, metadata } = await this.#client.list(this.#resource, namespace, options, signal);
    return { items: items.map((item) => this.#reader.row(item)), metadata };
  }

  /** Yields changes without bookmarks. */
  async *watch(
    namespace: string | undefined,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    for await (const { type, object } of this.#client.watch(this.#resource, namespace, options, signal)) {
      if (type !== "BOOKMARK") yield { type, object: this.#reader.row(object) };
    }
  }

  /** Creates an object as written. */
  async create(namespace: string | undefined, object: T | KubeObject, options: WriteOptions = {}): Promise<T> {
    const whole = withRequiredFields(object as KubeObject, this.#resource.kind);
    return this.#reader.row(await this.#client.create(this.#resource, namespace, whole, options));
  }

  /**
   * Replaces the whole object. If metadata.resourceVersion is set, fails with a conflict when the object has changed
   * since.
   */
  async replace(namespace: string | undefined, object: T | KubeObject): Promise<T> {
    const whole = withRequiredFields(object as KubeObject, this.#resource.kind);
    return this.#reader.row(await this.#client.replace<object>(this.#resource, namespace, whole));
  }

  /** Applies a merge patch. */
  async patch(namespace: string | undefined, name: string, patch: unknown): Promise<T> {
    return this.#reader.row(await this.#client.patch(this.#resource, namespace, name, patch));
  }
}

/** Returns the workflows of a cluster as stored, without nodes that are stored elsewhere. */
export function storedWorkflows(client: KubeClient): StoredObjects<Workflow> {
  return new StoredObjects(client, WORKFLOWS, storedWorkflow);
}

/**
 * Returns a parsed object.
 * @throws {ActionError} with the reason when it could not be parsed.
 */
export function valueOrThrow<T>(read: ReadResult<T>): T {
  if (isProblem(read)) throw new ActionError(read.message);
  return read;
}
