/** The files of the page, bundled from the sources of `ui/`: the same bytes for the same sources. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { emptyFolder, joinFiles, minify } from "@tiphys/portable";
import { withWhatIsThere } from "./join_pieces.ts";
import { LIBRARIES, withLibraries } from "./libraries.ts";
import { importsIn, loadedBy } from "./script_imports.ts";
import { namedByContent } from "./script_names.ts";
import { withShortNames } from "./short_names.ts";
import { withoutStubs } from "./without_stubs.ts";

/** The styles of all places, in one file. */
const STYLE = "page.css";

/** The flags by which the bundler leaves libraries out. */
const WITHOUT_LIBRARIES = LIBRARIES.map((library) => `--external=${library}`);

/** Styles are put together in this order, the others after them by name. */
const STYLES_FIRST = [
  ...["tokens", "base", "frame"],
  ...["signs", "filters", "cards", "tables", "names", "keys", "drawer", "palette", "fields", "reports"],
  ...["run", "critical_path", "run_body", "comparison", "graph", "rows", "logs", "node_panel", "dialogs"],
  ...["object_forms", "narrow"],
].map((name) => `${name}.css`);

/**
 * Makes the page below a folder: `index.html`, in which `{{base}}` and `{{login}}` are left for the server, and `assets/`
 * with files that are named by their content, each with its `.gz` beside it, and for programs that are handed out its `.br`,
 * which takes seconds to make.
 * @throws {Error} where the bundler fails, in its words.
 */
export async function bundlePage(
  root: string,
  outDir: string,
  { withBrotli = false }: { readonly withBrotli?: boolean } = {},
): Promise<void> {
  const made = `${outDir}/made`;
  await emptyFolder(outDir);
  const write = (name: string, bytes: Uint8Array<ArrayBuffer>) => writeAsset(outDir, name, { bytes, withBrotli });
  const workers = await filesIn(`${root}ui/workers`, ".ts");
  await Promise.all([
    joinScripts(root, outDir, made),
    // A thread is one file beside the libraries: in pieces it would be packed worse.
    joinPage(root, `${made}/workers`, workers.map((name) => `ui/workers/${name}`), WITHOUT_LIBRARIES),
  ]);
  await joinLibraries(root, outDir, made);
  await Deno.writeTextFile(`${made}/${STYLE}`, await stylesOf(root));
  await minify(root, made);
  await Deno.mkdir(`${outDir}/assets`);
  const scripts = await textsBelow(made);
  const { names, texts } = await namedByContent(
    withoutStubs(withShortNames(scripts)),
    (name, text) => hashedName(name, new TextEncoder().encode(text)),
  );
  for (const [name, text] of texts) await write(name, new TextEncoder().encode(text));
  const imports = new Map([...texts].map(([name, text]) => [name, importsIn(text)]));
  const style = await Deno.readFile(`${made}/${STYLE}`);
  const styleName = await hashedName(STYLE, style);
  await write(styleName, style);
  const icon = await Deno.readFile(`${root}ui/icon.svg`);
  const iconName = await hashedName("icon.svg", icon);
  await write(iconName, icon);
  const values: Readonly<Record<string, string>> = {
    style: `assets/${styleName}`,
    icon: `assets/${iconName}`,
    script: `assets/${names.get("main.js")}`,
    workers: workers.map((name) => {
      const stem = name.replace(/\.ts$/, "");
      return `data-worker-${stem}="assets/${names.get(`workers/${stem}.js`)}"`;
    }).join(" "),
  };
  const html = await Deno.readTextFile(`${root}ui/index.html`);
  // Told before the first file is there, its imports are asked for all at once.
  const preload = loadedBy(names.get("main.js")!, imports).slice(1)
    .map((name) => `<link rel="modulepreload" href="assets/${name}">\n`).join("");
  const filled = html.replace("</head>", `${preload}</head>`)
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  await Deno.remove(made, { recursive: true });
  // The index is written last: a folder that has one is complete.
  await Deno.writeTextFile(`${outDir}/index.html`, filled);
}

/** Joins the scripts of the page: into pieces by the places that need them, and these into as few files as there can be. */
async function joinScripts(root: string, outDir: string, made: string): Promise<void> {
  const pieces = `${outDir}/pieces`;
  await joinPage(root, pieces, ["ui/main.tsx"], ["--code-splitting", ...WITHOUT_LIBRARIES]);
  for (const [name, text] of withWhatIsThere(await textsBelow(pieces), "main.js")) {
    await Deno.writeTextFile(`${pieces}/${name}`, text);
  }
  // From their folder: what the bundler makes is ordered by the ways to the files, too.
  await joinPage(pieces, made, ["main.js"], ["--code-splitting", ...WITHOUT_LIBRARIES]);
  await Deno.remove(pieces, { recursive: true });
}

/** Makes a file of each library, with what the scripts import of it. */
async function joinLibraries(root: string, outDir: string, made: string): Promise<void> {
  const { scripts, names } = withLibraries(await textsBelow(made), LIBRARIES);
  for (const [name, text] of scripts) await Deno.writeTextFile(`${made}/${name}`, text);
  const entries = `${outDir}/libraries`;
  await Deno.mkdir(entries);
  for (const [library, all] of names) {
    await Deno.writeTextFile(`${entries}/${library}.ts`, `export { ${all.join(", ")} } from "${library}";\n`);
  }
  await Promise.all(LIBRARIES.map((library) => joinPage(root, made, [`${entries}/${library}.ts`], [])));
  await Deno.remove(entries, { recursive: true });
}

async function joinPage(
  from: string,
  outDir: string,
  entries: readonly string[],
  flags: readonly string[],
): Promise<void> {
  if (entries.length > 0) await joinFiles(from, ["--platform=browser", ...flags, `--outdir=${outDir}`, ...entries]);
}

async function stylesOf(root: string): Promise<string> {
  const names = await filesIn(`${root}ui/styles`, ".css");
  const ordered = [
    ...STYLES_FIRST.filter((name) => names.includes(name)),
    ...names.filter((name) => !STYLES_FIRST.includes(name)),
  ];
  const texts = await Promise.all(ordered.map((name) => Deno.readTextFile(`${root}ui/styles/${name}`)));
  return texts.join("\n");
}

/** The files of a folder by their ending; none where there is no such folder, as git keeps none that is empty. */
async function filesIn(folder: string, ending: string): Promise<string[]> {
  const names: string[] = [];
  const isThere = await Deno.stat(folder).then(() => true, () => false);
  if (!isThere) return names;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && name.endsWith(ending) && !/_(test|bench)\.ts$/.test(name)) names.push(name);
  }
  return names.sort();
}

/** The scripts below a folder, by their paths in it. */
async function textsBelow(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of await scriptsBelow(folder)) {
    texts.set(path.slice(folder.length + 1), await Deno.readTextFile(path));
  }
  return texts;
}

async function scriptsBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await scriptsBelow(path));
    else if (name.endsWith(".js")) found.push(path);
  }
  return found.sort();
}

/** `page.css` with a part of the hash of its content: `page-1a2b3c4d5e.css`. */
async function hashedName(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const at = name.lastIndexOf(".");
  const stem = name.slice(0, at).split("/").at(-1)!;
  return `${stem}-${digest.subarray(0, 6).toHex()}${name.slice(at)}`;
}

interface AssetFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly withBrotli: boolean;
}

async function writeAsset(outDir: string, name: string, { bytes, withBrotli }: AssetFile): Promise<void> {
  await Deno.writeFile(`${outDir}/assets/${name}`, bytes);
  // Packed once and sent often: the most that gzip can do.
  await Deno.writeFile(`${outDir}/assets/${name}.gz`, gzipSync(bytes, { level: 9 }));
  if (!withBrotli) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await Deno.writeFile(`${outDir}/assets/${name}.br`, brotliCompressSync(bytes, { params }));
}
