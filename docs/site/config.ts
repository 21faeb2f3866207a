/**
 * The settings of VitePress. `scripts/docs_site/build_site.ts` copies this file next to `site.json`, the list of pages.
 */
import { readFileSync, writeFileSync } from "node:fs";

/** The content of `site.json`: see `SitePages` in `scripts/docs_site/site_pages.ts`. */
interface Site {
  readonly base: string;
  readonly version: string;
  readonly versions: readonly string[];
  readonly sidebar: readonly object[];
  readonly links: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

/** The part of a token of markdown-it that the rules below use. */
interface Token {
  type: string;
  tag: string;
  attrs: [name: string, value: string][] | null;
  readonly content: string;
  readonly children: Token[] | null;
}

/** The part of markdown-it that the rules below use. */
interface Markdown {
  disable(rules: readonly string[], ignoreInvalid: boolean): void;
  readonly core: { readonly ruler: { push(name: string, rule: (state: RuleState) => void): void } };
  readonly renderer: { readonly rules: Record<string, (tokens: readonly Token[], index: number) => string> };
  readonly utils: { escapeHtml(text: string): string };
}

interface RuleState {
  readonly tokens: readonly Token[];
  readonly env: { readonly relativePath?: string };
}

const settings: unknown = JSON.parse(readFileSync(new URL("./site.json", import.meta.url), "utf8"));
/** Written by `scripts/docs_site` in the same build. */
const site = settings as Site;
/** The styles of highlighted code, by class: the server's policy forbids `style` attributes. */
const codeStyles = new Map<string, string>();
/** The names of the packages that are part of the bundles. */
const packages = new Set<string>();

export default {
  title: "Tiphys",
  description: "A workflow engine that runs Argo Workflows manifests unchanged",
  base: site.base,
  srcDir: "pages",
  outDir: "out",
  cacheDir: "cache",
  metaChunk: true,
  // With more, the order of pages in the search index depends on timing.
  buildConcurrency: 1,
  // The change of appearance without transitions needs a style element, which the policy of the server forbids.
  appearance: { disableTransition: false },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${site.base}icon.svg` }],
    ["link", { rel: "stylesheet", href: `${site.base}code.css` }],
  ],
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "Tutorial", link: "/tutorial/" },
      { text: "How-to", link: "/#how-to-guides" },
      { text: "Reference", link: "/#reference" },
      site.versions.length === 0 ? { text: site.version, link: "/project/changelog" } : {
        text: site.version,
        items: site.versions.map((version) => ({ text: version, link: `${site.base}../${version}/`, target: "_self" })),
      },
    ],
    sidebar: site.sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    footer: { message: `Tiphys ${site.version}, Apache License 2.0. <a href="${site.base}notices.txt">Notices</a>` },
  },
  markdown: {
    html: false,
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    codeTransformers: [{ name: "classes", postprocess: withClasses }],
    config: configureMarkdown,
  },
  vite: {
    build: { chunkSizeWarningLimit: 4096 },
    plugins: [{
      name: "bundled-packages",
      apply: (_: unknown, { isSsrBuild }: { readonly isSsrBuild?: boolean }) => isSsrBuild !== true,
      generateBundle: notePackages,
    }],
  },
  buildEnd({ outDir }: { readonly outDir: string }) {
    const rules = [...codeStyles].sort().map(([name, style]) => `.${name}{${style}}\n`);
    writeFileSync(`${outDir}/code.css`, rules.join(""));
    writeFileSync(new URL("./packages.json", import.meta.url), JSON.stringify([...packages].sort()));
  },
};

/** The anchor of a heading, as GitHub makes it and as `scripts/docs/page.ts` checks it. */
function anchorOf(text: string): string {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
}

/** Moves the colors of highlighted code from `style` attributes to classes. */
function withClasses(html: string): string {
  return html.replace(/<[^<>]*>/g, (tag) => {
    const classes: string[] = [];
    const bare = tag.replace(/ (class|style)="([^"]*)"/g, (_, attribute: string, value: string) => {
      classes.push(attribute === "class" ? value : classOfStyle(value));
      return "";
    });
    return classes.length === 0 ? tag : bare.replace(/^<[\w-]+/, (start) => `${start} class="${classes.join(" ")}"`);
  });
}

/** Returns the class of a style, and notes the style for the style sheet. */
function classOfStyle(style: string): string {
  const name = `c${style.replace(/--shiki-|[^\w-]/g, "")}`;
  codeStyles.set(name, style);
  return name;
}

function configureMarkdown(markdown: Markdown): void {
  markdown.disable(["emoji"], true);
  // Vue reads double braces in text as an expression.
  const escape = (text: string) => markdown.utils.escapeHtml(text).replaceAll("{{", "&#123;&#123;");
  markdown.renderer.rules.text = (tokens, index) => escape(tokens[index]!.content);
  markdown.renderer.rules.code_inline = (tokens, index) => `<code>${escape(tokens[index]!.content)}</code>`;
  markdown.core.ruler.push("site-links", ({ tokens, env }) => {
    const links = site.links[env.relativePath ?? ""] ?? {};
    for (const { attrs, children } of tokens) {
      relink(children ?? [], links);
      // Columns are aligned by a class: the server's policy forbids `style` attributes.
      const style = attrs?.find(([name]) => name === "style");
      if (style) style.splice(0, 2, "class", style[1].replace("text-align:", "align-"));
    }
  });
}

/** Replaces the targets of links, and removes links to files that are not part of the site. */
function relink(tokens: readonly Token[], links: Readonly<Record<string, string | null>>): void {
  let isRemoved = false;
  for (const token of tokens) {
    const address = token.attrs?.find(([name]) => name === "href" || name === "src");
    const target = address && links[address[1]];
    if (address && target) address[1] = target;
    if (token.type === "link_open") isRemoved = target === null;
    if (!isRemoved || !token.type.startsWith("link_")) continue;
    if (token.type === "link_close") isRemoved = false;
    token.type = token.type.replace("link", "text");
    token.tag = "span";
    token.attrs = null;
  }
}

/** Notes the packages of a bundle: their notices are part of the site. */
function notePackages(_: unknown, bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>): void {
  for (const { moduleIds = [] } of Object.values(bundle)) {
    for (const id of moduleIds) {
      const [first = "", second = ""] = id.split("/node_modules/").slice(1).at(-1)?.split("/") ?? [];
      if (first !== "") packages.add(first.startsWith("@") ? `${first}/${second}` : first);
    }
  }
}
