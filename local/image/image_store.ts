/**
 * The images of this machine: pulled or loaded once, unpacked once per set of layers, used by any number of containers
 * and processes at the same time.
 *
 * ```
 * blobs/sha256/HEX      manifests, configurations, layers as they came
 * names/NAME.json       which image a name means
 * roots/HEX             the unpacked content of a set of layers; .lock beside it is held by who uses it. Nobody else of the
 *                       machine gets here: there may be programs in it that run as their owner
 * adding.lock           held by who adds an image, and by who prunes
 * ```
 */
import { textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { keepNewest } from "@tiphys/base/kept";
import { createHash } from "node:crypto";
import { removeTree } from "./remove_tree.ts";
import { type ImageConfig, ImageError } from "@tiphys/registry/image_error";
import { readArchive } from "./archive.ts";
import { digestOf } from "@tiphys/registry/digest";
import { BlobStore } from "./blob_store.ts";
import { type Credentials, credentialsFor, type DockerConfig } from "@tiphys/registry/credentials";
import { containerIds } from "./container_ids.ts";
import { decompressed } from "./decompress.ts";
import {
  type Descriptor,
  documentOf,
  forThisMachine,
  type ImageConfigFile,
  type ImageManifest,
  isIndex,
  readDocument,
  readImageConfig,
  tooDeep,
} from "@tiphys/registry/manifest";
import { MAX_CONFIG_BYTES, MAX_INDEX_DEPTH, MAX_LAYERS } from "@tiphys/registry/limits";
import { canonicalName, familiarName, type ImageReference, parseReference } from "@tiphys/registry/reference";
import { endpointReach, endpointsOf, type RegistrySettings } from "@tiphys/registry/registries";
import { RegistryClient, RegistryUnreachable } from "@tiphys/registry/registry_client";
import { beginUnpacking, finishUnpacking, type Unpacking, unpackLayer } from "./unpack_layer.ts";

/** An image that is here. */
export interface StoredImage {
  /** In full. */
  readonly name: string;
  /** Of the manifest; of the configuration where the image came without a manifest. */
  readonly digest: string;
  readonly manifest: ImageManifest;
  /** RFC 3339; when the name began to mean this image. */
  readonly since: string;
}

/** The progress of a pull, in bytes. */
export interface PullProgress {
  /** As people write it. */
  readonly image: string;
  readonly done: number;
  readonly total: number;
}

/** The policy for asking a registry, in the kubelet's words. */
export type PullPolicy = "Always" | "IfNotPresent" | "Never";

export interface PullOptions {
  readonly policy?: PullPolicy;
  /** Pull secrets of the pod; asked before what the machine's own configuration has. */
  readonly secrets?: readonly DockerConfig[];
  readonly onProgress?: (progress: PullProgress) => void;
}

export interface ImageStoreOptions {
  readonly folder: string;
  readonly registries?: RegistrySettings;
  readonly dockerConfig?: DockerConfig;
  /** Servers that images may be pulled from although they are on this machine or its link, in the form of `NO_PROXY`. */
  readonly allowedAddresses?: string | undefined;
}

/** An unpacked image that is in use until it is disposed of. */
export interface ImageRoot extends Disposable {
  readonly folder: string;
}

/** The time for which a silent server is not asked again: without a network, each container would wait for it anew. */
const SILENT_FOR_MS = 30_000;

/** The first and the longest pause before an image that could not be had is asked for again: the kubelet's times. */
const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 300_000;
/** The most silent servers, and the most images that could not be had, that are remembered. */
const MOST_REMEMBERED = 1_000;

export class ImageStore {
  readonly #folder: string;
  readonly #blobs: BlobStore;
  readonly #registries: RegistrySettings;
  readonly #allowedAddresses: string | undefined;
  readonly #dockerConfig: DockerConfig;
  /** Servers that did not answer, by their address. */
  readonly #silent = new Map<string, { readonly since: number; readonly error: RegistryUnreachable }>();
  /** Images that could not be had, by {@link askedAs}, and until when nobody asks for them so again. */
  readonly #refused = new Map<string, { readonly error: ImageError; readonly wait: number; readonly until: number }>();
  /** The work under way by its key, so that two callers who want the same wait for one. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor({ folder, registries = {}, dockerConfig = {}, allowedAddresses }: ImageStoreOptions) {
    this.#folder = folder;
    this.#blobs = new BlobStore(`${folder}/blobs`);
    this.#registries = registries;
    this.#allowedAddresses = allowedAddresses;
    this.#dockerConfig = dockerConfig;
  }

  /** The image that a name means here; undefined when it must be pulled first. */
  async find(name: string): Promise<StoredImage | undefined> {
    try {
      return storedImage(await Deno.readTextFile(this.#nameFile(canonicalName(parseReference(name)))));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /**
   * Makes sure that an image is here. One that could not be had is not asked for again for a time, unless it is here by
   * then.
   * @throws ImageError; RegistryUnreachable when no registry answers at all.
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
    const asked = askedAs(canonicalName(reference), options.secrets ?? []);
    const refused = this.#refused.get(asked);
    if (refused && Date.now() < refused.until) throw refused.error;
    try {
      const pulled = await this.#once(`pull ${asked}`, () => this.#adding(() => this.#pull(reference, options)));
      this.#refused.delete(asked);
      return pulled;
    } catch (error) {
      if (error instanceof ImageError) this.#leaveAlone(asked, error);
      throw error;
    }
  }

  /** Notes a failed pull: a container asks again in a second, and registries count how often they are asked. */
  #leaveAlone(asked: string, error: ImageError): void {
    const before = this.#refused.get(asked);
    if (before && Date.now() < before.until) return;
    const wait = before ? Math.min(2 * before.wait, LONGEST_BACKOFF_MS) : FIRST_BACKOFF_MS;
    keepNewest(this.#refused, asked, { error, wait, until: Date.now() + wait }, MOST_REMEMBERED);
  }

  /** The settings that an image has for its containers. */
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

  /** The image's unpacked content, which must not be written to; it stays until it is disposed of. */
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
        await this.#once(`unpack ${key}`, () => this.#unpack(folder, manifest.layers, rootfs.diff_ids));
      }
      return { folder, [Symbol.dispose]: () => use.close() };
    } catch (error) {
      use.close();
      throw error;
    }
  }

  /** Takes in an archive (OCI, docker; compressed or not). A name is needed where the archive has none. */
  async load(archive: ReadableStream<Uint8Array>, as?: string): Promise<StoredImage[]> {
    return await this.#adding(() => this.#load(archive, as));
  }

  async #load(archive: ReadableStream<Uint8Array>, as?: string): Promise<StoredImage[]> {
    const stored: StoredImage[] = [];
    for (const { names, digest, manifest } of await readArchive(archive, this.#blobs)) {
      const own = as === undefined ? names : [as];
      if (own.length === 0) throw new Error("The archive does not name its image: say what to call it");
      for (const name of own) stored.push(await this.#remember(parseReference(name), digest, manifest));
    }
    return stored;
  }

  /** Keeps an image of one layer, an uncompressed tar, that was made here; `config` is what it says about its containers. */
  async make(name: string, layer: ReadableStream<Uint8Array>, config: ImageConfigFile["config"]): Promise<StoredImage> {
    return await this.#adding(async () => {
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
      return await this.#remember(
        parseReference(name),
        (await keep({ schemaVersion: 2, ...manifest })).digest,
        manifest,
      );
    });
  }

  /** Gives an image one more name. */
  async tag({ digest, manifest }: StoredImage, name: string): Promise<StoredImage> {
    return await this.#adding(() => this.#remember(parseReference(name), digest, manifest));
  }

  /** All images, by name. */
  async list(): Promise<StoredImage[]> {
    const images: StoredImage[] = [];
    for (const file of await filesIn(`${this.#folder}/names`)) {
      if (!file.endsWith(".json")) continue;
      const image = storedImage(await Deno.readTextFile(`${this.#folder}/names/${file}`));
      if (image) images.push(image);
    }
    return images.toSorted((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Forgets a name; false when there is none. Its content goes with the next {@link prune}. */
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
   * Removes all content that no name leads to and no container uses; answers the bytes of blobs that it freed.
   * @throws while images are being added: nothing leads to their content yet.
   */
  async prune(): Promise<number> {
    using adding = await this.#openLock();
    if (!await adding.tryLock(true)) {
      throw new Error("Images are being added by another process: prune when it is done");
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
      // An image whose configuration cannot be read has nothing unpacked.
      const config = await this.#configOf(manifest).catch(() => undefined);
      if (config) keptRoots.add(rootKey(config.rootfs.diff_ids));
    }
    let freed = await this.#blobs.removeAbandoned();
    for (const digest of await this.#blobs.list()) {
      if (kept.has(digest)) continue;
      freed += (await Deno.stat(this.#blobs.pathOf(digest))).size;
      await this.#blobs.remove(digest);
    }
    // Who gives an image a name has the lock.
    for (const file of await filesIn(`${this.#folder}/names`)) {
      if (file.endsWith(".part")) await Deno.remove(`${this.#folder}/names/${file}`);
    }
    for (const name of await filesIn(`${this.#folder}/roots`)) {
      const [, key, rest] = /^([0-9a-f]{64})(|\..*\.part)$/.exec(name) ?? [];
      // A part was left by a process that died while it unpacked: one that unpacks has the lock.
      if (key !== undefined && (rest !== "" || !keptRoots.has(key))) await this.#removeRoot(key, name);
    }
    return freed;
  }

  /** Does something that adds content: nothing is pruned before a name leads to it. */
  async #adding<T>(act: () => Promise<T>): Promise<T> {
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
        endpointReach(endpoint, this.#allowedAddresses),
      );
      try {
        return await this.#pullFrom(client, reference, options);
      } catch (error) {
        problems.push(error);
        if (error instanceof RegistryUnreachable) {
          keepNewest(this.#silent, endpoint.url, { since: Date.now(), error }, MOST_REMEMBERED);
        }
      }
    }
    const message = problems.map((problem) => (problem as Error).message).join("; ");
    const text = `failed to pull and unpack image ${JSON.stringify(canonicalName(reference))}: ${message}`;
    if (problems.every((problem) => problem instanceof RegistryUnreachable)) throw new RegistryUnreachable(text);
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
      if (depth === MAX_INDEX_DEPTH) throw tooDeep(name);
      ({ digest, bytes } = await client.manifest(forThisMachine(document, name).digest));
      document = readDocument(bytes, name);
    }
    checkSizes(document, name);
    await this.#blobs.writeBytes(digest, bytes);
    const missing: Descriptor[] = [];
    for (const blob of [document.config, ...document.layers]) {
      if (!await this.#blobs.has(blob.digest)) missing.push(blob);
    }
    const total = missing.reduce((sum, { size }) => sum + size, 0);
    const image = familiarName(reference);
    let done = 0;
    const advance = (bytes: number) => options.onProgress?.({ image, done: done += bytes, total });
    // All downloads are waited for, so that after a failure nothing goes on behind the caller's back.
    const fetched = await Promise.allSettled(
      missing.map(({ digest, size }) =>
        this.#once(`fetch ${digest}`, () => this.#blobs.write(digest, client.blob(digest, size), advance))
      ),
    );
    for (const outcome of fetched) if (outcome.status === "rejected") throw outcome.reason;
    return await this.#remember(reference, digest, document);
  }

  async #configOf(manifest: ImageManifest): Promise<ImageConfigFile> {
    return readImageConfig(await this.#blobs.read(manifest.config.digest, MAX_CONFIG_BYTES), manifest);
  }

  /**
   * Gives an image a name.
   * @throws {ImageError} for one that could not be used.
   */
  async #remember(reference: ImageReference, digest: string, manifest: ImageManifest): Promise<StoredImage> {
    const { config, layers } = manifest;
    checkSizes(manifest, canonicalName(reference));
    await this.#configOf(manifest);
    for (const { digest } of layers) {
      if (!await this.#blobs.has(digest)) throw new ImageError("ErrImagePull", `its layer ${digest} is not there`);
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
      for (const [index, { digest }] of layers.entries()) {
        const blob = await Deno.open(this.#blobs.pathOf(digest));
        const hash = createHash("sha256");
        const tar = (await decompressed(blob.readable)).pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              hash.update(chunk);
              controller.enqueue(chunk);
            },
          }),
        );
        await unpackLayer(unpacking, tar);
        const actual = `sha256:${hash.digest("hex")}`;
        if (actual !== diffIds[index]) {
          throw new ImageError("ErrImagePull", `layer ${digest} unpacks to ${actual}, ${diffIds[index]} was expected`);
        }
      }
      finishUnpacking(unpacking);
      await Deno.rename(partial, folder);
    } catch (error) {
      await removeTree(partial);
      // Another process may have been faster: the content is the same.
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

  async #once<T>(what: string, act: () => Promise<T>): Promise<T> {
    const running = this.#busy.get(what) as Promise<T> | undefined;
    if (running) return await running;
    const started = act().finally(() => this.#busy.delete(what));
    this.#busy.set(what, started);
    return await started;
  }
}

/** An image as it is asked for, by its full name: with other secrets the answer may be another one. */
function askedAs(name: string, secrets: readonly DockerConfig[]): string {
  if (secrets.length === 0) return name;
  return `${name} ${createHash("sha256").update(JSON.stringify(secrets)).digest("hex")}`;
}

/** @throws {ImageError} for an image of which more would be held than is taken. */
function checkSizes({ config, layers }: ImageManifest, name: string): void {
  if (config.size > MAX_CONFIG_BYTES) {
    const why = `its configuration has ${config.size} bytes, ${MAX_CONFIG_BYTES} at most are taken`;
    throw new ImageError("ErrImagePull", `${name}: ${why}`);
  }
  if (layers.length > MAX_LAYERS) {
    throw new ImageError("ErrImagePull", `${name}: it has ${layers.length} layers, ${MAX_LAYERS} at most are taken`);
  }
}

/**
 * The key of unpacked layers. The owner is part of it, as the same content with files of other ids is other content.
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

/** Reads what a name means; undefined for what is none of that, as of a disk that was full: such an image is pulled again. */
function storedImage(text: string): StoredImage | undefined {
  const fields = fieldsOfJson(text);
  const { name, digest, since } = textsIn(fields, ["name", "digest", "since"]);
  if (name === undefined || digest === undefined || since === undefined) return undefined;
  try {
    const manifest = documentOf(fields.manifest, name);
    return isIndex(manifest) ? undefined : { name, digest, manifest, since };
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
