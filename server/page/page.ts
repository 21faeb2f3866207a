/** The page as a function from requests to responses: immutable files, and an index that refers to them. */

import { gzipSync } from "node:zlib";
import { type Asset, assetResponse, typeOf } from "./asset.ts";
import { matchesEntityTag } from "../wire/entity_tags.ts";
import { DOCS_PATH, docsResponse } from "./docs.ts";
import { importsIn, scriptsLoadedWith } from "./script_imports.ts";

/** The settings of a page. */
export interface PageOptions {
  /** Returns the folder with `index.html` and `assets/`. Called once, at the first request. */
  readonly folder: () => Promise<string>;
  /** The path of the page behind a proxy. It begins and ends with a slash. */
  readonly baseHref: string;
  /** The way in which users log in: with the ticket of a link, or with a token. */
  readonly login: "ticket" | "token";
  /** The authentication modes of users with their own credentials. The page offers only these. */
  readonly modes?: readonly string[];
  /** The header `X-Frame-Options`: `DENY`, `SAMEORIGIN`, or empty to allow all pages to frame this one. */
  readonly xFrameOptions: string;
  /** Origins whose pages may frame widgets, in addition to those that may frame the whole page. */
  readonly widgetAncestors?: readonly string[] | undefined;
  /** The folder with the documentation site; `/docs` reports that there is no documentation when undefined. */
  readonly docs?: (() => Promise<string | undefined>) | undefined;
  /** JSON documents served with the page, by path. Each is generated at its first request. */
  readonly documents?: ReadonlyMap<string, () => Promise<string>> | undefined;
}

/** The paths of the pages that other pages may frame. */
const WIDGET = /^\/widgets\/(?:workflow-graphs|workflow-status-badges)(?:\/[^/]*)?$/;

/** The paths of single runs, whose page is a separate script. */
const RUN = /^\/workflows\/[^/]+\/[^/]+$/;
const RUN_SCRIPT = /^run_page-[\w-]+\.js$/;
/** The scripts for the log of a run, loaded early because the log is requested at the same time. */
const LOG_SCRIPTS = /^(?:run_page|logs_tab|log_lines)-[\w-]+\.js$/;

/** Responds to a request for a path below the base. Returns undefined if the method is neither GET nor HEAD. */
export type Page = (request: Request, path: string) => Promise<Response | undefined>;

interface Files {
  readonly index: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The `Link` header of runs: preloads their script and its imports together with the first script. */
  readonly runLink: string;
  /** The `Link` header of runs that are opened at their log. */
  readonly logLink: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Creates the page. */
export function makePage(options: PageOptions): Page {
  let files: Promise<Files> | undefined;
  const made = new Map<string, Promise<Asset>>();
  return async (request, path) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    if (path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`)) {
      const site = { folder: await options.docs?.(), baseHref: options.baseHref };
      return await docsResponse(request, path.slice(DOCS_PATH.length), site, headersOf(options, { policies: "vue" }));
    }
    // A failed load is repeated at the next request: the sources may have been fixed.
    files ??= loadFiles(options).catch((error) => {
      files = undefined;
      throw error;
    });
    const { index, etag, runLink, logLink, assets } = await files;
    const headers = headersOf(options, { isWidget: WIDGET.test(path) });
    const document = options.documents?.get(path);
    if (document) {
      let asset = made.get(path);
      if (!asset) {
        asset = document().then(jsonAsset);
        made.set(path, asset);
        asset.catch(() => made.delete(path));
      }
      return assetResponse(await asset, request, headers, "no-cache");
    }
    if (path.startsWith("/assets/")) {
      const asset = assets.get(path.slice("/assets/".length));
      if (!asset) {
        headers.set("content-type", "text/plain; charset=utf-8");
        // Another release may have the file soon, so proxies must not cache its absence.
        headers.set("cache-control", "no-store");
        return new Response(request.method === "HEAD" ? null : "not found\n", { status: 404, headers });
      }
      return assetResponse(asset, request, headers);
    }
    headers.set("cache-control", "no-cache");
    headers.set("etag", etag);
    if (RUN.test(path)) {
      headers.set("link", new URL(request.url).searchParams.get("tab") === "logs" ? logLink : runLink);
    }
    if (matchesEntityTag(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers });
    }
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(request.method === "HEAD" ? null : index, { headers });
  };
}

function jsonAsset(text: string): Asset {
  const bytes = new TextEncoder().encode(text);
  return { bytes, packed: { gzip: new Uint8Array(gzipSync(bytes)) }, type: typeOf(".json") };
}

/** The pages that may frame this one, for the content security policy and the older header. */
function framesOf(
  { xFrameOptions, widgetAncestors = [] }: PageOptions,
  isWidget: boolean,
): { readonly ancestors: string; readonly older: string } {
  if (xFrameOptions === "") return { ancestors: "*", older: "" };
  const isOwn = /^same-?origin$/i.test(xFrameOptions);
  // The older header cannot name other origins. It is omitted, so that browsers without policies show the frame.
  if (isWidget && widgetAncestors.length > 0) return { ancestors: ["'self'", ...widgetAncestors].join(" "), older: "" };
  return { ancestors: isOwn ? "'self'" : "'none'", older: xFrameOptions };
}

/**
 * The headers of every response of the page: a browser loads and runs only files of this server. `policies` are the
 * names of the Trusted Types policies of its scripts.
 */
function headersOf(
  options: PageOptions,
  { isWidget = false, policies = "tiphys" }: { readonly isWidget?: boolean; readonly policies?: string },
): Headers {
  const { ancestors, older } = framesOf(options, isWidget);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${policies}`,
  ];
  return new Headers({
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    ...(older === "" ? {} : { "x-frame-options": older }),
  });
}

async function loadFiles({ folder: find, baseHref, login, modes = [] }: PageOptions): Promise<Files> {
  const folder = await find();
  const template = await Deno.readTextFile(`${folder}/index.html`);
  const values: Readonly<Record<string, string>> = { base: attributeText(baseHref), login, modes: modes.join(" ") };
  const html = template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  const index = new TextEncoder().encode(html);
  const assets = new Map<string, Asset>();
  const names: string[] = [];
  for await (const { name } of Deno.readDir(`${folder}/assets`)) names.push(name);
  const sibling = (name: string) => names.includes(name) ? Deno.readFile(`${folder}/assets/${name}`) : undefined;
  for (const name of names.filter((name) => !/\.(?:gz|br)$/.test(name))) {
    const bytes = await Deno.readFile(`${folder}/assets/${name}`);
    const [gzip, br] = await Promise.all([sibling(`${name}.gz`), sibling(`${name}.br`)]);
    const packed = { ...(gzip ? { gzip } : {}), ...(br ? { br } : {}) };
    assets.set(name, { bytes, packed, type: typeOf(name) });
  }
  const imports = new Map(
    [...assets].filter(([name]) => name.endsWith(".js")).map(([name, { bytes }]) =>
      [name, importsIn(new TextDecoder().decode(bytes))] as const
    ),
  );
  const linkTo = (scripts: RegExp) => {
    // Scripts in the index come first: a browser has six connections, and they run before the others.
    const first = names.filter((name) => html.includes(name) && imports.has(name) && !isThread(name, html));
    const loaded = names.filter((name) => scripts.test(name));
    return [...new Set([...first, ...loaded].flatMap((name) => scriptsLoadedWith(name, imports)))]
      .map((name) => `<${encodeURI(baseHref)}assets/${name}>; rel=modulepreload`).join(", ");
  };
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", index));
  const etag = `"${digest.subarray(0, 12).toHex()}"`;
  return { index, etag, runLink: linkTo(RUN_SCRIPT), logLink: linkTo(LOG_SCRIPTS), assets };
}

/** Reports whether a script is the program of a worker, which the index names in a data attribute. */
function isThread(name: string, html: string): boolean {
  return [...html.matchAll(/data-worker-\w+="assets\/([\w.-]+)"/g)].some(([, program]) => program === name);
}

/** Escapes a text for a quoted attribute. */
function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Normalizes a base href, so that it begins and ends with a slash. */
export function baseHrefOf(text: string): string {
  const inner = text.split("/").filter((segment) => segment !== "");
  return inner.length === 0 ? "/" : `/${inner.join("/")}/`;
}
