/**
 * Walks the imports of all sources and fails on an arrow that points up, on a cycle between files, and where the start of the
 * executor, which every container of every pod pays for, would load a package.
 *
 *     deno task arrows
 */
import { judgeImport, judgePackage, judgeText, type Verdict } from "./import_rules.ts";

/** A file's imports: of other files of the project, and of packages. */
interface Imports {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** Programs whose static imports must not reach any package: they start in every container. */
const LEAN_ENTRIES = ["executor/main.ts"] as const;

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;"'`]*?\bfrom\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"/g;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The imports of a source text; a path is given from the root of the project, as `path` is. */
export function readImports(path: string, text: string, options: { readonly dynamic: boolean }): Imports {
  const found = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);
  if (options.dynamic) found.push(...[...text.matchAll(DYNAMIC)].map((match) => match[1]));
  const local = found.filter((specifier) => specifier.startsWith("."));
  return {
    files: local.map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1)),
    packages: found.filter((specifier) => !specifier.startsWith(".")),
  };
}

/** One cycle for every knot of files that import each other, each as the path once around it. */
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

/** What is wrong with a set of sources, by path from the root of the project: one line for each. */
export function checkImports(sources: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  const complain = (from: string, what: string, verdict: Verdict) => {
    if (verdict !== undefined) complaints.push(`${from}: ${what}: ${verdict}`);
  };
  const graph = new Map<string, readonly string[]>();
  for (const [path, text] of sources) {
    const { files, packages } = readImports(path, text, { dynamic: true });
    graph.set(path, files);
    for (const to of files) complain(path, `imports ${to}`, judgeImport(path, to));
    for (const specifier of packages) complain(path, `imports "${specifier}"`, judgePackage(path, specifier));
    complain(path, "uses Deno", judgeText(path, text));
  }
  for (const cycle of findCycles(graph)) complaints.push(`Cycle: ${cycle.join(" -> ")}`);
  for (const entry of LEAN_ENTRIES) complaints.push(...checkLean(entry, sources));
  return complaints;
}

/** Follows what a program loads before it does anything, and names each package on the way. */
function checkLean(entry: string, sources: ReadonlyMap<string, string>): string[] {
  const complaints: string[] = [];
  const seen = new Set<string>();
  const queue: string[] = [entry];
  for (const path of queue) {
    const text = sources.get(path);
    if (seen.has(path) || text === undefined) continue;
    seen.add(path);
    const { files, packages } = readImports(path, withoutTypeImports(text), { dynamic: false });
    for (const specifier of packages) {
      complaints.push(`${path}: imports "${specifier}", which ${entry} would load in every container`);
    }
    queue.push(...files);
  }
  return complaints;
}

function withoutTypeImports(text: string): string {
  return text.replaceAll(/(^|\n)\s*(import|export) type\b[^;]*;/g, "$1");
}

/** The project's own TypeScript, generated files left out. */
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
  const complaints = checkImports(await readSources(new URL("../", import.meta.url)));
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) Deno.exit(1);
}
