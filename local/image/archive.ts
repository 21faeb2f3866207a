/** Reads image archives: OCI layouts (`skopeo`, `docker buildx`), and archives of `docker save` and `podman save`. */
import { z } from "zod";
import { parseJson } from "@tiphys/base/bounded_json";
import { ImageError } from "@tiphys/registry/image_error";
import { digestOf } from "@tiphys/registry/digest";
import type { BlobStore } from "./blob_store.ts";
import { decompress } from "./decompress.ts";
import { tarEntries } from "./tar_entries.ts";
import { MAX_ARCHIVE_ENTRIES, MAX_DOCUMENTS_BYTES, MAX_INDEX_DEPTH, MAX_MANIFEST_BYTES } from "@tiphys/registry/limits";
import {
  type Descriptor,
  type ImageIndex,
  type ImageManifest,
  imageOfThisMachine,
  isIndex,
  nestedTooDeeplyError,
  readDocument,
} from "@tiphys/registry/manifest";

/** An image of an archive. Its blobs are in the store. */
export interface ArchivedImage {
  /** The names in the archive; may be empty. */
  readonly names: readonly string[];
  /** The digest of the manifest. In a docker archive, which has no manifest, that of the configuration. */
  readonly digest: string;
  readonly manifest: ImageManifest;
}

/** Annotations in which tools store an image's full name in an OCI index, in order of preference. */
const NAME_ANNOTATIONS = ["io.containerd.image.name", "org.opencontainers.image.ref.name"];

/**
 * Reads a compressed or uncompressed archive into the store.
 * @throws {ImageError} if it contains no image, or exceeds a limit.
 */
export async function readArchive(
  archive: ReadableStream<Uint8Array>,
  blobs: BlobStore,
  maxEntries = MAX_ARCHIVE_ENTRIES,
): Promise<ArchivedImage[]> {
  const documents = new Map<string, Uint8Array>();
  const digests = new Map<string, { readonly digest: string; readonly size: number }>();
  const links = new Map<string, string>();
  let held = 0;
  let entries = 0;
  for await (const { header, content } of tarEntries(await decompress(archive))) {
    if (++entries > maxEntries) throw noImageError(`it has more than ${maxEntries} entries`);
    const name = header.name.replace(/^\.\//, "");
    if (header.type === "symlink") links.set(name, joinPaths(name, header.linkname ?? ""));
    else if (header.type === "file") {
      const isLayer = (header.size ?? 0) > MAX_MANIFEST_BYTES || /layer\.tar$/.test(name);
      if (isLayer || name.startsWith("blobs/sha256/")) {
        const size = header.size ?? 0;
        digests.set(name, { digest: await blobs.add(ReadableStream.from(content)), size });
      } else {
        held += header.size ?? 0;
        if (held > MAX_DOCUMENTS_BYTES) throw noImageError(`its documents have more than ${MAX_DOCUMENTS_BYTES} bytes`);
        documents.set(name, await bytesOf(content));
      }
    }
  }
  for (const [name, content] of documents) {
    if (name === "index.json" || name === "manifest.json" || name === "oci-layout" || name === "repositories") continue;
    const digest = await digestOf(content);
    await blobs.writeBytes(digest, content);
    digests.set(name, { digest, size: content.length });
  }
  for (const [name, target] of links) if (digests.has(target)) digests.set(name, digests.get(target)!);
  // If both forms exist, the docker form has the names.
  const docker = documents.get("manifest.json");
  if (docker) return dockerImages(readDockerManifests(docker), digests);
  const index = documents.get("index.json");
  if (!index) throw noImageError("it has neither index.json nor manifest.json");
  const document = readDocument(index, "index.json");
  if (!isIndex(document) || document.manifests.length === 0) throw noImageError("its index.json lists no image");
  return await ociImages(document, blobs);
}

function noImageError(reason: string): ImageError {
  return new ImageError("ErrImagePull", `the archive contains no image: ${reason}`);
}

async function ociImages(index: ImageIndex, blobs: BlobStore): Promise<ArchivedImage[]> {
  const images: ArchivedImage[] = [];
  for (const descriptor of index.manifests) {
    const names = NAME_ANNOTATIONS.flatMap((key) => descriptor.annotations?.[key] ?? []).slice(0, 1);
    images.push({ names, ...await manifestAt(descriptor, names[0] ?? "the archive", blobs) });
  }
  return images;
}

async function manifestAt(
  { digest }: Descriptor,
  name: string,
  blobs: BlobStore,
  depth = 1,
): Promise<Pick<ArchivedImage, "digest" | "manifest">> {
  const document = readDocument(await blobs.read(digest, MAX_MANIFEST_BYTES), digest);
  if (!isIndex(document)) return { digest, manifest: document };
  if (depth === MAX_INDEX_DEPTH) throw nestedTooDeeplyError(name);
  return await manifestAt(imageOfThisMachine(document, name), name, blobs, depth + 1);
}

/** The format of `manifest.json` in docker archives. */
const dockerManifests = z.array(z.object({
  Config: z.string(),
  RepoTags: z.array(z.string()).nullish(),
  Layers: z.array(z.string()),
})).min(1);

function readDockerManifests(bytes: Uint8Array): z.infer<typeof dockerManifests> {
  try {
    return dockerManifests.parse(parseJson(new TextDecoder().decode(bytes)));
  } catch {
    throw noImageError("its manifest.json lists no image");
  }
}

function dockerImages(
  manifests: z.infer<typeof dockerManifests>,
  digests: ReadonlyMap<string, Descriptor>,
): ArchivedImage[] {
  const find = (name: string) => {
    const found = digests.get(name);
    if (!found) {
      throw new ImageError("ErrImagePull", `the archive refers to ${JSON.stringify(name)}, which it does not contain`);
    }
    return found;
  };
  return manifests.map(({ Config, RepoTags, Layers }) => {
    const config = find(Config);
    return { names: RepoTags ?? [], digest: config.digest, manifest: { config, layers: Layers.map(find) } };
  });
}

/** Returns the path of a link's target in the archive. */
function joinPaths(link: string, target: string): string {
  const parts = target.startsWith("/") ? [] : link.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of content) chunks.push(chunk.slice());
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
