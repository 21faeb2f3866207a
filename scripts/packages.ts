/**
 * The packages of the workspace, `lib/NAME`, as their `deno.json` files describe them. A package is imported by its
 * name (`@tiphys/base/go`), and only the modules that its `exports` list can be imported: its faces. All other modules
 * are private to the package, whose own files import each other by relative paths.
 */
import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../", import.meta.url).pathname;

/** The part of a package's `deno.json` that other packages depend on. */
interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** The names of the packages, without `@tiphys/`: each is a folder of `lib`. */
export const PACKAGE_NAMES: readonly string[] = readdirSync(`${ROOT}lib`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted();

/** The faces of all packages: paths from the root of the project, by the names that others import. */
export const ENTRY_POINTS: ReadonlyMap<string, string> = new Map(PACKAGE_NAMES.flatMap((folder) => {
  const manifest: Manifest = JSON.parse(readFileSync(`${ROOT}lib/${folder}/deno.json`, "utf8"));
  return Object.entries(manifest.exports).map(([face, path]): [string, string] => [
    `${manifest.name}${face.slice(1)}`,
    `lib/${folder}/${path.slice(2)}`,
  ]);
}));

/** Returns the name of the package that contains a file, without `@tiphys/`; undefined for files of programs. */
export function packageOf(path: string): string | undefined {
  const [lib, name, ...rest] = path.split("/");
  return lib === "lib" && rest.length > 0 ? name : undefined;
}

/** The file that an import names, from the root of the project; undefined for an npm package. */
export function importedPath(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return new URL(specifier, `file:///${from}`).pathname.slice(1);
  return ENTRY_POINTS.get(specifier);
}
