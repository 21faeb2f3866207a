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
  language: ["base", "model", "proto", "kube/patch", "registry/image_error", "registry/reference"],
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
 * The folders of a part of the tree: what each may import besides itself, `lib`, and the files that all folders share.
 */
interface Folders {
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Files next to the folders that every folder may import. All other files there assemble the folders. */
  readonly shared?: readonly string[];
}

/** The parts with rules for their folders, by path. A new folder has to be added here. */
export const FOLDERS: Readonly<Record<string, Folders>> = {
  ui: {
    folders: {
      api: [],
      model: ["api"],
      components: ["api", "model"],
      pages: ["api", "model", "components"],
      workers: ["api", "model"],
      styles: ["model"],
    },
    shared: ["*"],
  },
  executor: {
    folders: {
      process: [],
      pod: ["process"],
      agent: ["pod"],
      data: ["pod"],
      garbage: ["pod"],
      after_main: ["process", "pod"],
      before_main: ["process", "pod", "after_main"],
      resource: ["pod", "after_main"],
      command: ["process", "pod", "before_main"],
    },
    shared: ["world.ts", "failure.ts", "own_work.ts"],
  },
  server: {
    folders: {
      wire: [],
      gate: ["wire"],
      routes: ["wire", "gate"],
      database: ["wire"],
      listen: ["wire"],
      metrics: ["wire", "routes"],
      grpc: ["wire", "routes"],
      description: ["routes"],
      sso: ["wire", "gate"],
      page: ["wire", "listen"],
      uploads: ["wire", "gate", "routes"],
      workflows: ["wire", "gate", "routes", "listen", "uploads"],
      archive: ["wire", "gate", "routes", "database", "workflows"],
      artifacts: ["wire", "gate", "routes", "uploads", "workflows", "archive"],
      events: ["wire", "gate", "routes", "listen", "workflows"],
      argo_events: ["wire", "gate", "routes", "workflows"],
      templates: ["wire", "gate", "routes", "workflows"],
      info: ["routes", "workflows"],
      sync: ["wire", "gate", "routes", "database", "workflows"],
      shared_stream: ["wire", "routes", "workflows"],
    },
    shared: ["served.ts"],
  },
  "lib/engine": {
    folders: {
      pod: [],
      lock_table: [],
      workflow_actions: [],
      spec: [],
      nodes: ["spec"],
      due: ["nodes"],
      memo: [],
      explain: ["pod"],
      agent: ["pod", "spec"],
      locks: ["lock_table"],
      templates: ["agent", "nodes", "pod", "spec", "due", "memo", "lock_table", "locks"],
      workflow: ["pod", "spec", "nodes", "templates", "lock_table", "locks"],
      metrics: ["workflow", "templates"],
      pods: ["pod", "templates", "workflow", "spec", "nodes"],
      garbage: ["pod", "spec", "templates", "workflow"],
    },
    shared: ["*"],
  },
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
  const [toFolder = ""] = to.split("/");
  if (folder === "controller" && toFolder === "controller") return judgeController(from, to);
  const place = folder === "lib" ? `lib/${leaf}` : folder;
  if (place in FOLDERS && to.startsWith(`${place}/`)) return judgeFolder(place, from, to);
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
export function judgeEntryPoint(from: string, specifier: string, to: string): Verdict {
  if (isTest(from) || from.startsWith("tests/") || from.startsWith("scripts/")) return undefined;
  const owner = packageOf(to);
  const isOwn = owner === packageOf(from);
  if (!specifier.startsWith(".")) return isOwn ? "a package imports its own files by relative paths" : undefined;
  if (isOwn || owner === undefined) return undefined;
  return `the file belongs to @tiphys/${owner}: import one of the faces that lib/${owner}/deno.json exports`;
}

/** Checks an import within a part of the tree. */
function judgeFolder(place: string, from: string, to: string): Verdict {
  const { folders, shared = [] } = FOLDERS[place]!;
  const [folder, file] = from.slice(place.length + 1).split("/");
  const [toFolder = "", toFile] = to.slice(place.length + 1).split("/");
  if (file === undefined || folder === toFolder) return undefined;
  const allowed = folders[folder!];
  if (allowed === undefined) return `${place}/${folder} is a new folder: add it to FOLDERS in scripts/import_rules.ts`;
  const isAllowed = toFile === undefined
    ? shared.includes("*") || shared.includes(toFolder)
    : allowed.includes(toFolder);
  return isAllowed
    ? undefined
    : `${place}/${folder} may import ${[...allowed, ...shared].join(", ") || "no other folder"}`;
}

function judgeController(from: string, to: string): Verdict {
  const home = controllerFolder(from);
  const toHome = controllerFolder(to);
  if (home === undefined || home === toHome) return undefined;
  if (toHome === undefined) return "folders of the controller import shared code from loop or lib";
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
  return BROWSER_PACKAGES.test(specifier) ? undefined : "it is not known to run in browsers";
}

/** Checks the text of a file that also runs in browsers. */
export function judgeBrowserText(text: string): Verdict {
  return /^(?!\s*(\*|\/\/)).*\bDeno\.[a-z]/m.test(text) ? "browsers have no Deno" : undefined;
}

/**
 * Checks the imports between folders: sibling folders must not import each other in both directions. A folder and its
 * subfolder may.
 */
export function judgeFolders(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const arrows = new Set<string>();
  for (const [from, files] of graph) {
    if (isTest(from) || from.startsWith("tests/") || from.startsWith("scripts/")) continue;
    for (const to of files) if (!isTest(to)) arrows.add(`${folderOf(from)} ${folderOf(to)}`);
  }
  return [...arrows].flatMap((arrow) => {
    const [from, to] = arrow.split(" ") as [string, string];
    if (from >= to || to.startsWith(`${from}/`) || !arrows.has(`${to} ${from}`)) return [];
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
