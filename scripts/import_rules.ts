/** Which file may import which: the arrows of the house, as data. */

/** What an import breaks, in words for who wrote it; undefined when it may stand. */
export type Verdict = string | undefined;

/** Programs stand on `lib` and know nothing of each other. */
const PROGRAMS = new Set(["cli", "controller", "executor", "local", "server", "simulate"]);

/** The CLI puts the embedded cluster together, so it may reach for what it embeds. */
const EMBEDDED_BY_CLI: readonly string[] = ["local/", "controller/mod.ts", "controller/config/", "controller/log.ts"];

/** The test kit runs workflows on the engine itself: the part of the controller that touches nothing. */
const ENGINE = "controller/engine/mod.ts";

/** The leaves of `lib` and the leaves that each may stand on; files of `lib` itself serve all of them. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  go: [],
  elf: [],
  portable: [],
  watch: [],
  api: ["go"],
  kube: ["api", "go"],
  template: ["go"],
  yaml: ["api", "go"],
  pod: ["api", "artifact", "go", "kube", "template", "yaml"],
  artifact: ["api", "go", "kube"],
  nodes: ["api"],
  validate: ["api", "go", "template", "yaml"],
  workflow_actions: ["api", "kube", "template"],
};

/** Leaves that also run where there is no Deno: in a browser. */
const BROWSER_SAFE = ["lib/go/", "lib/template/"] as const;

/** Judges one import; both paths start at the root of the project. A test beside its source may import anything. */
export function judgeImport(from: string, to: string): Verdict {
  if (isTest(from) || from.startsWith("tests/")) return undefined;
  if (to.startsWith("tests/")) return "nothing imports tests";
  if (from.startsWith("scripts/")) return undefined;
  if (to.startsWith("scripts/")) return "scripts are for building and checking, programs do not run them";
  const [folder, leaf] = from.split("/");
  const [toFolder, toLeaf] = to.split("/");
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

/** Judges an import of a package (`zod`, `node:fs`, `npm:x`) by the file's place. */
export function judgePackage(from: string, specifier: string): Verdict {
  if (isTest(from)) return undefined;
  if (BROWSER_SAFE.some((start) => from.startsWith(start)) && specifier.startsWith("node:")) {
    return "this leaf runs in browsers, which have no node: modules";
  }
  if (/^(npm|jsr|https?):/.test(specifier)) return "packages are named once, in deno.json";
  return undefined;
}

/** Judges the text of a file by its place: leaves for browsers do not touch Deno. */
export function judgeText(from: string, text: string): Verdict {
  if (isTest(from) || !BROWSER_SAFE.some((start) => from.startsWith(start))) return undefined;
  return /^(?!\s*(\*|\/\/)).*\bDeno\.[a-z]/m.test(text) ? "this leaf runs in browsers, which have no Deno" : undefined;
}

/** A test or benchmark beside its source, or what only those use. */
function isTest(path: string): boolean {
  return /_(test|bench)\.ts$/.test(path) || path.includes("/testing/");
}
