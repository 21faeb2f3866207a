/**
 * Checks the imports of all sources: no import of a higher layer or of private files of a package, no cycle between
 * files or between sibling folders, no package in the start of the executor and few in that of the command line, no code
 * that escapes the seed of a simulation in what the controller loads, and no API that browsers lack in code that runs
 * there. Also checks that texts are parsed by bounded readers (`parse_rules.ts`), that programs use each exported value
 * (`check_exports.ts`), that faces of packages are small (`check_faces.ts`), and that a DOM test shows each component
 * (`check_dom_tests.ts`).
 *
 *     deno task check imports
 */
import { checkDomTests } from "./check_dom_tests.ts";
import { checkExports } from "./check_exports.ts";
import { checkFaces } from "./check_faces.ts";
import {
  BROWSER_ENTRIES,
  judgeBrowserPackage,
  judgeBrowserText,
  judgeEntryPoint,
  judgeFolders,
  judgeImport,
  judgePackage,
  judgeText,
  type Verdict,
} from "./import_rules.ts";
import { importedPath } from "./packages.ts";
import { judgeParsing } from "./parse_rules.ts";
import { isSimulatedFile, judgeSeed, SIMULATED_ENTRIES } from "./seed_rules.ts";

/** A file's imports: the paths of other files of the project, the specifiers of those, and npm packages. */
interface Imports {
  readonly files: readonly string[];
  readonly specifiers: readonly string[];
  readonly packages: readonly string[];
}

/**
 * Programs that load little at their start, with the packages that their static imports may reach. The executor starts in
 * every container; the command line loads everything else when a command needs it.
 */
const LEAN_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "executor/main.ts": [],
  "cli/main.ts": ["commander", "node:module", "picocolors"],
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;"'`]*?\bfrom\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"/g;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The imports of a source text; a path is given from the root of the project, as `path` is. */
export function readImports(path: string, text: string, options: { readonly dynamic: boolean }): Imports {
  const found = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? "");
  if (options.dynamic) found.push(...[...text.matchAll(DYNAMIC)].map(([, specifier = ""]) => specifier));
  const specifiers = found.filter((specifier) => importedPath(path, specifier) !== undefined);
  return {
    files: specifiers.map((specifier) => importedPath(path, specifier)!),
    specifiers,
    packages: found.filter((specifier) => !specifiers.includes(specifier)),
  };
}

/** One cycle for each set of files that import each other, as the path once around it. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string) => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

/** The faults in a set of sources, one line for each, by path from the root of the project. */
export function checkImports(sources: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  const complain = (from: string, subject: string, verdict: Verdict) => {
    if (verdict !== undefined) complaints.push(`${from}: ${subject}: ${verdict}`);
  };
  const graph = new Map<string, readonly string[]>();
  for (const [path, text] of sources) {
    const { files, specifiers, packages } = readImports(path, text, { dynamic: true });
    graph.set(path, files);
    for (const [index, to] of files.entries()) {
      complain(path, `imports ${to}`, judgeImport(path, to) ?? judgeEntryPoint(path, specifiers[index]!, to));
    }
    for (const specifier of packages) complain(path, `imports "${specifier}"`, judgePackage(path, specifier));
    complain(path, "holds a client of Kubernetes", judgeText(path, text));
    complain(path, "parses", judgeParsing(path, text));
  }
  for (const cycle of findCycles(graph)) complaints.push(`Cycle: ${cycle.join(" -> ")}`);
  complaints.push(...judgeFolders(graph));
  for (const [entry, allowed] of Object.entries(LEAN_ENTRIES)) {
    complaints.push(...listLoadedPackages(entry, allowed, sources));
  }
  complaints.push(...checkSeed(sources), ...checkBrowser(sources));
  return complaints;
}

/** Lists each package that a program loads at its start and may not load. */
function listLoadedPackages(
  entry: string,
  allowed: readonly string[],
  sources: ReadonlyMap<string, string>,
): string[] {
  return [...loadedBy([entry], sources)].flatMap(([path, { packages }]) =>
    packages.filter((specifier) => !allowed.includes(specifier))
      .map((specifier) => `${path}: imports "${specifier}", which ${entry} would load at each start`)
  );
}

/** Lists the code that would escape the seed of a simulation, in everything that simulated programs load. */
function checkSeed(sources: ReadonlyMap<string, string>): string[] {
  const files = new Set([
    ...loadedBy(SIMULATED_ENTRIES, sources).keys(),
    ...[...sources.keys()].filter(isSimulatedFile),
  ]);
  return [...files].flatMap((path) => judgeSeed(path, sources.get(path)!));
}

/**
 * Lists the APIs that browsers lack, in all files that also run there and everything that these load, at the start or
 * later.
 */
function checkBrowser(sources: ReadonlyMap<string, string>): string[] {
  return [...loadedBy(BROWSER_ENTRIES, sources, { dynamic: true })].flatMap(([path, { packages }]) => {
    const complaints: string[] = [];
    const complain = (subject: string, verdict: Verdict) => {
      if (verdict !== undefined) {
        complaints.push(`${path}: ${subject}, and is loaded by what runs in browsers: ${verdict}`);
      }
    };
    complain("uses Deno", judgeBrowserText(sources.get(path)!));
    for (const specifier of packages) complain(`imports "${specifier}"`, judgeBrowserPackage(specifier));
    return complaints;
  });
}

/** The files that programs load at their start, and later if `dynamic` is true, each with its imports. */
function loadedBy(
  entries: readonly string[],
  sources: ReadonlyMap<string, string>,
  options = { dynamic: false },
): Map<string, Imports> {
  const loaded = new Map<string, Imports>();
  const queue = [...entries];
  for (const path of queue) {
    const text = sources.get(path);
    if (loaded.has(path) || text === undefined) continue;
    const imports = readImports(path, withoutTypeImports(text), options);
    loaded.set(path, imports);
    queue.push(...imports.files);
  }
  return loaded;
}

function withoutTypeImports(text: string): string {
  return text.replaceAll(/(^|\n)\s*(import|export) type\b[^;]*;/g, "$1");
}

/** The project's own TypeScript, without generated files. */
async function readSources(root: URL): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
      const path = folder + name;
      if (name.startsWith(".") || ["node_modules", "build", "gen"].includes(name)) continue;
      if (isDirectory) await walk(`${path}/`);
      else if (/\.tsx?$/.test(name)) sources.set(path, await Deno.readTextFile(new URL(path, root)));
    }
  };
  await walk("./");
  return new Map([...sources].map(([path, text]) => [path.slice(2), text]));
}

if (import.meta.main) {
  const sources = await readSources(new URL("../", import.meta.url));
  const complaints = [checkImports, checkExports, checkFaces, checkDomTests].flatMap((check) => check(sources));
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) Deno.exit(1);
}
