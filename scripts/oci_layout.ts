/**
 * OCI layouts of images. Their layers are compressed with gzip, or with the smaller zstd, which clients of 2022 and
 * later support (containerd 1.5, Docker 23).
 */
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import { outputOf } from "./command.ts";

/**
 * The compression of layers: gzip, which every client reads, or the smaller zstd, for clients of 2022 and later
 * (containerd 1.5, Docker 23).
 */
export interface Compression {
  readonly kind: "gzip" | "zstd";
  /** 1 (fast) to 9 (small) for gzip, to 19 for zstd. */
  readonly level: number;
}

/** An image to write: the folders that form its root in layers, and its command. */
export interface ImageLayout {
  /** The folders of the image's root, the lowest first: each is a layer. */
  readonly roots: readonly string[];
  /** The image's name and tag after an import. */
  readonly reference: string;
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  /** The user of the image unless a container sets another one; root when absent. */
  readonly user?: string;
  /** gzip of level 1 when absent. */
  readonly compression?: Compression;
  /** A folder that keeps compressed layers by content; a layer that is there is not compressed again. */
  readonly layerCache?: string;
}

/** A layer in the manifest. */
interface Layer {
  readonly uncompressed: string;
  readonly digest: string;
  readonly size: number;
}

const FAST: Compression = { kind: "gzip", level: 1 };

/**
 * Arguments of tar for reproducible archives: no owner, a fixed time, sorted names. Equal content gives equal bytes.
 */
const TAR = ["tar", "--format=ustar", "--sort=name", "--numeric-owner", "--owner=0", "--group=0", "--mtime=@0"];

const LAYOUT = '{"imageLayoutVersion":"1.0.0"}';
const MEDIA = "application/vnd.oci.image";
const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Writes an image as an OCI layout folder and returns the digest of its manifest, `sha256:…`. The same roots give the
 * same bytes, whatever the owners and times of the files.
 */
export async function writeImageLayout(folder: string, image: ImageLayout): Promise<string> {
  const blobs = `${folder}/blobs/sha256`;
  await Deno.mkdir(blobs, { recursive: true });
  const { kind } = image.compression ?? FAST;
  const layers: Layer[] = [];
  for (const root of image.roots) layers.push(await writeLayer(root, blobs, image));
  const config = await writeJson(blobs, {
    architecture: Deno.build.arch === "aarch64" ? "arm64" : "amd64",
    os: "linux",
    config: {
      Env: [`PATH=${SEARCH_PATH}`],
      Entrypoint: image.entrypoint ?? null,
      Cmd: image.cmd ?? null,
      ...(image.user ? { User: image.user } : {}),
    },
    rootfs: { type: "layers", diff_ids: layers.map((layer) => layer.uncompressed) },
  });
  const manifest = await writeJson(blobs, {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: { mediaType: `${MEDIA}.config.v1+json`, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: `${MEDIA}.layer.v1.tar+${kind}`, digest, size })),
  });
  const annotations = {
    "io.containerd.image.name": image.reference,
    "org.opencontainers.image.ref.name": image.reference.slice(image.reference.lastIndexOf(":") + 1),
  };
  const index = { schemaVersion: 2, manifests: [{ mediaType: `${MEDIA}.manifest.v1+json`, ...manifest, annotations }] };
  await Deno.writeTextFile(`${folder}/oci-layout`, LAYOUT);
  await Deno.writeTextFile(`${folder}/index.json`, JSON.stringify(index));
  return manifest.digest;
}

/**
 * Packs a layout folder into a tar for `skopeo copy oci-archive:`, `ctr images import` and `kind load image-archive`.
 */
export async function packImageLayout(folder: string, archive: string): Promise<void> {
  await outputOf([...TAR, "-C", folder, "-cf", archive, "oci-layout", "index.json", "blobs"]);
}

async function writeLayer(root: string, blobs: string, image: ImageLayout): Promise<Layer> {
  const tar = `${blobs}/.layer.tar`;
  const packed = `${blobs}/.layer`;
  await outputOf([...TAR, "-C", root, "-cf", tar, "."]);
  const sum = await sha256OfFile(tar);
  const compression = image.compression ?? FAST;
  const kept = image.layerCache && `${image.layerCache}/${sum}.${compression.kind}-${compression.level}`;
  if (!kept || !await copyIfExists(kept, packed)) {
    await compress(tar, packed, compression);
    if (kept) {
      await Deno.mkdir(image.layerCache!, { recursive: true });
      await Deno.copyFile(packed, kept);
    }
  }
  await Deno.remove(tar);
  const digest = await sha256OfFile(packed);
  const { size } = await Deno.stat(packed);
  await Deno.rename(packed, `${blobs}/${digest}`);
  return { uncompressed: `sha256:${sum}`, digest: `sha256:${digest}`, size };
}

async function compress(from: string, to: string, { kind, level }: Compression): Promise<void> {
  const packer = kind === "gzip"
    ? createGzip({ level })
    : createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
  await pipeline(createReadStream(from), packer, createWriteStream(to));
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await Deno.copyFile(from, to);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function writeJson(blobs: string, content: unknown): Promise<{ digest: string; size: number }> {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const file = `${blobs}/.new`;
  await Deno.writeFile(file, bytes);
  const digest = await sha256OfFile(file);
  await Deno.rename(file, `${blobs}/${digest}`);
  return { digest: `sha256:${digest}`, size: bytes.length };
}

async function sha256OfFile(file: string): Promise<string> {
  return (await outputOf(["sha256sum", file])).slice(0, 64);
}
