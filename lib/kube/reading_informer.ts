/** A local copy whose objects are parsed as their kind. */
import type { KubeClient } from "./client.ts";
import { Informer, type InformerOptions } from "./informer.ts";
import type { KubeObject } from "./object.ts";
import type { Resource } from "./resources.ts";

/** Options for parsing the objects of a copy. */
export interface ReadingInformerOptions<R> extends InformerOptions<KubeObject> {
  /** Parses an object of any shape. Must not throw: a parse error is a result. */
  readonly read: (object: KubeObject) => R;
}

/**
 * An informer that parses its objects. Each version of an object is parsed once, on first access, so that unused
 * objects cost nothing. Handlers and indexers receive unparsed objects, of which only the metadata is typed.
 */
export class ReadingInformer<R> extends Informer<KubeObject> {
  readonly #read: (object: KubeObject) => R;
  /** Results by object of the copy, which is a new one for each version. */
  readonly #answers = new WeakMap<KubeObject, { readonly answer: R }>();

  constructor(client: KubeClient, resource: Resource, { read, ...options }: ReadingInformerOptions<R>) {
    super(client, resource, options);
    this.#read = read;
  }

  /** Returns the parsed object of a key (`namespace/name`); undefined when it does not exist. */
  read(key: string): R | undefined {
    const object = this.get(key);
    return object && this.readObject(object);
  }

  /** Drops the parsed form of an object that will not be read again soon. */
  forgetRead(object: KubeObject): void {
    this.#answers.delete(object);
  }

  /** Returns the parsed form of an object that this copy returned. */
  readObject(object: KubeObject): R {
    let known = this.#answers.get(object);
    if (!known) this.#answers.set(object, known = { answer: this.#read(object) });
    return known.answer;
  }
}
