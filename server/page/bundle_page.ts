/** Bundles the page from the sources of `ui/`. The result is reproducible. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { emptyFolder, joinFiles, minify } from "@tiphys/portable";
import { withLoadedImports } from "./join_pieces.ts";
import { LIBRARIES, withLibraries } from "./libraries.ts";
import { importsIn, scriptsLoadedWith } from "./script_imports.ts";
import { withContentNames } from "./script_names.ts";
import { withShortNames } from "./short_names.ts";
import { withoutStubs } from "./without_stubs.ts";

/** The file with all styles. */
const STYLE = "page.css";

/** The bundler flags that exclude libraries. */
const WITHOUT_LIBRARIES = LIBRARIES.map((library) => `--external=${library}`);

/** Styles are concatenated in this order, followed by the others by name. */
const STYLES_FIRST = [
  ...["tokens", "base", "frame"],
  ...["signs", "filters", "cards", "tables", "names", "keys", "drawer", "palette", "fields", "reports"],
  ...["run", "critical_path", "run_body", "comparison", "graph", "rows", "logs", "node_panel", "dialogs"],
  ...["object_forms", "narrow"],
].map((name) => `${name}.css`);

/**
 * Builds the page in a folder: `index.html`, in which the server replaces `{{base}}` and `{{login}}`, and `assets/`
 * with files named by the hash of their content. Each asset has a `.gz` next to it and, for distributed programs, a
 * `.br`, which takes seconds to compress.
 * @throws {Error} with the bundler's message if it fails.
 */
export async function bundlePage(
  root: string,
  outDir: string,
  { withBrotli = false }: { readonly withBrotli?: boolean } = {},
): Promise<void> {
  const made = `${outDir}/made`;
  await emptyFolder(outDir);
  const write = (name: string, bytes: Uint8Array<ArrayBuffer>) => writeAssetFile(outDir, name, { bytes, withBrotli });
  const workers = await filesIn(`${root}ui/workers`, ".ts");
  await Promise.all([
    joinScripts(root, outDir, made),
    // Workers are not split into pieces, except for libraries: small files compress worse.
    joinPage(root, `${made}/workers`, workers.map((name) => `ui/workers/${name}`), WITHOUT_LIBRARIES),
  ]);
  await joinLibraries(root, outDir, made);
  await Deno.writeTextFile(`${made}/${STYLE}`, await stylesOf(root));
  await minify(root, made);
  await Deno.mkdir(`${outDir}/assets`);
  const scripts = await textsBelow(made);
  const { names, texts } = await withContentNames(
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
  // With these links, the browser requests all imports at once instead of discovering them one by one.
  const preload = scriptsLoadedWith(names.get("main.js")!, imports).slice(1)
    .map((name) => `<link rel="modulepreload" href="assets/${name}">\n`).join("");
  const filled = html.replace("</head>", `${preload}</head>`)
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  await Deno.remove(made, { recursive: true });
  // The index is written last: a folder that has one is complete.
  await Deno.writeTextFile(`${outDir}/index.html`, filled);
}

/** Bundles the scripts of the page: first split by the dynamic imports, then merged into as few files as possible. */
async function joinScripts(root: string, outDir: string, made: string): Promise<void> {
  const pieces = `${outDir}/pieces`;
  await joinPage(root, pieces, ["ui/main.tsx"], ["--code-splitting", ...WITHOUT_LIBRARIES]);
  for (const [name, text] of withLoadedImports(await textsBelow(pieces), "main.js")) {
    await Deno.writeTextFile(`${pieces}/${name}`, text);
  }
  // The bundler runs in the folder of the pieces, because the paths of its inputs affect the order of its output.
  await joinPage(pieces, made, ["main.js"], ["--code-splitting", ...WITHOUT_LIBRARIES]);
  await Deno.remove(pieces, { recursive: true });
}

/** Builds a file for each library, with the names that the scripts import from it. */
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

/** The files of a folder with an extension; empty if the folder does not exist, since git has no empty folders. */
async function filesIn(folder: string, ending: string): Promise<string[]> {
  const names: string[] = [];
  const isThere = await Deno.stat(folder).then(() => true, () => false);
  if (!isThere) return names;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && name.endsWith(ending) && !/_(test|bench)\.ts$/.test(name)) names.push(name);
  }
  return names.sort();
}

/** The scripts below a folder, by relative path. */
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

/** Adds a part of the content's hash to a name: `page-1a2b3c4d5e.css`. */
async function hashedName(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const index = name.lastIndexOf(".");
  const stem = name.slice(0, index).split("/").at(-1)!;
  return `${stem}-${digest.subarray(0, 6).toHex()}${name.slice(index)}`;
}

interface AssetFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly withBrotli: boolean;
}

async function writeAssetFile(outDir: string, name: string, { bytes, withBrotli }: AssetFile): Promise<void> {
  await Deno.writeFile(`${outDir}/assets/${name}`, bytes);
  // Compressed once and sent often, so the highest level is used.
  await Deno.writeFile(`${outDir}/assets/${name}.gz`, gzipSync(bytes, { level: 9 }));
  if (!withBrotli) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await Deno.writeFile(`${outDir}/assets/${name}.br`, brotliCompressSync(bytes, { params }));
}
