/**
 * The images of this machine: pulled or loaded once, unpacked once for each set of layers, and shared by all containers
 * and processes.
 *
 * ```
 * blobs/sha256/HEX      manifests, configurations and unmodified layers
 * names/NAME.json       the image of a name
 * roots/HEX             the unpacked content of a set of layers; users hold HEX.lock. Other users of the machine have
 * no
 *                       access, because roots may contain set-uid programs
 * adding.lock           shared lock while an image is added, exclusive lock while pruning
 * ```
 */
import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { keepNewest } from "@tiphys/base/text_cache";
import { createHash } from "node:crypto";
import { PullBackoff, pullKey } from "./pull_backoff.ts";
import { removeTree } from "./remove_tree.ts";
import { type ImageConfig, ImageError } from "@tiphys/registry/image_error";
import { readArchive } from "./archive.ts";
import { digestOf } from "@tiphys/registry/digest";
import { BlobStore } from "./blob_store.ts";
import { type Credentials, credentialsFor, type DockerConfig } from "@tiphys/registry/credentials";
import { containerIds } from "./container_ids.ts";
import { decompress } from "./decompress.ts";
import {
  type Descriptor,
  type ImageConfigFile,
  type ImageManifest,
  imageOfThisMachine,
  isIndex,
  nestedTooDeeplyError,
  parseManifest,
  readDocument,
  readImageConfig,
} from "@tiphys/registry/manifest";
import { MAX_CONFIG_BYTES, MAX_INDEX_DEPTH, MAX_LAYERS } from "@tiphys/registry/limits";
import { canonicalName, familiarName, type ImageReference, parseReference } from "@tiphys/registry/reference";
import { endpointAddressPolicy, endpointsOf, type RegistrySettings } from "@tiphys/registry/registries";
import { RegistryClient, RegistryUnreachableError } from "@tiphys/registry/registry_client";
import { beginUnpacking, finishUnpacking, type Unpacking, unpackLayer } from "./unpack_layer.ts";

/** An image in the store. */
export interface StoredImage {
  /** The canonical name. */
  readonly name: string;
  /** The digest of the manifest; of the configuration for an image without a manifest. */
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** The time at which the name was assigned to this image, in RFC 3339. */
  readonly since: string;
}

/** The progress of a pull, in bytes. */
export interface PullProgress {
  /** The familiar name, such as `alpine:3.20`. */
  readonly image: string;
  readonly done: number;
  readonly total: number;
}

/** The pull policy of Kubernetes. */
export type PullPolicy = "Always" | "IfNotPresent" | "Never";

/** Options of a pull. */
export interface PullOptions {
  readonly policy?: PullPolicy;
  /** Pull secrets of the pod, which take precedence over the configuration of this machine. */
  readonly secrets?: readonly DockerConfig[];
  readonly onProgress?: (progress: PullProgress) => void;
}

/** Options of an image store. */
export interface ImageStoreOptions {
  readonly folder: string;
  readonly registries?: RegistrySettings;
  readonly dockerConfig?: DockerConfig;
  /** Local and link-local servers from which images may be pulled, in the form of `NO_PROXY`. */
  readonly allowedAddresses?: string | undefined;
}

/** An unpacked image, which is not removed until this is disposed. */
export interface ImageRoot extends Disposable {
  readonly folder: string;
}

/**
 * Time for which an unreachable server is not contacted again. Without a network, every container would wait for a
 * timeout.
 */
const SILENT_FOR_MS = 30_000;

/** Maximum number of unreachable servers that are remembered. */
const MAX_REMEMBERED = 1_000;

/** A store of images in a folder. */
export class ImageStore {
  readonly #folder: string;
  readonly #blobs: BlobStore;
  readonly #registries: RegistrySettings;
  readonly #allowedAddresses: string | undefined;
  readonly #dockerConfig: DockerConfig;
  /** Unreachable servers by address. */
  readonly #silent = new Map<string, { readonly since: number; readonly error: RegistryUnreachableError }>();
  readonly #backoff = new PullBackoff();
  /** Operations in progress by key. Concurrent callers with the same key share one operation. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor({ folder, registries = {}, dockerConfig = {}, allowedAddresses }: ImageStoreOptions) {
    this.#folder = folder;
    this.#blobs = new BlobStore(`${folder}/blobs`);
    this.#registries = registries;
    this.#allowedAddresses = allowedAddresses;
    this.#dockerConfig = dockerConfig;
  }

  /** Returns the stored image of a name; undefined if it must be pulled first. */
  async find(name: string): Promise<StoredImage | undefined> {
    try {
      return storedImage(await Deno.readTextFile(this.#nameFile(canonicalName(parseReference(name)))));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /**
   * Returns an image, and pulls it if necessary. After a failed pull, the registry is not contacted again until the
   * backoff ends.
   * @throws {ImageError} if the pull fails, RegistryUnreachable if no registry responds.
   */
  async pull(name: string, options: PullOptions = {}): Promise<StoredImage> {
    const reference = parseReference(name);
    const policy = options.policy ?? "IfNotPresent";
    const present = policy === "Always" && reference.digest === undefined ? undefined : await this.find(name);
    if (present) return present;
    if (policy === "Never") {
      throw new ImageError(
        "ErrImageNeverPull",
        `Container image ${JSON.stringify(name)} is not present with pull policy of Never`,
      );
    }
    const key = pullKey(canonicalName(reference), options.secrets ?? []);
    return await this.#backoff.run(key, () =>
      this.#runOnce(
        `pull ${key}`,
        () => this.#withPruneLock(() => this.#pull(reference, options)),
      ));
  }

  /** Returns the container settings of an image. */
  async configOf({ manifest }: StoredImage): Promise<ImageConfig & { readonly user: string }> {
    const { config = {} } = await this.#configOf(manifest);
    const env = (config.Env ?? []).map((pair) => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
    });
    return {
      entrypoint: config.Entrypoint ?? [],
      cmd: config.Cmd ?? [],
      env: new Map(env),
      workingDir: config.WorkingDir || "/",
      user: config.User ?? "",
    };
  }

  /**
   * Returns the unpacked content of an image, which is read-only and remains until it is disposed. Unpacks it at the
   * first use.
   */
  async useRoot({ manifest }: StoredImage): Promise<ImageRoot> {
    const { rootfs } = await this.#configOf(manifest);
    const key = rootKey(rootfs.diff_ids);
    const folder = `${this.#folder}/roots/${key}`;
    await Deno.mkdir(`${this.#folder}/roots`, { recursive: true, mode: 0o700 });
    await Deno.chmod(`${this.#folder}/roots`, 0o700);
    const use = await Deno.open(`${folder}.lock`, { write: true, create: true });
    try {
      await use.lock(false);
      if (!await isFolder(folder)) {
        await this.#runOnce(`unpack ${key}`, () => this.#unpack(folder, manifest.layers, rootfs.diff_ids));
      }
      return { folder, [Symbol.dispose]: () => use.close() };
    } catch (error) {
      use.close();
      throw error;
    }
  }

  /**
   * Loads a compressed or uncompressed archive of OCI or docker.
   * @param as the name of the image; required if the archive does not name it.
   */
  async load(archive: ReadableStream<Uint8Array>, as?: string): Promise<StoredImage[]> {
    return await this.#withPruneLock(() => this.#load(archive, as));
  }

  async #load(archive: ReadableStream<Uint8Array>, as?: string): Promise<StoredImage[]> {
    const stored: StoredImage[] = [];
    for (const { names, digest, manifest } of await readArchive(archive, this.#blobs)) {
      const own = as === undefined ? names : [as];
      if (own.length === 0) throw new Error("The archive has no name for its image: set one with --name");
      for (const name of own) stored.push(await this.#saveName(parseReference(name), digest, manifest));
    }
    return stored;
  }

  /** Stores a local image. @param layer an uncompressed tar. @param config the container settings of the image. */
  async createLocalImage(
    name: string,
    layer: ReadableStream<Uint8Array>,
    config: ImageConfigFile["config"],
  ): Promise<StoredImage> {
    return await this.#withPruneLock(async () => {
      const keep = async (document: unknown): Promise<Descriptor> => {
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        const digest = await digestOf(bytes);
        await this.#blobs.writeBytes(digest, bytes);
        return { digest, size: bytes.length };
      };
      const digest = await this.#blobs.add(layer);
      const { size } = await Deno.stat(this.#blobs.pathOf(digest));
      const manifest = {
        config: await keep({ os: "linux", config, rootfs: { type: "layers", diff_ids: [digest] } }),
        layers: [{ digest, size }],
      };
      return await this.#saveName(
        parseReference(name),
        (await keep({ schemaVersion: 2, ...manifest })).digest,
        manifest,
      );
    });
  }

  /** Adds a name to an image. */
  async tag({ digest, manifest }: StoredImage, name: string): Promise<StoredImage> {
    return await this.#withPruneLock(() => this.#saveName(parseReference(name), digest, manifest));
  }

  /** Lists all images, sorted by name. */
  async list(): Promise<StoredImage[]> {
    const images: StoredImage[] = [];
    for (const file of await filesIn(`${this.#folder}/names`)) {
      if (!file.endsWith(".json")) continue;
      const image = storedImage(await Deno.readTextFile(`${this.#folder}/names/${file}`));
      if (image) images.push(image);
    }
    return images.toSorted((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Removes a name; false if it does not exist. {@link prune} removes the content. */
  async remove(name: string): Promise<boolean> {
    try {
      await Deno.remove(this.#nameFile(canonicalName(parseReference(name))));
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  /**
   * Removes all content without a name that no container uses. Returns the size of the removed blobs in bytes.
   * @throws {Error} while an image is being added, because its content has no name yet.
   */
  async prune(): Promise<number> {
    using adding = await this.#openLock();
    if (!await adding.tryLock(true)) {
      throw new Error("Another process is adding images: retry when it has finished");
    }
    const images = await this.list();
    const kept = new Set(
      images.flatMap(({ digest, manifest }) => [
        digest,
        manifest.config.digest,
        ...manifest.layers.map((layer) => layer.digest),
      ]),
    );
    const keptRoots = new Set<string>();
    for (const { manifest } of images) {
      // An image with an unreadable configuration has no unpacked root.
      const config = await this.#configOf(manifest).catch(() => undefined);
      if (config) keptRoots.add(rootKey(config.rootfs.diff_ids));
    }
    let freed = await this.#blobs.removeAbandoned();
    for (const digest of await this.#blobs.list()) {
      if (kept.has(digest)) continue;
      freed += (await Deno.stat(this.#blobs.pathOf(digest))).size;
      await this.#blobs.remove(digest);
    }
    // The exclusive lock excludes writers, so these files are leftovers.
    for (const file of await filesIn(`${this.#folder}/names`)) {
      if (file.endsWith(".part")) await Deno.remove(`${this.#folder}/names/${file}`);
    }
    for (const name of await filesIn(`${this.#folder}/roots`)) {
      const [, key, rest] = /^([0-9a-f]{64})(|\..*\.part)$/.exec(name) ?? [];
      // A `.part` is a leftover of a process that died while unpacking: an active one holds the lock.
      if (key !== undefined && (rest !== "" || !keptRoots.has(key))) await this.#removeRoot(key, name);
    }
    return freed;
  }

  /** Runs an operation that adds content, and prevents pruning until the content has a name. */
  async #withPruneLock<T>(act: () => Promise<T>): Promise<T> {
    using adding = await this.#openLock();
    await adding.lock(false);
    return await act();
  }

  async #openLock(): Promise<Deno.FsFile> {
    await Deno.mkdir(this.#folder, { recursive: true });
    return await Deno.open(`${this.#folder}/adding.lock`, { write: true, create: true });
  }

  async #pull(reference: ImageReference, options: PullOptions): Promise<StoredImage> {
    const problems: unknown[] = [];
    for (const endpoint of endpointsOf(reference.registry, this.#registries)) {
      const silent = this.#silent.get(endpoint.url);
      if (silent && Date.now() - silent.since < SILENT_FOR_MS) {
        problems.push(silent.error);
        continue;
      }
      const credentials = await this.#credentialsFor(endpoint.registry, options.secrets ?? []);
      using client = new RegistryClient(
        endpoint,
        reference.repository,
        credentials,
        endpointAddressPolicy(endpoint, this.#allowedAddresses),
      );
      try {
        return await this.#pullFrom(client, reference, options);
      } catch (error) {
        problems.push(error);
        if (error instanceof RegistryUnreachableError) {
          keepNewest(this.#silent, endpoint.url, { since: Date.now(), error }, MAX_REMEMBERED);
        }
      }
    }
    const message = problems.map((problem) => (problem as Error).message).join("; ");
    const text = `failed to pull and unpack image ${JSON.stringify(canonicalName(reference))}: ${message}`;
    if (problems.every((problem) => problem instanceof RegistryUnreachableError)) {
      throw new RegistryUnreachableError(text);
    }
    throw new ImageError("ErrImagePull", text);
  }

  async #credentialsFor(registry: string, secrets: readonly DockerConfig[]): Promise<Credentials | undefined> {
    for (const config of [...secrets, this.#dockerConfig]) {
      const found = await credentialsFor(registry, config);
      if (found) return found;
    }
    return undefined;
  }

  async #pullFrom(client: RegistryClient, reference: ImageReference, options: PullOptions): Promise<StoredImage> {
    const name = canonicalName(reference);
    let { digest, bytes } = await client.manifest(reference.digest ?? reference.tag!);
    let document = readDocument(bytes, name);
    for (let depth = 0; isIndex(document); depth++) {
      if (depth === MAX_INDEX_DEPTH) throw nestedTooDeeplyError(name);
      ({ digest, bytes } = await client.manifest(imageOfThisMachine(document, name).digest));
      document = readDocument(bytes, name);
    }
    checkSizes(document, name);
    await this.#blobs.writeBytes(digest, bytes);
    const missing: Descriptor[] = [];
    for (const blob of [document.config, ...document.layers]) {
      if (!await this.#blobs.has(blob.digest)) missing.push(blob);
    }
    const contentOf = ({ digest, size }: Descriptor) =>
      digest === document.config.digest ? client.config(digest, size) : client.layer(digest, size);
    const total = missing.reduce((sum, { size }) => sum + size, 0);
    const image = familiarName(reference);
    let done = 0;
    const advance = (bytes: number) => options.onProgress?.({ image, done: done += bytes, total });
    // Waits for all downloads, so that none continues after a failure.
    const fetched = await Promise.allSettled(
      missing.map((blob) =>
        this.#runOnce(`fetch ${blob.digest}`, () => this.#blobs.write(blob.digest, contentOf(blob), advance))
      ),
    );
    for (const outcome of fetched) if (outcome.status === "rejected") throw outcome.reason;
    return await this.#saveName(reference, digest, document);
  }

  async #configOf(manifest: ImageManifest): Promise<ImageConfigFile> {
    return readImageConfig(await this.#blobs.read(manifest.config.digest, MAX_CONFIG_BYTES), manifest);
  }

  /**
   * Saves the name of an image.
   * @throws {ImageError} if the image is not usable.
   */
  async #saveName(reference: ImageReference, digest: string, manifest: ImageManifest): Promise<StoredImage> {
    const { config, layers } = manifest;
    checkSizes(manifest, canonicalName(reference));
    await this.#configOf(manifest);
    for (const { digest } of layers) {
      if (!await this.#blobs.has(digest)) throw new ImageError("ErrImagePull", `its layer ${digest} is missing`);
    }
    const plain = ({ digest, size }: Descriptor): Descriptor => ({ digest, size });
    const image: StoredImage = {
      name: canonicalName(reference),
      digest,
      manifest: { config: plain(config), layers: layers.map(plain) },
      since: new Date().toISOString(),
    };
    await Deno.mkdir(`${this.#folder}/names`, { recursive: true });
    const file = this.#nameFile(image.name);
    const partial = `${file}.${crypto.randomUUID()}.part`;
    await Deno.writeTextFile(partial, JSON.stringify(image));
    await Deno.rename(partial, file);
    return image;
  }

  async #unpack(folder: string, layers: readonly Descriptor[], diffIds: readonly string[]): Promise<void> {
    const partial = `${folder}.${crypto.randomUUID()}.part`;
    let unpacking: Unpacking | undefined;
    try {
      unpacking = await beginUnpacking(partial);
      let packed = 0;
      for (const [index, { digest }] of layers.entries()) {
        const blob = await Deno.open(this.#blobs.pathOf(digest));
        const hash = createHash("sha256");
        const read = blob.readable.pipeThrough(
          new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>({
            transform(chunk, controller) {
              packed += chunk.length;
              controller.enqueue(chunk);
            },
          }),
        );
        const tar = (await decompress(read)).pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              hash.update(chunk);
              controller.enqueue(chunk);
            },
          }),
        );
        await unpackLayer(unpacking, tar, () => packed);
        const actual = `sha256:${hash.digest("hex")}`;
        if (actual !== diffIds[index]) {
          throw new ImageError("ErrImagePull", `layer ${digest} unpacks to ${actual}, ${diffIds[index]} was expected`);
        }
      }
      finishUnpacking(unpacking);
      await Deno.rename(partial, folder);
    } catch (error) {
      await removeTree(partial);
      // Another process may have unpacked the same content first.
      if (!await isFolder(folder)) throw error;
    } finally {
      unpacking?.tree[Symbol.dispose]();
    }
  }

  async #removeRoot(key: string, name: string): Promise<void> {
    const roots = `${this.#folder}/roots`;
    using use = await Deno.open(`${roots}/${key}.lock`, { write: true, create: true });
    if (await use.tryLock(true)) await removeTree(`${roots}/${name}`);
  }

  #nameFile(name: string): string {
    return `${this.#folder}/names/${encodeURIComponent(name)}.json`;
  }

  async #runOnce<T>(subject: string, act: () => Promise<T>): Promise<T> {
    const running = this.#busy.get(subject) as Promise<T> | undefined;
    if (running) return await running;
    const started = act().finally(() => this.#busy.delete(subject));
    this.#busy.set(subject, started);
    return await started;
  }
}

/** @throws {ImageError} for an image that exceeds the limits. */
function checkSizes({ config, layers }: ImageManifest, name: string): void {
  if (config.size > MAX_CONFIG_BYTES) {
    const why = `its configuration has ${config.size} bytes, more than the maximum of ${MAX_CONFIG_BYTES}`;
    throw new ImageError("ErrImagePull", `${name}: ${why}`);
  }
  if (layers.length > MAX_LAYERS) {
    throw new ImageError(
      "ErrImagePull",
      `${name}: it has ${layers.length} layers, more than the maximum of ${MAX_LAYERS}`,
    );
  }
}

/**
 * Returns the key of unpacked layers. It includes the mapped IDs, because they own the unpacked files.
 */
function rootKey(diffIds: readonly string[], ids = containerIds()): string {
  return createHash("sha256").update([...diffIds, ...ids ? [`owner ${ids.first}`] : []].join("\n")).digest("hex");
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/**
 * Parses the file of a name; undefined for an invalid one, for example after a full disk. Such an image is pulled
 * again.
 */
function storedImage(text: string): StoredImage | undefined {
  const fields = fieldsOfJson(text);
  const { name, digest, since } = textsIn(fields, ["name", "digest", "since"]);
  if (name === undefined || digest === undefined || since === undefined) return undefined;
  try {
    const manifest = parseManifest(fields.manifest, name);
    return isIndex(manifest) ? undefined : { name, digest, manifest, since };
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
