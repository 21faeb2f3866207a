/**
 * Detects exported values that no program uses, since testing them proves nothing about programs. A value is used if a
 * file other than a test imports it, directly or through re-exports, or if its own file uses it.
 */

import { isTest } from "./import_rules.ts";
import { importedPath } from "./packages.ts";

/** Values that are exported only for tests, with the reason. */
export const FOR_TESTS: Readonly<Record<string, string>> = {
  "cli/view/look.ts PLAIN": "a look without colours, which tests compare with",
  "lib/language/template/name_rules.ts isMemoKey": "memoization is to come",
  "lib/language/template/parameter.ts mergeParameters": "for the server's submission of templates, which is to come",
  "lib/language/template/render.ts renderDocument": "the reading of a whole document that golden vectors are about",
  "lib/base/selector/label_selector.ts printRequirements": "shows what was read as golden vectors write it",
};

/** The public modules of the library. For the template language, it is the module for external users. */
const PUBLIC = [
  "simulate/mod.ts",
  "cli/npm/lint.d.ts",
  "cli/npm/simulate.d.ts",
  "lib/model/api/mod.ts",
  "lib/language/validate/mod.ts",
  "lib/model/yaml/mod.ts",
  "lib/language/template/language.ts",
];
const LIBRARY = "mod.ts";

/** The imports and exports of one file. */
interface FileExports {
  /** Values that it defines and exports. */
  readonly own: readonly string[];
  /** Re-exported names, with the name in the source file. */
  readonly handsOn: readonly { readonly name: string; readonly from: string; readonly original: string }[];
  /** Files whose exports are all re-exported. */
  readonly handsOnAll: readonly string[];
  /** Imported names by file, `*` for all names. */
  readonly takes: readonly { readonly name: string; readonly from: string }[];
}

const DECLARATION = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|enum) ([\w$]+)/gm;
const NAMED = /^(import|export) (type )?(?:[\w$]+, )?\{([^}]*)\} from "((?:\.|@tiphys\/)[^"]+)"/gm;
const ALL = /^(import|export) \* (?:as ([\w$]+) )?from "((?:\.|@tiphys\/)[^"]+)"/gm;
const SIDE_EFFECT = /^import "(\.[^"]+)"/gm;
const DYNAMIC = /(?:const \{([^}]*)\} = await )?import\(\s*"((?:\.|@tiphys\/)[^"]+)"/g;

/** Reads the imports and exports of a file; paths are relative to the root of the project. */
export function exportsOf(path: string, text: string): FileExports {
  const at = (specifier: string) => importedPath(path, specifier) ?? "";
  const handsOn: FileExports["handsOn"][number][] = [];
  const handsOnAll: string[] = [];
  const takes: FileExports["takes"][number][] = [];
  for (const [, word, , list = "", specifier = ""] of text.matchAll(NAMED)) {
    for (const { name, as } of namesOf(list)) {
      if (word === "import") takes.push({ name, from: at(specifier) });
      else handsOn.push({ name: as, from: at(specifier), original: name });
    }
  }
  for (const [, word, as, specifier = ""] of text.matchAll(ALL)) {
    if (word === "export" && as === undefined) handsOnAll.push(at(specifier));
    else takes.push({ name: "*", from: at(specifier) });
  }
  for (const [, specifier = ""] of text.matchAll(SIDE_EFFECT)) takes.push({ name: "*", from: at(specifier) });
  for (const [, list, specifier = ""] of text.matchAll(DYNAMIC)) {
    const names = list === undefined ? ["*"] : namesOf(list.replaceAll(":", " as ")).map(({ name }) => name);
    for (const name of names) takes.push({ name, from: at(specifier) });
  }
  return { own: Array.from(text.matchAll(DECLARATION), ([, name = ""]) => name), handsOn, handsOnAll, takes };
}

function namesOf(list: string): { readonly name: string; readonly as: string }[] {
  return list.split(",").flatMap((entry) => {
    const [name = "", as = name] = entry.replace(/\/\/.*|\btype /g, "").trim().split(/\s+as\s+/);
    return name ? [{ name, as }] : [];
  });
}

/** Returns a line for each exported value that no program uses, and for each unnecessary exception. */
export function checkExports(sources: ReadonlyMap<string, string>, exceptions = FOR_TESTS): string[] {
  const faces = new Map([...sources].map(([path, text]) => [path, exportsOf(path, text)]));
  const used = new Set<string>();
  const use = (name: string, from: string): void => {
    const face = faces.get(from);
    const key = `${from} ${name}`;
    if (!face || used.has(key)) return;
    used.add(key);
    if (name === "*") {
      for (const own of face.own) used.add(`${from} ${own}`);
      for (const handed of face.handsOn) use(handed.original, handed.from);
    } else {
      for (const handed of face.handsOn) if (handed.name === name) use(handed.original, handed.from);
    }
    for (const file of face.handsOnAll) use(name, file);
  };
  for (const [path, { takes }] of faces) {
    if (!isTestHelper(path) && path !== LIBRARY) { for (const { name, from } of takes) use(name, from); }
  }
  for (const path of PUBLIC) use("*", path);
  const complaints: string[] = [];
  const excepted = new Set<string>();
  for (const [path, { own }] of faces) {
    if (isTestHelper(path) || path.startsWith("scripts/")) continue;
    for (const name of own) {
      if (used.has(`${path} ${name}`) || countMentions(sources.get(path)!, name) > 1) continue;
      const key = `${path} ${name}`;
      if (Object.hasOwn(exceptions, key)) excepted.add(key);
      else complaints.push(`${path}: exports ${name}, which no program uses`);
    }
  }
  for (const key of Object.keys(exceptions)) {
    if (!excepted.has(key)) complaints.push(`scripts/check_exports.ts: ${key} needs no exception`);
  }
  return complaints;
}

/** Returns how often a name occurs in the code of a file, without comments. */
function countMentions(text: string, name: string): number {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  return code.split(new RegExp(`(?<![\\w$.])${RegExp.escape(name)}(?![\\w$])`)).length - 1;
}

/** Whether a file is a test or benchmark, or only used by those. */
function isTestHelper(path: string): boolean {
  return isTest(path) || path.startsWith("tests/");
}
