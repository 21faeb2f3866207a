/**
 * The images of this machine: pulled or loaded once, unpacked once per set of layers, used by any number of containers
 * and processes at the same time.
 *
 * ```
 * blobs/sha256/HEX      manifests, configurations, layers as they came
 * names/NAME.json       which image a name means
 * roots/HEX             the unpacked content of a set of layers; .lock beside it is held by who uses it
 * adding.lock           held by who adds an image, and by who prunes
 * ```
 */
import { createHash } from "node:crypto";
import { removeTree } from "../kubelet/runtime/remove_tree.ts";
import { type ImageConfig, ImageError } from "../kubelet/runtime/runtime.ts";
import { readArchive } from "./archive.ts";
import { BlobStore } from "./blob_store.ts";
import { type Credentials, credentialsFor, type DockerConfig } from "./credentials.ts";
import { decompressed } from "./decompress.ts";
import {
  type Descriptor,
  forThisMachine,
  type ImageConfigFile,
  type ImageManifest,
  isIndex,
  readDocument,
  readImageConfig,
} from "./manifest.ts";
import { canonicalName, familiarName, type ImageReference, parseReference } from "./reference.ts";
import { endpointsOf, type RegistrySettings } from "./registries.ts";
import { RegistryClient, RegistryUnreachable } from "./registry_client.ts";
import { beginUnpacking, finishUnpacking, unpackLayer } from "./unpack_layer.ts";

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

/** How far a pull is, in bytes. */
export interface PullProgress {
  /** As people write it. */
  readonly image: string;
  readonly done: number;
  readonly total: number;
}

/** When a registry is asked: the kubelet's words. */
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
}

/** An unpacked image that is in use until it is disposed of. */
export interface ImageRoot extends Disposable {
  readonly folder: string;
}

/** How long a server that did not answer is not asked again: without a network, each container would wait for it anew. */
const SILENT_FOR_MS = 30_000;

/** How long nobody asks again for an image that could not be had, at first and at last: a kubelet's times. */
const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 300_000;

export class ImageStore {
  readonly #folder: string;
  readonly #blobs: BlobStore;
  readonly #registries: RegistrySettings;
  readonly #dockerConfig: DockerConfig;
  /** Servers that did not answer, by their address. */
  readonly #silent = new Map<string, { readonly since: number; readonly error: RegistryUnreachable }>();
  /** Images that could not be had, by their full name, and until when nobody asks for them again. */
  readonly #refused = new Map<string, { readonly error: ImageError; readonly wait: number; readonly until: number }>();
  /** What is being done, so that two who want the same wait for one. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor({ folder, registries = {}, dockerConfig = {} }: ImageStoreOptions) {
    this.#folder = folder;
    this.#blobs = new BlobStore(`${folder}/blobs`);
    this.#registries = registries;
    this.#dockerConfig = dockerConfig;
  }

  /** The image that a name means here; undefined when it must be pulled first. */
  async find(name: string): Promise<StoredImage | undefined> {
    try {
      return JSON.parse(await Deno.readTextFile(this.#nameFile(canonicalName(parseReference(name)))));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /**
   * Makes sure that an image is here. Throws ImageError; RegistryUnreachable when no registry answers at all. What could not
   * be had is not asked for again for a while, unless it is here by then.
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
    const full = canonicalName(reference);
    const refused = this.#refused.get(full);
    if (refused && Date.now() < refused.until) throw refused.error;
    try {
      const pulled = await this.#once(`pull ${full}`, () => this.#adding(() => this.#pull(reference, options)));
      this.#refused.delete(full);
      return pulled;
    } catch (error) {
      if (error instanceof ImageError) this.#leaveAlone(full, error);
      throw error;
    }
  }

  /** Whoever wants an image wants it again in a second; registries count how often they are asked. */
  #leaveAlone(name: string, error: ImageError): void {
    const before = this.#refused.get(name);
    if (before && Date.now() < before.until) return;
    const wait = before ? Math.min(2 * before.wait, LONGEST_BACKOFF_MS) : FIRST_BACKOFF_MS;
    this.#refused.set(name, { error, wait, until: Date.now() + wait });
  }

  /** What an image says about its containers. */
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
    await Deno.mkdir(`${this.#folder}/roots`, { recursive: true });
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

  /** Gives an image one more name. */
  async tag({ digest, manifest }: StoredImage, name: string): Promise<StoredImage> {
    return await this.#remember(parseReference(name), digest, manifest);
  }

  /** All images, by name. */
  async list(): Promise<StoredImage[]> {
    const images: StoredImage[] = [];
    for (const file of await filesIn(`${this.#folder}/names`)) {
      if (file.endsWith(".json")) images.push(JSON.parse(await Deno.readTextFile(`${this.#folder}/names/${file}`)));
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
   * Removes all content that no name leads to and no container uses; answers the bytes of blobs that it freed. Throws while
   * images are being added: nothing leads to their content yet.
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
      // Of one that cannot be used nothing is unpacked.
      const config = await this.#configOf(manifest).catch(() => undefined);
      if (config) keptRoots.add(rootKey(config.rootfs.diff_ids));
    }
    let freed = await this.#blobs.removeAbandoned();
    for (const digest of await this.#blobs.list()) {
      if (kept.has(digest)) continue;
      freed += (await Deno.stat(this.#blobs.pathOf(digest))).size;
      await this.#blobs.remove(digest);
    }
    for (const name of await filesIn(`${this.#folder}/roots`)) {
      const [, key, rest] = /^([0-9a-f]{64})(|\..*\.part)$/.exec(name) ?? [];
      // A part is what a process left that died while it unpacked: who unpacks has the lock.
      if (key !== undefined && (rest !== "" || !keptRoots.has(key))) await this.#removeRoot(key, name);
    }
    return freed;
  }

  /** Does something at whose end only a name leads to what it brought. */
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
      using client = new RegistryClient(endpoint, reference.repository, credentials);
      try {
        return await this.#pullFrom(client, reference, options);
      } catch (error) {
        problems.push(error);
        if (error instanceof RegistryUnreachable) this.#silent.set(endpoint.url, { since: Date.now(), error });
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
    while (isIndex(document)) {
      ({ digest, bytes } = await client.manifest(forThisMachine(document, name).digest));
      document = readDocument(bytes, name);
    }
    await this.#blobs.writeBytes(digest, bytes);
    const missing: Descriptor[] = [];
    for (const blob of [document.config, ...document.layers]) {
      if (!await this.#blobs.has(blob.digest)) missing.push(blob);
    }
    const total = missing.reduce((sum, { size }) => sum + size, 0);
    const image = familiarName(reference);
    let done = 0;
    const advance = (bytes: number) => options.onProgress?.({ image, done: done += bytes, total });
    // All are waited for, so that after a failure nothing goes on behind the caller's back.
    const fetched = await Promise.allSettled(
      missing.map(({ digest, size }) =>
        this.#once(`fetch ${digest}`, () => this.#blobs.write(digest, client.blob(digest, size), advance))
      ),
    );
    for (const outcome of fetched) if (outcome.status === "rejected") throw outcome.reason;
    return await this.#remember(reference, digest, document);
  }

  async #configOf(manifest: ImageManifest): Promise<ImageConfigFile> {
    return readImageConfig(await this.#blobs.read(manifest.config.digest), manifest);
  }

  /** Gives an image a name. Throws ImageError for one that could not be used. */
  async #remember(reference: ImageReference, digest: string, manifest: ImageManifest): Promise<StoredImage> {
    const { config, layers } = manifest;
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
    try {
      const unpacking = await beginUnpacking(partial);
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

/** What the content of layers is unpacked under. */
function rootKey(diffIds: readonly string[]): string {
  return createHash("sha256").update(diffIds.join("\n")).digest("hex");
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
