/** Serves the files of Argo's page like Argo's server: without compression and cache headers. */

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
  png: "image/png",
  ttf: "font/ttf",
  woff2: "font/woff2",
};

/** Returns a handler that serves the file at a path, or the page. */
export async function pageFiles(folder: string): Promise<(pathname: string) => Response> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for await (const path of pathsBelow(folder)) files.set(path.slice(folder.length), await Deno.readFile(path));
  const index = files.get("/index.html");
  if (!index) throw new Error(`Expected the files of a page in ${folder}, found no index.html`);
  return (pathname) => {
    const bytes = files.get(pathname) ?? index;
    const ending = bytes === index ? "html" : pathname.slice(pathname.lastIndexOf(".") + 1);
    const type = TYPES[ending] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "content-type": type, "content-length": String(bytes.length) } });
  };
}

async function* pathsBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* pathsBelow(path);
    // Browsers do not load source maps unless developer tools are open.
    else if (!name.endsWith(".map")) yield path;
  }
}
