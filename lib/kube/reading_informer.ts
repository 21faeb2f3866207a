/** A local copy whose objects are read as their kind where they enter. */
import type { KubeClient } from "./client.ts";
import { Informer, type InformerOptions } from "./informer.ts";
import type { KubeObject } from "./object.ts";
import type { Resource } from "./resources.ts";

/** Options of reading the objects of a copy. */
export interface ReadingInformerOptions<R> extends InformerOptions<KubeObject> {
  /** Reads an object of any shape. It must not throw: what cannot be read is an answer too. */
  readonly read: (object: KubeObject) => R;
}

/**
 * An informer that reads its objects. Each version of an object is read once, when somebody first asks for it: what nobody
 * asks for costs nothing. Handlers and indexers see objects unread, of which only the metadata is known.
 */
export class ReadingInformer<R> extends Informer<KubeObject> {
  readonly #read: (object: KubeObject) => R;
  /** By the object of the copy, which is another one for each version. */
  readonly #answers = new WeakMap<KubeObject, { readonly answer: R }>();

  constructor(client: KubeClient, resource: Resource, { read, ...options }: ReadingInformerOptions<R>) {
    super(client, resource, options);
    this.#read = read;
  }

  /** The value that the object of a key (`namespace/name`) is read as; undefined when there is none. */
  read(key: string): R | undefined {
    const object = this.get(key);
    return object && this.readObject(object);
  }

  /** Forgets what an object was read as: nobody will ask for it soon. */
  forgetRead(object: KubeObject): void {
    this.#answers.delete(object);
  }

  /** The value that an object which this copy gave out is read as. */
  readObject(object: KubeObject): R {
    let known = this.#answers.get(object);
    if (!known) this.#answers.set(object, known = { answer: this.#read(object) });
    return known.answer;
  }
}
