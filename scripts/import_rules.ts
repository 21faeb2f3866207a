/** The rules of imports, as data: which file may import which. */

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
  "lib/log.ts",
];

/** The test kit runs workflows on the engine itself: the part of the controller that touches nothing. */
const ENGINE = "controller/workflow/engine/mod.ts";

/** The leaves of `lib` and the leaves that each may stand on; files of `lib` itself serve all of them. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  go: [],
  elf: [],
  x509: ["go"],
  portable: [],
  confined: [],
  clock: [],
  http1: [],
  watch: ["clock"],
  api: ["artifact", "go"],
  json_path: ["go"],
  kube: ["api", "clock", "go", "http1", "net", "template", "yaml"],
  status: ["api", "go"],
  template: ["artifact", "go", "status", "x509"],
  yaml: ["api", "go"],
  pod: ["api", "artifact", "go", "kube", "status", "template", "yaml"],
  explain: ["api", "go", "pod", "status", "template"],
  net: ["clock", "go", "http1"],
  artifact: ["api", "clock", "confined", "go", "kube", "net", "x509"],
  locks: ["api"],
  sync_limits: ["kube", "locks"],
  lock_database: ["api", "clock", "database", "locks", "sync_limits"],
  metrics: [],
  registry: ["clock", "go", "net", "yaml"],
  nodes: ["api"],
  database: ["api", "artifact", "clock", "net"],
  archive: ["api", "clock", "database", "status", "template"],
  argo_proto: ["api", "go"],
  validate: ["api", "artifact", "go", "status", "template", "yaml"],
  text_worker: ["api", "argo_proto", "validate", "yaml"],
  restrictions: ["api"],
  preflight: ["api", "kube", "workflow_service", "yaml"],
  takeover: ["clock", "kube", "yaml"],
  workflow_actions: ["api", "go", "kube", "status", "template"],
  workflow_service: [
    "api",
    "archive",
    "artifact",
    "clock",
    "confined",
    "explain",
    "kube",
    "locks",
    "net",
    "nodes",
    "status",
    "sync_limits",
    "template",
    "validate",
    "workflow_actions",
  ],
};

/**
 * The folders of the controller, and those that each may import beside itself and `lib`: the loop knows no kind, no kind
 * knows another, and what a folder needs lies in a folder below it, not beside the files that put all together.
 */
const CONTROLLER: Readonly<Record<string, readonly string[]>> = {
  loop: [],
  metrics: ["loop"],
  telemetry: [],
  config: ["loop", "workflow/engine", "workflow/observe"],
  cron: ["loop", "metrics"],
  "workflow/engine": [],
  "workflow/observe": ["loop", "workflow/engine"],
  "workflow/sync": ["loop", "workflow/engine", "workflow/observe"],
  "workflow/record": ["workflow/engine", "workflow/observe"],
  "workflow/lane": ["loop", "config", "workflow/engine", "workflow/observe", "workflow/record"],
  "workflow/apply": ["loop", "metrics", "workflow/engine", "workflow/observe"],
  "workflow/orphans": ["loop", "workflow/apply", "workflow/engine", "workflow/observe"],
  "workflow/retention": ["loop", "workflow/engine"],
  "workflow/archive": ["loop", "workflow/engine", "workflow/observe"],
  workflow: [
    "loop",
    "metrics",
    "workflow/engine",
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
  "lib/api/mod.ts",
  "lib/explain/mod.ts",
  "lib/go/mod.ts",
  "lib/locks/mod.ts",
  "lib/nodes/mod.ts",
  "lib/status/mod.ts",
  "lib/template/mod.ts",
  "lib/validate/mod.ts",
  "lib/workflow_actions/mod.ts",
  "lib/yaml/mod.ts",
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
  if (folder === "lib") return toFolder === "lib" ? judgeLeaf(leaf, toLeaf) : "lib knows no program";
  if (!PROGRAMS.has(toFolder) || !PROGRAMS.has(folder)) return undefined;
  if (folder === "simulate" && to === ENGINE) return undefined;
  if (folder === "cli" && EMBEDDED_BY_CLI.some((start) => to.startsWith(start))) return undefined;
  return `${folder} may not know ${toFolder}: what two programs need lives in lib`;
}

function judgeLeaf(leaf: string, toLeaf: string): Verdict {
  if (leaf === toLeaf || toLeaf.endsWith(".ts") || leaf.endsWith(".ts")) return undefined;
  const allowed = LEAVES[leaf];
  if (allowed === undefined) return `lib/${leaf} is a new leaf: say in scripts/import_rules.ts what it stands on`;
  return allowed.includes(toLeaf) ? undefined : `lib/${leaf} stands on ${allowed.join(", ") || "nothing"} only`;
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
const KNOTTED: readonly string[] = ["controller/workflow/engine", "executor"];

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
