/** Files as responses: media type, encodings and caching. */
import { chooseEncoding, type Encoding } from "./choose_encoding.ts";

/** A file, with its compressed forms. */
export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
};

/** The media type of a file, by its extension. */
export function typeOf(name: string): string {
  return TYPES[name.split(".").at(-1)!] ?? "application/octet-stream";
}

const YEAR_SECONDS = 31_536_000;

/** A file as a response, in the encoding that the client prefers. Its name is expected to change with its content. */
export function assetResponse(
  { bytes, packed, type }: Asset,
  request: Request,
  headers: Headers,
  caching = `public, max-age=${YEAR_SECONDS}, immutable`,
): Response {
  headers.set("content-type", type);
  headers.set("cache-control", caching);
  headers.set("vary", "accept-encoding");
  const encoding = chooseEncoding(
    request.headers.get("accept-encoding"),
    (candidate) => packed[candidate] !== undefined,
  );
  const body = encoding && packed[encoding] || bytes;
  if (encoding) headers.set("content-encoding", encoding);
  headers.set("content-length", String(body.length));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
