import { outputOf } from "../command.ts";

/** An image to write: the folders that lie one over the other as its root, and what runs in it. */
export interface ImageLayout {
  /** The folders whose contents make the image's root, the lowest first: each is a layer. */
  readonly roots: readonly string[];
  /** The image's name and tag, as a client that imports it will call it. */
  readonly reference: string;
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
}

const LAYOUT = '{"imageLayoutVersion":"1.0.0"}';
const MEDIA = "application/vnd.oci.image";
const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Writes an image as an OCI layout folder; the same roots give the same bytes, whoever owns the files and whenever they were made. */
export async function writeImageLayout(folder: string, image: ImageLayout): Promise<void> {
  const blobs = `${folder}/blobs/sha256`;
  await Deno.mkdir(blobs, { recursive: true });
  const layers = [];
  for (const root of image.roots) layers.push(await writeLayer(root, blobs));
  const config = await writeJson(blobs, {
    architecture: Deno.build.arch === "aarch64" ? "arm64" : "amd64",
    os: "linux",
    config: { Env: [`PATH=${SEARCH_PATH}`], Entrypoint: image.entrypoint ?? null, Cmd: image.cmd ?? null },
    rootfs: { type: "layers", diff_ids: layers.map((layer) => layer.uncompressed) },
  });
  const manifest = await writeJson(blobs, {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: { mediaType: `${MEDIA}.config.v1+json`, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: `${MEDIA}.layer.v1.tar+gzip`, digest, size })),
  });
  const annotations = {
    "io.containerd.image.name": image.reference,
    "org.opencontainers.image.ref.name": image.reference.slice(image.reference.lastIndexOf(":") + 1),
  };
  const index = { schemaVersion: 2, manifests: [{ mediaType: `${MEDIA}.manifest.v1+json`, ...manifest, annotations }] };
  await Deno.writeTextFile(`${folder}/oci-layout`, LAYOUT);
  await Deno.writeTextFile(`${folder}/index.json`, JSON.stringify(index));
}

/** Packs a layout folder into the tar that `ctr images import` and `kind load image-archive` read. */
export async function packImageLayout(folder: string, archive: string): Promise<void> {
  await outputOf(["tar", "-C", folder, "-cf", archive, "oci-layout", "index.json", "blobs"]);
}

async function writeLayer(root: string, blobs: string) {
  const tar = `${blobs}/.layer.tar`;
  const owned = ["--sort=name", "--numeric-owner", "--owner=0", "--group=0", "--mtime=@0"];
  await outputOf(["tar", ...owned, "-C", root, "-cf", tar, "."]);
  const uncompressed = `sha256:${await sha256OfFile(tar)}`;
  await outputOf(["gzip", "-n", "-1", tar]);
  const digest = await sha256OfFile(`${tar}.gz`);
  const { size } = await Deno.stat(`${tar}.gz`);
  await Deno.rename(`${tar}.gz`, `${blobs}/${digest}`);
  return { uncompressed, digest: `sha256:${digest}`, size };
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
  return (await outputOf(["sha256sum", file])).split(" ")[0];
}
