/** The files of Argo's page, given out as Argo's server does: nothing is packed, and nothing says how long it may be kept. */

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

/** Answers for a path: its file, or the page. */
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
    // Nobody who looks at a page asks for its maps.
    else if (!name.endsWith(".map")) yield path;
  }
}
