/**
 * Serves the documentation under `/docs`: the files of the site that `scripts/docs_site` builds, with the headers of
 * the page.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { filePath } from "@tiphys/base/file_path";
import { matchesEntityTag } from "../wire/entity_tags.ts";
import { type Asset, assetResponse, typeOf } from "./asset.ts";

/** The path of the documentation below the base of the server. */
export const DOCS_PATH = "/docs";
/** The base path in the files of the site: a placeholder, replaced by the path at which they are served. */
export const DOCS_BASE = "/--tiphys-docs--/";

/** Locations of the built site relative to this module: in a bundle, and in a clone. */
const LOCATIONS = ["./docs/", "../../build/docs/"] as const;
/** The URL of this module or of its bundle. A script bundle has no URL, so the URL of the program is used. */
const OWN = import.meta.url as string | undefined ?? Deno.mainModule;

/** The paths of pages and assets. No segment starts with a dot, so a path cannot leave the folder. */
const FILE_PATH = /^(?:[@\w-][@\w.-]*\/)*[@\w-][@\w.-]*$/;
const NOT_BUILT =
  "This program was built without the documentation. In a clone, build it with: deno task docs --build\n";

/** Returns the folder of the built site; undefined if there is no site. */
export async function docsFolder(own = OWN): Promise<string | undefined> {
  for (const location of LOCATIONS) {
    const folder = new URL(location, own);
    if (await Deno.stat(new URL("index.html", folder)).then(() => true, () => false)) return filePath(folder);
  }
  return undefined;
}

/** Responds to a request for a file of the site. `path` is the part of its path after {@link DOCS_PATH}. */
export async function docsResponse(
  request: Request,
  path: string,
  { folder, baseHref }: { readonly folder: string | undefined; readonly baseHref: string },
  headers: Headers,
): Promise<Response> {
  const base = `${encodeURI(baseHref)}${DOCS_PATH.slice(1)}/`;
  if (folder === undefined) return new Response(NOT_BUILT, { status: 404, headers });
  if (path === "") {
    headers.set("location", base);
    return new Response(null, { status: 302, headers });
  }
  const name = `${path.slice(1)}${path.endsWith("/") ? "index.html" : ""}`;
  const file = await preparedFile(folder, name, base);
  if (file === undefined) {
    const { bytes, type } = await preparedFile(folder, "404.html", base) ?? NOT_FOUND;
    headers.set("content-type", type);
    headers.set("cache-control", "no-store");
    return new Response(request.method === "HEAD" ? null : bytes, { status: 404, headers });
  }
  // Names below assets/ change with their content.
  if (name.startsWith("assets/")) return assetResponse(file, request, headers);
  headers.set("etag", file.etag);
  headers.set("cache-control", "no-cache");
  if (matchesEntityTag(request.headers.get("if-none-match"), file.etag)) {
    return new Response(null, { status: 304, headers });
  }
  return assetResponse(file, request, headers, "no-cache");
}

/** A file of the site with its base, compressed. */
interface PreparedFile extends Asset {
  readonly etag: string;
}

const NOT_FOUND = { bytes: new TextEncoder().encode("not found\n"), type: typeOf("404.txt") };

/**
 * Prepared files by base and path. Callers need no login, so a file is compressed once and not per request. There are
 * at most as many entries as files of the site.
 */
const prepared = new Map<string, { readonly version: string; readonly file: Promise<PreparedFile> }>();

/** Returns a file of the site; undefined if it does not exist. A file that a later build replaced is prepared again. */
async function preparedFile(folder: string, name: string, base: string): Promise<PreparedFile | undefined> {
  if (!FILE_PATH.test(name)) return undefined;
  const path = `${folder}/${name}`;
  // A folder is not a page, and a name can be longer than the file system allows.
  const info = await Deno.stat(path).catch((error) => {
    if (error instanceof Deno.errors.PermissionDenied) throw error;
  });
  if (!info?.isFile) return undefined;
  const version = `${info.mtime?.getTime()} ${info.size}`;
  const key = `${base} ${path}`;
  const known = prepared.get(key);
  if (known?.version === version) return await known.file;
  const file = prepare(path, base);
  prepared.set(key, { version, file });
  file.catch(() => prepared.delete(key));
  return await file;
}

async function prepare(path: string, base: string): Promise<PreparedFile> {
  const type = typeOf(path);
  const content = await Deno.readFile(path);
  const isText = !/^(?:image\/png|application\/octet-stream)/.test(type);
  const bytes = isText ? new TextEncoder().encode(withBase(content, base)) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).subarray(0, 12).toHex();
  return {
    bytes,
    packed: isText ? { gzip: new Uint8Array(await promisify(gzip)(bytes)) } : {},
    type,
    etag: `"${digest}"`,
  };
}

function withBase(content: Uint8Array, base: string): string {
  return new TextDecoder().decode(content).replaceAll(DOCS_BASE, base);
}
