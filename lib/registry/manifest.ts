/** Image manifests and configurations: the fields that are used, in the formats of OCI and Docker. */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf, textsIn } from "@tiphys/base/fields_of";
import { ImageError } from "./image_error.ts";
import { MAX_INDEX_DEPTH } from "./limits.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** A reference to content by digest. */
export interface Descriptor {
  readonly mediaType?: string;
  /** `sha256:…` */
  readonly digest: string;
  /** Size in bytes. */
  readonly size: number;
  readonly platform?: { readonly os?: string; readonly architecture?: string; readonly variant?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An image for one platform. */
export interface ImageManifest {
  readonly config: Descriptor;
  /** The lowest layer first. */
  readonly layers: readonly Descriptor[];
}

/** A list of images for several platforms. */
export interface ImageIndex {
  readonly manifests: readonly Descriptor[];
}

/** The configuration of an image with the fields that are used. */
export interface ImageConfigFile {
  readonly architecture?: string;
  readonly os?: string;
  readonly created?: string;
  readonly config?: {
    readonly Entrypoint?: readonly string[] | null;
    readonly Cmd?: readonly string[] | null;
    readonly Env?: readonly string[] | null;
    readonly WorkingDir?: string;
    readonly User?: string;
  };
  /** The digests of the uncompressed layers, the lowest first. */
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

/** The media types in requests for a manifest. */
export const MANIFEST_TYPES: readonly string[] = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** The architecture of this machine, as in image platforms. */
export const ARCHITECTURE = Deno.build.arch === "aarch64" ? "arm64" : "amd64";

/**
 * Parses an index or manifest.
 * @throws {ImageError} for any other document; `from` is its source in the message.
 */
export function readDocument(bytes: Uint8Array, from: string): ImageIndex | ImageManifest {
  return parseManifest(parseBytes(bytes), from);
}

/**
 * Validates a value as an index or manifest.
 * @throws {ImageError} as {@link readDocument}.
 */
export function parseManifest(value: unknown, from: string): ImageIndex | ImageManifest {
  const document = value as Partial<ImageIndex & ImageManifest & { fsLayers: unknown }> | null | undefined;
  const isKnown = Array.isArray(document?.manifests) ||
    typeof document?.config?.digest === "string" && Array.isArray(document.layers);
  if (isKnown) {
    for (const manifest of [...document!.manifests ?? [document!.config!, ...document!.layers!]]) {
      checkDescriptor(manifest, from);
    }
    return document as ImageIndex | ImageManifest;
  }
  const why = document?.fsLayers ? "an obsolete schema 1 manifest" : "none";
  throw new ImageError("ErrImagePull", `expected the manifest of an image, got ${why}: ${from}`);
}

/** Checks that content is referenced by digest, not by tag, so that it cannot contain itself or be replaced. */
function checkDescriptor(descriptor: Partial<Descriptor> | null | undefined, from: string): void {
  const { digest, size } = descriptor ?? {};
  if (typeof digest === "string" && DIGEST.test(digest) && Number.isSafeInteger(size) && size! >= 0) return;
  const what = JSON.stringify({ digest, size });
  throw new ImageError("ErrImagePull", `expected content by its digest and size, got ${what}: ${from}`);
}

/** Returns the error of indexes nested too deeply. */
export function nestedTooDeeplyError(name: string): ImageError {
  return new ImageError(
    "ErrImagePull",
    `${name}: its indexes are nested more than ${MAX_INDEX_DEPTH} levels deep`,
  );
}

/**
 * Parses the configuration of an image.
 * @throws {ImageError} when it does not match the manifest.
 */
export function readImageConfig(bytes: Uint8Array, { layers }: ImageManifest): ImageConfigFile {
  const file = fieldsOf(parseBytes(bytes));
  const { rootfs, config } = file;
  const diffIds = textsOf(fieldsOf(rootfs).diff_ids);
  if (diffIds === undefined) {
    throw new ImageError("ErrImagePull", "the image's configuration does not name its layers (rootfs.diff_ids)");
  }
  if (diffIds.length !== layers.length) {
    throw new ImageError("ErrImagePull", "the image's configuration names other layers than its manifest");
  }
  const said = fieldsOf(config);
  const { Entrypoint, Cmd, Env } = said;
  return {
    ...textsIn(file, ["architecture", "os", "created"]),
    config: {
      ...textsIn(said, ["WorkingDir", "User"]),
      Entrypoint: textsOf(Entrypoint) ?? null,
      Cmd: textsOf(Cmd) ?? null,
      Env: textsOf(Env) ?? null,
    },
    rootfs: { diff_ids: diffIds },
  };
}

/** Returns a list of strings; undefined for any other value. */
function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether a document is an index rather than a manifest. */
export function isIndex(document: ImageIndex | ImageManifest): document is ImageIndex {
  return "manifests" in document;
}

/**
 * Returns the image of an index for this machine. An image without a variant runs on all machines of its architecture.
 */
export function imageOfThisMachine(index: ImageIndex, name: string): Descriptor {
  const fits = index.manifests.filter(({ platform }) =>
    platform === undefined || platform.os === "linux" && platform.architecture === ARCHITECTURE
  );
  const [found] = fits.toSorted((a, b) => preference(a) - preference(b));
  if (found) return found;
  const offered = index.manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(", ");
  throw new ImageError(
    "ErrImagePull",
    `no match for platform in manifest of ${name}: linux/${ARCHITECTURE} is required, available: ${offered || "none"}`,
  );
}

/** Prefers `v8`, the variant of all arm64 machines, or no variant. */
function preference({ platform }: Descriptor): number {
  if (platform === undefined) return 2;
  return platform.variant === undefined || platform.variant === "v8" ? 0 : 1;
}
