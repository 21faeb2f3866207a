/** Lookups of image commands in registries, with the pull secrets of a pod; results are cached. */
import { type ImageReference, parseReference } from "@tiphys/registry/reference";
import { ImageError } from "@tiphys/registry/image_error";
import type { DockerConfig } from "@tiphys/registry/credentials";
import { PULL_SECRET_KEYS, readPullSecret } from "@tiphys/registry/docker_config";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type KubeClient, type KubeObject, SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import type { ImageCommand, UnknownImage } from "@tiphys/engine/pod";
import type { Clock } from "../../loop/clock.ts";
import type { ImageCommandResult } from "@tiphys/engine";

/**
 * Reads the command of an image from its registry.
 * @throws {ImageError} if it cannot be read; its name is `RegistryUnreachable` if the registry does not respond.
 */
export type FetchImageCommand = (
  reference: ImageReference,
  secrets: readonly DockerConfig[],
) => Promise<{ readonly entrypoint: readonly string[]; readonly cmd: readonly string[] }>;

/** The client that reads pull secrets, and the function that queries registries. */
export interface ImageLookupOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Undefined if no registry may be queried. */
  readonly fetchCommand?: FetchImageCommand | undefined;
}

/**
 * The time for which a result is valid, in milliseconds: `found`, because the tag may be moved; `refused`; and `silent`
 * if the registry did not respond.
 */
const VALIDITY_MILLIS = { found: 3_600_000, refused: 60_000, silent: 10_000 };
/** The maximum number of cached results; the oldest is dropped first. */
const MAX_CACHED = 2000;

interface CachedImage {
  readonly answer: ImageCommandResult;
  readonly until: number;
}

/** The lookups of a controller. Namespaces and accounts have separate results, because each has its own secrets. */
export class ImageLookup {
  readonly #options: ImageLookupOptions;
  readonly #images = new Map<string, CachedImage>();
  readonly #inFlight = new Map<string, Promise<ImageCommandResult>>();

  constructor(options: ImageLookupOptions) {
    this.#options = options;
  }

  /**
   * Finds the command of an image; a permanent failure is a result.
   * @throws {KubeError} a transient error of the API server.
   */
  async find(namespace: string, unknown: UnknownImage): Promise<ImageCommandResult> {
    const key = JSON.stringify([namespace, unknown.serviceAccount, unknown.pullSecrets, unknown.image]);
    const now = this.#options.clock.now();
    const kept = this.#images.get(key);
    if (kept && kept.until > now) return kept.answer;
    let lookup = this.#inFlight.get(key);
    if (!lookup) {
      lookup = this.#query(namespace, unknown).finally(() => this.#inFlight.delete(key));
      this.#inFlight.set(key, lookup);
    }
    const answer = await lookup;
    this.#keep(key, answer, unknown.image);
    return answer;
  }

  #keep(key: string, answer: ImageCommandResult, image: string): void {
    const isFixed = image.includes("@sha256:");
    const millis = "command" in answer
      ? (isFixed ? Infinity : VALIDITY_MILLIS.found)
      : answer.transient
      ? VALIDITY_MILLIS.silent
      : VALIDITY_MILLIS.refused;
    this.#images.delete(key);
    this.#images.set(key, { answer, until: this.#options.clock.now() + millis });
    if (this.#images.size > MAX_CACHED) this.#images.delete(this.#images.keys().next().value!);
  }

  async #query(namespace: string, { image, pullSecrets, serviceAccount }: UnknownImage): Promise<ImageCommandResult> {
    const { fetchCommand } = this.#options;
    if (!fetchCommand) return { problem: "lookups in registries are disabled", transient: false };
    const names = new Set([...pullSecrets, ...await this.#secretsOfAccount(namespace, serviceAccount)]);
    const secrets: DockerConfig[] = [];
    const unread: string[] = [];
    for (const name of names) {
      const config = await this.#readSecret(namespace, name);
      if (config) secrets.push(config);
      else unread.push(name);
    }
    try {
      const { entrypoint, cmd } = await fetchCommand(parseReference(image), secrets);
      const command: ImageCommand = { entrypoint: [...entrypoint], cmd: [...cmd] };
      return { command };
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const beside = unread.length > 0 ? ` (the controller could not read the secret ${unread.join(", ")})` : "";
      return { problem: `${error.message}${beside}`, transient: error.isUnreachable };
    }
  }

  /** The names of the secrets that an account gives its pods. */
  async #secretsOfAccount(namespace: string, name: string): Promise<string[]> {
    const account = await this.#read(() => this.#options.client.get<KubeObject>(SERVICE_ACCOUNTS, namespace, name));
    const { imagePullSecrets } = fieldsOf(account);
    const secrets = Array.isArray(imagePullSecrets) ? imagePullSecrets : [];
    return secrets.map((secret) => fieldsOf(secret).name).filter((name) => typeof name === "string");
  }

  async #readSecret(namespace: string, name: string): Promise<DockerConfig | undefined> {
    const secret = await this.#read(() => this.#options.client.get<KubeObject>(SECRETS, namespace, name));
    const data = fieldsOf(fieldsOf(secret).data);
    for (const key of PULL_SECRET_KEYS) {
      const bytes = bytesOf(data[key]);
      if (bytes) return readPullSecret(bytes, key);
    }
    return undefined;
  }

  /** Reads an object; undefined if it may not be read, because most images are public. */
  async #read(get: () => Promise<KubeObject>): Promise<KubeObject | undefined> {
    try {
      return await get();
    } catch (error) {
      throwBug(error);
      if (isRetryable(error)) throw error;
      return undefined;
    }
  }
}

function bytesOf(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}
