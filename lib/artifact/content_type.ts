/** The media type of a file by the end of its name, for browsers that are sent there. */

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

/** The media type that a key's extension stands for; bytes of no known kind without one. */
export function contentTypeOf(key: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(key)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return known ?? "application/octet-stream";
}
