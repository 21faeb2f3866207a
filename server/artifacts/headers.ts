/** The headers of artifacts, which are untrusted content for browsers. */
import { contentTypeOf } from "@tiphys/artifacts/content_type";

/** The default content security policy. Argo's page can show an artifact in a frame, and no script in it runs. */
const DEFAULT_POLICY = "sandbox allow-same-origin; base-uri 'none'; default-src 'none'; img-src 'self'; " +
  "style-src 'self' 'unsafe-inline'";

/**
 * The policy for an artifact whose scripts may run: in an opaque origin, without access to the user's session or to the
 * page. It cannot fetch anything. It can navigate its frame to another address of this server, but without cookies.
 */
const SCRIPTS_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; " +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'";

/** Returns the headers of an artifact whose scripts may run. A policy set by an administrator is kept. */
export function withScripts(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (headers["content-security-policy"] !== DEFAULT_POLICY) return headers;
  return { ...headers, "content-security-policy": SCRIPTS_POLICY, "x-dns-prefetch-control": "off" };
}

/** Returns the headers of every artifact, from the environment. */
export function artifactHeaders(env: (name: string) => string | undefined): Readonly<Record<string, string>> {
  const frame = env("ARGO_ARTIFACT_X_FRAME_OPTIONS") ?? "SAMEORIGIN";
  return {
    "content-security-policy": env("ARGO_ARTIFACT_CONTENT_SECURITY_POLICY") || DEFAULT_POLICY,
    ...(frame ? { "x-frame-options": frame } : {}),
    "x-content-type-options": "nosniff",
    // Permissions differ between users and a key may be overwritten, so a cached copy must be revalidated before use.
    "cache-control": "private, no-cache",
  };
}

/** Returns the content type and the file name of an artifact key. */
export function fileHeaders(key: string): Readonly<Record<string, string>> {
  const type = contentTypeOf(key);
  return {
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
    "content-disposition": dispositionOf(key.replace(/\/$/, "").split("/").at(-1) ?? ""),
  };
}

/** Returns the file name as an ASCII header value, followed by the full name if it contains other characters. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_");
  const quoted = `filename="${plain.replace(/["\\]/g, "\\$&")}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${percentEncode(name)}`;
}

/** Percent-encodes every byte except letters, digits, `.`, `_` and `-`. A lone surrogate is encoded as U+FFFD. */
function percentEncode(name: string): string {
  const bytes = new TextEncoder().encode(name);
  return [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** A byte range; `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the requested range. Undefined means the whole file: no range, several ranges, an invalid one, or an
 * `If-Range` that does not match. Null means a range beyond the end.
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
