import { outputOf } from "../command.ts";

/** An image of one layer: a folder that is its root, and what runs in it. */
export interface ImageArchive {
  /** The folder whose content is the image's root. */
  readonly root: string;
  /** The file to write: an OCI layout in a tar. */
  readonly archive: string;
  /** The image's name and tag, as a client that imports the archive will call it. */
  readonly reference: string;
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
}

const LAYOUT = '{"imageLayoutVersion":"1.0.0"}';
const MEDIA = "application/vnd.oci.image";
const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Writes an image archive; the same folder gives the same bytes, whoever owns its files and whenever they were made. */
export async function writeImageArchive(image: ImageArchive): Promise<void> {
  const work = await Deno.makeTempDir({ prefix: "image-" });
  try {
    const blobs = `${work}/layout/blobs/sha256`;
    await Deno.mkdir(blobs, { recursive: true });
    const layer = await writeLayer(image.root, work, blobs);
    const config = await writeJson(blobs, {
      architecture: architecture(),
      os: "linux",
      config: { Env: [`PATH=${SEARCH_PATH}`], Entrypoint: image.entrypoint ?? null, Cmd: image.cmd ?? null },
      rootfs: { type: "layers", diff_ids: [layer.uncompressed] },
    });
    const manifest = await writeJson(blobs, {
      schemaVersion: 2,
      mediaType: `${MEDIA}.manifest.v1+json`,
      config: { mediaType: `${MEDIA}.config.v1+json`, ...config },
      layers: [{ mediaType: `${MEDIA}.layer.v1.tar+gzip`, digest: layer.digest, size: layer.size }],
    });
    const annotations = {
      "io.containerd.image.name": image.reference,
      "org.opencontainers.image.ref.name": image.reference.slice(image.reference.lastIndexOf(":") + 1),
    };
    const index = {
      schemaVersion: 2,
      manifests: [{ mediaType: `${MEDIA}.manifest.v1+json`, ...manifest, annotations }],
    };
    await Deno.writeTextFile(`${work}/layout/oci-layout`, LAYOUT);
    await Deno.writeTextFile(`${work}/layout/index.json`, JSON.stringify(index));
    await outputOf(["tar", "-C", `${work}/layout`, "-cf", image.archive, "oci-layout", "index.json", "blobs"]);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function writeLayer(root: string, work: string, blobs: string) {
  const tar = `${work}/layer.tar`;
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

function architecture(): string {
  return Deno.build.arch === "aarch64" ? "arm64" : "amd64";
}
