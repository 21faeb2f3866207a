/** The documentation under `/docs`: the files of the site that `scripts/docs_site` builds, with the headers of the page. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { filePath } from "@tiphys/base/file_path";
import { isKnown } from "../wire/entity_tags.ts";
import { assetResponse, typeOf } from "./asset.ts";

/** The path of the documentation below the base of the server. */
export const DOCS_PATH = "/docs";
/** The path before all pages in the files of the site: a placeholder, replaced by the path that they are served at. */
export const DOCS_BASE = "/--tiphys-docs--/";

/** Places of the built site, seen from this module: in a bundle, and in a clone. */
const PLACES = ["./docs/", "../../build/docs/"] as const;
/** This module, or the bundle that holds it; a bundle of scripts has no address but that of the program. */
const OWN = import.meta.url as string | undefined ?? Deno.mainModule;

/** The names of pages and assets: no dots in front, so that no path leads out of the folder. */
const FILE_PATH = /^(?:[@\w-][@\w.-]*\/)*[@\w-][@\w.-]*$/;
const NOT_BUILT =
  "This program was built without the documentation. In a clone, build it with: deno task docs --build\n";

/** The folder of the built site; undefined for a program or a clone without it. */
export async function docsFolder(own = OWN): Promise<string | undefined> {
  for (const place of PLACES) {
    const folder = new URL(place, own);
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
  const found = await readBelow(folder, name);
  const file = found === undefined ? "404.html" : name;
  const content = found ?? await readBelow(folder, file) ?? new TextEncoder().encode("not found\n");
  const type = typeOf(file);
  const isText = !/^(?:image\/png|application\/octet-stream)/.test(type);
  const bytes = isText ? new TextEncoder().encode(withBase(content, base)) : content;
  if (found === undefined) {
    headers.set("content-type", type);
    headers.set("cache-control", "no-store");
    return new Response(request.method === "HEAD" ? null : bytes, { status: 404, headers });
  }
  // Names below assets/ change with their content.
  const isNamedByContent = name.startsWith("assets/");
  if (!isNamedByContent) {
    const etag = `"${new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).subarray(0, 12).toHex()}"`;
    headers.set("etag", etag);
    headers.set("cache-control", "no-cache");
    if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  }
  const packed = isText ? { gzip: new Uint8Array(await promisify(gzip)(bytes)) } : {};
  return assetResponse({ bytes, packed, type }, request, headers, isNamedByContent ? undefined : "no-cache");
}

function withBase(content: Uint8Array, base: string): string {
  return new TextDecoder().decode(content).replaceAll(DOCS_BASE, base);
}

async function readBelow(folder: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!FILE_PATH.test(name)) return undefined;
  try {
    return await Deno.readFile(`${folder}/${name}`);
  } catch (error) {
    // A folder is not a page, and a name can be longer than the file system allows.
    if (error instanceof Deno.errors.PermissionDenied) throw error;
    return undefined;
  }
}
