/**
 * Builds the documentation site with VitePress: static files with search, for any address. Needs Node.js and npm, and
 * fetches the packages of `docs/site/package-lock.json` at the first build.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { filePath } from "@tiphys/base/file_path";
import { emptyFolder } from "@tiphys/portable";
import { VERSION } from "@tiphys/base/version";
import { DOCS_BASE } from "../../server/page/docs.ts";
import { outputOf } from "../command.ts";
import { noticesOf } from "../notices.ts";
import { brokenSiteLinks } from "./broken_site_links.ts";
import { sitePages } from "./site_pages.ts";

const ROOT = filePath(import.meta.resolve("../../"));
const SOURCE = `${ROOT}docs/site`;
const THEME = 'import "./style.css";\nexport { default } from "vitepress/theme-without-fonts";\n';

/** The options of a build. */
export interface SiteOptions {
  /** The path before all pages, with a slash at both ends; a placeholder that the server replaces when absent. */
  readonly base?: string | undefined;
  /** Versions in folders next to the site, for the menu of versions. */
  readonly versions?: readonly string[] | undefined;
}

/**
 * Builds the site into a folder, in `folder`-work.
 * @throws {Error} when npm or VitePress fails, or a link of a built page leads nowhere
 */
export async function buildSite(folder: string, { base = DOCS_BASE, versions = [] }: SiteOptions = {}): Promise<void> {
  const work = `${folder}-work`;
  await installPackages(work);
  const names = (await outputOf(["git", "ls-files", "-z", "*.md"], { cwd: ROOT })).split("\0").filter(Boolean);
  const texts = names.map(async (name) => [name, await Deno.readTextFile(`${ROOT}${name}`)] as const);
  const repository = Deno.env.get("TIPHYS_REPOSITORY");
  const site = sitePages(new Map(await Promise.all(texts)), repository && `${repository}/blob/v${VERSION}`);
  for (const part of ["pages", ".vitepress", "out"]) await emptyFolder(`${work}/${part}`);
  const write = async (path: string, content: string | Uint8Array<ArrayBuffer>) => {
    await Deno.mkdir(`${work}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${work}/${path}`, bytes);
  };
  for (const [path, text] of site.pages) await write(`pages/${path}`, text);
  for (const path of site.files) await write(`pages/public/files/${path}.txt`, await Deno.readFile(`${ROOT}${path}`));
  for await (const { name } of Deno.readDir(`${ROOT}docs/images`)) {
    await write(`pages/public/images/${name}`, await Deno.readFile(`${ROOT}docs/images/${name}`));
  }
  await write("pages/public/icon.svg", await Deno.readFile(`${ROOT}ui/icon.svg`));
  await write("pages/public/llms.txt", await Deno.readFile(`${ROOT}docs/llms.txt`));
  const { links, sidebar } = site;
  await write(".vitepress/site.json", JSON.stringify({ base, version: VERSION, versions, links, sidebar }));
  await write(".vitepress/config.ts", await Deno.readFile(`${SOURCE}/config.ts`));
  await write(".vitepress/theme/style.css", await Deno.readFile(`${SOURCE}/style.css`));
  await write(".vitepress/theme/index.js", THEME);
  await outputOf(["node", "node_modules/vitepress/bin/vitepress.js", "build", "."], { cwd: work });
  await Deno.writeTextFile(`${work}/out/notices.txt`, await siteNotices(work));
  await withoutInlineCode(`${work}/out`, base);
  const broken = await brokenSiteLinks(`${work}/out`, base);
  if (broken.length > 0) throw new Error(`Links of the documentation site lead nowhere:\n${broken.join("\n")}`);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.rename(`${work}/out`, folder);
}

/** Installs VitePress into a folder, unless the packages there are those of the lock file. */
async function installPackages(work: string): Promise<void> {
  await Deno.mkdir(work, { recursive: true });
  const lock = await Deno.readTextFile(`${SOURCE}/package-lock.json`);
  const mark = `${work}/node_modules/.tiphys-lock`;
  if (await Deno.readTextFile(mark).catch(() => "") === lock) return;
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    await Deno.copyFile(`${SOURCE}/${name}`, `${work}/${name}`);
  }
  await outputOf(["npm", "ci", "--ignore-scripts"], { cwd: work });
  await Deno.writeTextFile(mark, lock);
}

/** The notices of the packages that are part of the site. */
async function siteNotices(work: string): Promise<string> {
  const packages: unknown = JSON.parse(await Deno.readTextFile(`${work}/.vitepress/packages.json`));
  if (!Array.isArray(packages)) throw new Error("Expected a list of packages in packages.json");
  const described = await Promise.all(packages.map(async (name) => {
    const folder = `${work}/node_modules/${name}`;
    const { version, license } = fieldsOf(fieldsOfJson(await Deno.readTextFile(`${folder}/package.json`)));
    return { name: String(name), version: String(version), license: String(license), folder };
  }));
  return await noticesOf(described, "The documentation of Tiphys contains code of the packages below.");
}

/** Moves inline scripts to files and removes `style` attributes: the server's policy forbids both. */
async function withoutInlineCode(out: string, base: string): Promise<void> {
  for (const path of await htmlFiles(out)) {
    const scripts = new Map<string, string>();
    const html = (await Deno.readTextFile(path))
      .replace(/<script id="([\w-]+)">(.*?)<\/script>/gs, (_, id: string, text: string) => {
        scripts.set(id, text);
        return `<script id="${id}" src="${base}${id}.js"></script>`;
      })
      .replace(/(<[a-z][^<>]*) style="[^"]*"/g, "$1");
    for (const [id, text] of scripts) await Deno.writeTextFile(`${out}/${id}.js`, text);
    await Deno.writeTextFile(path, html);
  }
}

async function htmlFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await htmlFiles(`${folder}/${name}`));
    else if (name.endsWith(".html")) found.push(`${folder}/${name}`);
  }
  return found;
}
