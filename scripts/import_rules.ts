/** The rules of imports: which file may import which. */
import { packageOf } from "./packages.ts";

/** The violated rule, for the author of the import; undefined for an allowed import. */
export type Verdict = string | undefined;

/** Programs depend on `lib` and are independent of each other. */
const PROGRAMS = new Set(["cli", "controller", "executor", "local", "server", "simulate", "ui"]);

/** The CLI starts the embedded cluster, so it may import what it embeds. */
const EMBEDDED_BY_CLI: readonly string[] = [
  "local/",
  "controller/mod.ts",
  "controller/config/",
  "server/mod.ts",
  "lib/base/log.ts",
];

/**
 * The packages of `lib`, with the packages or folders of packages that each may import. Programs may import any of them
 * by the entry points in its `deno.json` (`packages.ts`).
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
 * The folders of the controller, with the folders that each may import in addition to itself and `lib`: the loop is
 * independent of kinds, kinds are independent of each other, and shared code is in folders below, not next to the files
 * that wire everything.
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
 * The modules that also run in browsers, without Deno, with all their imports: the language, parsing and checking of
 * workflows, and the simulation.
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

/** The packages that run in browsers. */
const BROWSER_PACKAGES =
  /^(preact|@preact\/signals|@codemirror\/(autocomplete|commands|language|lint|search|state|view)|@lezer\/highlight|fzstd|hyparquet|zod|yaml|re2js|bcryptjs|@noble\/(ciphers|curves|hashes)|micro-rsa-dsa-dh)(\/|$)/;

/**
 * The folders of the page, with the folders that each may import in addition to itself; the files in `ui` itself wire
 * everything.
 */
const PAGE: Readonly<Record<string, readonly string[]>> = {
  api: [],
  model: ["api"],
  components: ["api", "model"],
  pages: ["api", "model", "components"],
  workers: ["api", "model"],
  styles: ["model"],
};

/**
 * Checks one import; both paths are relative to the root of the project. Tests next to their source may import
 * anything.
 */
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
 * Checks how a file imports another one: across packages by the package's name, through its entry points; within a
 * package by a relative path. Tests may import any file of a package.
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

/** Returns the folder of a file of the controller, as in the rules; undefined for the files that wire everything. */
function controllerFolder(path: string): string | undefined {
  const [, first = "", second = ""] = path.split("/");
  const deep = `${first}/${second}`;
  return deep in CONTROLLER ? deep : first in CONTROLLER ? first : undefined;
}

/** Checks the import of an external package (`zod`, `node:fs`, `npm:x`). */
export function judgePackage(from: string, specifier: string): Verdict {
  if (isTest(from)) return undefined;
  if (/^(npm|jsr|https?):/.test(specifier)) return "packages are named once, in deno.json";
  return undefined;
}

/** The only file of the CLI with a Kubernetes client; all others use a `WorkflowService`. */
const CONNECTS = "cli/connect/connect.ts";

/** Checks the text of a file: CLI commands do not use a Kubernetes client. */
export function judgeText(from: string, text: string): Verdict {
  if (isTest(from)) return undefined;
  if (from.startsWith("cli/") && from !== CONNECTS && /\bKubeClient\b/.test(text)) {
    return `the CLI asks a WorkflowService; ${CONNECTS} alone holds a client`;
  }
  return undefined;
}

/** Checks a package that is imported by a file that also runs in browsers. */
export function judgeBrowserPackage(specifier: string): Verdict {
  if (specifier.startsWith("node:")) return "browsers have no node: modules";
  return BROWSER_PACKAGES.test(specifier) ? undefined : "nobody has shown that browsers can run it";
}

/** Checks the text of a file that also runs in browsers. */
export function judgeBrowserText(text: string): Verdict {
  return /^(?!\s*(\*|\/\/)).*\bDeno\.[a-z]/m.test(text) ? "browsers have no Deno" : undefined;
}

/** Folders with subfolders that import each other: do not add to this list. */
const KNOTTED: readonly string[] = ["lib/engine", "executor"];

/**
 * Checks the imports between folders: sibling folders must not import each other in both directions. A folder and its
 * subfolder may.
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

/** Whether a file is a test, a benchmark, or in a `testing` folder, which only those use. */
export function isTest(path: string): boolean {
  return /_(test|bench)\.tsx?$/.test(path) || path.includes("/testing/");
}
