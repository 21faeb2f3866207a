/** The media type of a file by its extension, for browsers that open it. */

const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  css: "text/css",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  log: "text/plain",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tgz: "application/gzip",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  webp: "image/webp",
  xml: "text/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
  zst: "application/zstd",
};

/** Returns the media type for a key's extension, by default that of binary data. */
export function contentTypeOf(key: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(key)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return known ?? "application/octet-stream";
}
