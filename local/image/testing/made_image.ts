/** Creates small images in memory, and a registry that serves them. */
import { createHash } from "node:crypto";
import { type Header, pack } from "tar-stream";

/** A file of a layer. */
export type MadeEntry = Partial<Header> & { readonly name: string; readonly text?: string };

/** An image: its documents and its layers. */
export interface MadeImage {
  /** Content by digest. */
  readonly blobs: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The digest of the manifest or index. */
  readonly digest: string;
}

export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export async function tarOf(entries: readonly MadeEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const tar = pack();
  for (const { text, ...header } of entries) tar.entry(header, text ?? "");
  return await bytesOf(tar);
}

/** Creates an image. @param config its container settings. @param diffIds the digests that it claims for its layers. */
export async function madeImage(
  layers: readonly (readonly MadeEntry[])[],
  config: Record<string, unknown> = {},
  diffIds?: readonly string[],
): Promise<MadeImage> {
  const blobs = new Map<string, Uint8Array<ArrayBuffer>>();
  const keep = (bytes: Uint8Array<ArrayBuffer>) => {
    const digest = digestOfBytes(bytes);
    blobs.set(digest, bytes);
    return { digest, size: bytes.length };
  };
  const tars = await Promise.all(layers.map(tarOf));
  const packed = await Promise.all(tars.map(gzip));
  const rootfs = { type: "layers", diff_ids: diffIds ?? tars.map(digestOfBytes) };
  const manifest = {
    schemaVersion: 2,
    config: keep(json({ os: "linux", config, rootfs })),
    layers: packed.map(keep),
  };
  return { digest: keep(json(manifest)).digest, blobs };
}

/** Creates an index of images for several architectures. */
export function indexOf(images: Readonly<Record<string, MadeImage>>): MadeImage {
  const manifests = Object.entries(images).map(([architecture, image]) => ({
    digest: image.digest,
    size: image.blobs.get(image.digest)!.length,
    platform: { os: "linux", architecture },
  }));
  const bytes = json({ schemaVersion: 2, manifests });
  const digest = digestOfBytes(bytes);
  return { digest, blobs: new Map([...Object.values(images).flatMap(({ blobs }) => [...blobs]), [digest, bytes]]) };
}

/** Returns the image as an OCI archive. */
export async function archiveOf(image: MadeImage, name?: string): Promise<Uint8Array<ArrayBuffer>> {
  const annotations = name === undefined ? {} : { "io.containerd.image.name": name };
  const size = image.blobs.get(image.digest)!.length;
  const tar = pack();
  for (const [digest, bytes] of image.blobs) {
    tar.entry({ name: `blobs/${digest.replace(":", "/")}` }, bytes as unknown as string);
  }
  tar.entry({ name: "index.json" }, JSON.stringify({ manifests: [{ digest: image.digest, size, annotations }] }));
  return await bytesOf(tar);
}

/** A local registry that records requests. */
export interface MadeRegistry extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
  /** Path and query of each request. */
  readonly requests: string[];
}

/** Serves images by `repository:tag`. With `login`, clients need a token for this name and password. */
export function serveRegistry(
  images: Readonly<Record<string, MadeImage>>,
  login?: { readonly username: string; readonly password: string },
): MadeRegistry {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname, search, host } = new URL(request.url);
    requests.push(pathname + search);
    if (pathname === "/token") {
      const expected = `Basic ${btoa(`${login?.username}:${login?.password}`)}`;
      const isKnown = request.headers.get("authorization") === expected;
      return isKnown ? Response.json({ token: "let-me-in" }) : new Response("", { status: 401 });
    }
    if (login && request.headers.get("authorization") !== "Bearer let-me-in") {
      const challenge = `Bearer realm="http://${host}/token",service="here",scope="repository:x:pull"`;
      return new Response("", { status: 401, headers: { "www-authenticate": challenge } });
    }
    const [, repository, , wanted] = /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(pathname) ?? [];
    const tagged = images[`${repository}:${wanted}`];
    const bytes = tagged ? tagged.blobs.get(tagged.digest) : blobOf(images, wanted ?? "");
    return bytes ? new Response(bytes) : new Response("", { status: 404 });
  });
  return {
    host: `127.0.0.1:${server.addr.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

function blobOf(images: Readonly<Record<string, MadeImage>>, digest: string): Uint8Array<ArrayBuffer> | undefined {
  return Object.values(images).map(({ blobs }) => blobs.get(digest)).find((bytes) => bytes !== undefined);
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function bytesOf(tar: ReturnType<typeof pack>): Promise<Uint8Array<ArrayBuffer>> {
  tar.finalize();
  return new Uint8Array(
    await new Blob(await Array.fromAsync(tar as AsyncIterable<Uint8Array<ArrayBuffer>>)).arrayBuffer(),
  );
}
