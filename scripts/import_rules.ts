/** The rules of imports, as data: which file may import which. */
import { packageOf } from "./packages.ts";

/** The rule that an import breaks, in words for its author; undefined when it may stand. */
export type Verdict = string | undefined;

/** Programs stand on `lib` and know nothing of each other. */
const PROGRAMS = new Set(["cli", "controller", "executor", "local", "server", "simulate", "ui"]);

/** The CLI puts the embedded cluster together, so it may reach for what it embeds. */
const EMBEDDED_BY_CLI: readonly string[] = [
  "local/",
  "controller/mod.ts",
  "controller/config/",
  "server/mod.ts",
  "lib/base/log.ts",
];

/**
 * The street: the packages of `lib`, and the packages or folders of packages that each may import. Programs may import any of them, by the faces that
 * their `deno.json` lists (`packages.ts`).
 */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  proto: ["base"],
  portable: ["base"],
  model: ["base"],
  registry: ["base", "model"],
  kube: ["base", "model"],
  language: ["base", "model", "proto"],
  artifacts: ["base", "model"],
  "store-hdfs": ["base", "model", "artifacts"],
  stores: ["base", "model", "artifacts", "store-hdfs"],
  engine: ["base", "model", "language", "kube/object", "kube/patch", "kube/selectors"],
  storage: ["base", "model", "kube", "stores", "engine"],
  service: ["base", "model", "kube", "language", "artifacts", "stores", "engine", "storage"],
  installation: ["base", "model", "kube", "service"],
};

/**
 * The folders of the controller, and those that each may import beside itself and `lib`: the loop knows no kind, no kind
 * knows another, and what a folder needs lies in a folder below it, not beside the files that put all together.
 */
const CONTROLLER: Readonly<Record<string, readonly string[]>> = {
  loop: [],
  metrics: ["loop"],
  telemetry: [],
  config: ["loop", "workflow/observe"],
  cron: ["loop", "metrics"],
  "workflow/observe": ["loop"],
  "workflow/sync": ["loop", "workflow/observe"],
  "workflow/record": ["workflow/observe"],
  "workflow/lane": ["loop", "config", "workflow/observe", "workflow/record"],
  "workflow/apply": ["loop", "metrics", "workflow/observe"],
  "workflow/orphans": ["loop", "workflow/apply", "workflow/observe"],
  "workflow/retention": ["loop"],
  "workflow/archive": ["loop", "workflow/observe"],
  workflow: [
    "loop",
    "metrics",
    "workflow/observe",
    "workflow/record",
    "workflow/lane",
    "workflow/apply",
    "workflow/orphans",
    "workflow/retention",
    "workflow/archive",
    "workflow/sync",
  ],
};

/**
 * The modules that also run in a browser, where there is no Deno, with all that they load: the language, the reading
 * and judging of workflows, and the simulation.
 */
export const BROWSER_ENTRIES = [
  "lib/model/api/mod.ts",
  "lib/engine/explain/mod.ts",
  "lib/base/go/mod.ts",
  "lib/engine/lock_table/mod.ts",
  "lib/model/nodes/mod.ts",
  "lib/model/status/mod.ts",
  "lib/language/template/mod.ts",
  "lib/language/validate/mod.ts",
  "lib/engine/workflow_actions/mod.ts",
  "lib/model/yaml/mod.ts",
  "simulate/mod.ts",
  "ui/main.tsx",
  "mod.ts",
] as const;

/** The packages that browsers can run. */
const BROWSER_PACKAGES =
  /^(preact|@preact\/signals|@codemirror\/(autocomplete|commands|language|lint|search|state|view)|@lezer\/highlight|fzstd|hyparquet|zod|yaml|re2js|bcryptjs|@noble\/(ciphers|curves|hashes)|micro-rsa-dsa-dh)(\/|$)/;

/** The folders of the page, and those that each may import beside itself; files of `ui` itself put all together. */
const PAGE: Readonly<Record<string, readonly string[]>> = {
  api: [],
  model: ["api"],
  components: ["api", "model"],
  pages: ["api", "model", "components"],
  workers: ["api", "model"],
  styles: ["model"],
};

/** Judges one import; both paths start at the root of the project. A test beside its source may import anything. */
export function judgeImport(from: string, to: string): Verdict {
  if (isTest(from) || from.startsWith("tests/")) return undefined;
  if (to.startsWith("tests/")) return "nothing imports tests";
  if (isTest(to)) return "what tests use is no part of a program";
  if (from.startsWith("scripts/")) return undefined;
  if (to.startsWith("scripts/")) return "scripts are for building and checking, programs do not run them";
  const [folder = "", leaf = ""] = from.split("/");
  const [toFolder = "", toLeaf = ""] = to.split("/");
  if (folder === "controller" && toFolder === "controller") return judgeController(from, to);
  if (folder === "ui" && toFolder === "ui") return judgePage(leaf, toLeaf);
  if (folder === toFolder && folder !== "lib") return undefined;
  if (folder === "lib") return toFolder === "lib" ? judgePackages(leaf, to) : "lib knows no program";
  if (!PROGRAMS.has(toFolder) || !PROGRAMS.has(folder)) return undefined;
  if (folder === "cli" && EMBEDDED_BY_CLI.some((start) => to.startsWith(start))) return undefined;
  return `${folder} may not know ${toFolder}: what two programs need lives in lib`;
}

function judgePackages(name: string, to: string): Verdict {
  if (name === packageOf(to)) return undefined;
  const allowed = PACKAGES[name];
  if (allowed === undefined) {
    return `lib/${name} is a new package: add the packages it may import to scripts/import_rules.ts`;
  }
  const isAllowed = allowed.some((place) => to.startsWith(`lib/${place}/`) || to === `lib/${place}.ts`);
  return isAllowed ? undefined : `lib/${name} may import ${allowed.join(", ") || "no package"}`;
}

/**
 * Judges the way in which a file names another one: across packages by the package's name, which reaches its faces only;
 * within a package by a relative path. Tests may reach into any package.
 */
export function judgeFace(from: string, specifier: string, to: string): Verdict {
  if (isTest(from) || from.startsWith("tests/") || from.startsWith("scripts/")) return undefined;
  const owner = packageOf(to);
  const isOwn = owner === packageOf(from);
  if (!specifier.startsWith(".")) return isOwn ? "a package imports its own files by relative paths" : undefined;
  if (isOwn || owner === undefined) return undefined;
  return `the file belongs to @tiphys/${owner}: import one of the faces that lib/${owner}/deno.json exports`;
}

function judgePage(leaf: string, toLeaf: string): Verdict {
  if (leaf === toLeaf || !(leaf in PAGE) || !(toLeaf in PAGE)) return undefined;
  const allowed = PAGE[leaf]!;
  return allowed.includes(toLeaf) ? undefined : `ui/${leaf} may import ${allowed.join(", ") || "no other folder"}`;
}

function judgeController(from: string, to: string): Verdict {
  const home = controllerFolder(from);
  const toHome = controllerFolder(to);
  if (home === undefined || home === toHome) return undefined;
  if (toHome === undefined) return "what a folder of the controller needs lies in loop, or in lib";
  const allowed = CONTROLLER[home] ?? [];
  return allowed.includes(toHome) ? undefined : `controller/${home} may import ${allowed.join(", ") || "lib only"}`;
}

/** The folder of a file of the controller, as the rules name it; undefined for the files that put all together. */
function controllerFolder(path: string): string | undefined {
  const [, first = "", second = ""] = path.split("/");
  const deep = `${first}/${second}`;
  return deep in CONTROLLER ? deep : first in CONTROLLER ? first : undefined;
}

/** Judges an import of a package (`zod`, `node:fs`, `npm:x`) by the file's place. */
export function judgePackage(from: string, specifier: string): Verdict {
  if (isTest(from)) return undefined;
  if (/^(npm|jsr|https?):/.test(specifier)) return "packages are named once, in deno.json";
  return undefined;
}

/** The one file of the CLI that holds a client of Kubernetes; all others ask a `WorkflowService`. */
const CONNECTS = "cli/connect/connect.ts";

/** Judges the text of a file by its place: commands do not ask Kubernetes. */
export function judgeText(from: string, text: string): Verdict {
  if (isTest(from)) return undefined;
  if (from.startsWith("cli/") && from !== CONNECTS && /\bKubeClient\b/.test(text)) {
    return `the CLI asks a WorkflowService; ${CONNECTS} alone holds a client`;
  }
  return undefined;
}

/** Judges a package that a file imports which also runs in browsers. */
export function judgeBrowserPackage(specifier: string): Verdict {
  if (specifier.startsWith("node:")) return "browsers have no node: modules";
  return BROWSER_PACKAGES.test(specifier) ? undefined : "nobody has shown that browsers can run it";
}

/** Judges the text of a file that also runs in browsers. */
export function judgeBrowserText(text: string): Verdict {
  return /^(?!\s*(\*|\/\/)).*\bDeno\.[a-z]/m.test(text) ? "browsers have no Deno" : undefined;
}

/** Folders whose own folders still import each other: the list may only get shorter. */
const KNOTTED: readonly string[] = ["lib/engine", "executor"];

/**
 * Judges the imports of all files by their folders: of two folders side by side one stands on the other, not both on each
 * other. A folder and one within it are one house.
 */
export function judgeFolders(graph: ReadonlyMap<string, readonly string[]>, knotted = KNOTTED): string[] {
  const arrows = new Set<string>();
  for (const [from, files] of graph) {
    if (isTest(from) || from.startsWith("tests/") || from.startsWith("scripts/")) continue;
    for (const to of files) if (!isTest(to)) arrows.add(`${folderOf(from)} ${folderOf(to)}`);
  }
  const isKnown = (folder: string) => knotted.includes(folderOf(folder));
  return [...arrows].flatMap((arrow) => {
    const [from, to] = arrow.split(" ") as [string, string];
    if (from >= to || to.startsWith(`${from}/`) || !arrows.has(`${to} ${from}`) || isKnown(from)) return [];
    return [`${from} <-> ${to}: the folders import each other`];
  });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A test or benchmark beside its source, or what only those use: `testing/` is the one place for that. */
export function isTest(path: string): boolean {
  return /_(test|bench)\.tsx?$/.test(path) || path.includes("/testing/");
}
