/** The headers of artifacts: what a browser may make of files that anybody wrote. */
import { contentTypeOf } from "../../lib/artifact/content_type.ts";

/** The content security policy with which Argo's page can show an artifact in a frame, and nothing in it runs. */
const USUAL_POLICY = "sandbox allow-same-origin; base-uri 'none'; default-src 'none'; img-src 'self'; " +
  "style-src 'self' 'unsafe-inline'";

/**
 * The policy under which a page that anybody wrote runs its scripts: in an origin of its own, so that it sees nothing of the
 * person and of this page. It fetches nothing; it may lead its frame to another address of this server, where no cookie
 * goes along.
 */
const SCRIPTS_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; " +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'";

/** The headers of an artifact whose scripts may run; where administrators set a policy, that one stays. */
export function withScripts(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (headers["content-security-policy"] !== USUAL_POLICY) return headers;
  return { ...headers, "content-security-policy": SCRIPTS_POLICY, "x-dns-prefetch-control": "off" };
}

/** The headers of every artifact, as the environment sets them. */
export function artifactHeaders(env: (name: string) => string | undefined): Readonly<Record<string, string>> {
  const frame = env("ARGO_ARTIFACT_X_FRAME_OPTIONS") ?? "SAMEORIGIN";
  return {
    "content-security-policy": env("ARGO_ARTIFACT_CONTENT_SECURITY_POLICY") || USUAL_POLICY,
    ...(frame ? { "x-frame-options": frame } : {}),
    "x-content-type-options": "nosniff",
    // Each reader has rights of their own, and a key may be written again: what is kept is asked for before it is shown.
    "cache-control": "private, no-cache",
  };
}

/** The headers that tell the name and type of the file of a key. */
export function fileHeaders(key: string): Readonly<Record<string, string>> {
  const type = contentTypeOf(key);
  return {
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    "content-disposition": dispositionOf(key.replace(/\/$/, "").split("/").at(-1) ?? ""),
  };
}

/** The name as a header can hold it; where that is not all of it, the whole name beside it. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_");
  const quoted = `filename="${plain.replace(/["\\]/g, "\\$&")}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`;
}

/** Everything but letters and digits as bytes in hexadecimal; a lone surrogate as those of U+FFFD. */
function encoded(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** A part of a file: from a byte to the one behind the last. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one range that a request asks for; undefined for all, or for one to ignore, as where the content is another one than
 * `If-Range` names; null for one beyond the end.
 */
export function rangeOf(headers: Headers, size: number, tag?: string): ByteRange | undefined | null {
  const condition = headers.get("if-range");
  if (condition !== null && (condition !== tag || tag.startsWith("W/"))) return undefined;
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})$/i.exec(headers.get("range")?.trim() ?? "") ?? [];
  if (first === "" && last === "" || first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return from >= size || to <= from ? null : { from, to };
}
