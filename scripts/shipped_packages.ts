/**
 * The npm packages that are shipped: those that the programs import, and those that these need, as `deno.lock` has
 * them.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { outputOf } from "./command.ts";

const ROOT = new URL("../", import.meta.url).pathname;
/** The folders of the programs and of their library. */
const SHIPPED = ["cli", "controller", "executor", "lib", "local", "server", "simulate", "ui"];

/** A package by name and version. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

/** A package with the content of its `package.json` and the size of its files. */
export interface DescribedPackage extends Package {
  readonly license: string;
  readonly bytes: number;
}

/** The parts of a lock file that are read. */
interface Lock {
  /** The locked version of each specifier, `npm:NAME@RANGE`. */
  readonly specifiers: Readonly<Record<string, unknown>>;
  /** The packages by their IDs: name, version, and the peers that they were resolved with. */
  readonly npm: Readonly<Record<string, unknown>>;
}

/** The shipped packages, sorted by name and version. */
export async function shippedPackages(): Promise<Package[]> {
  const { specifiers, npm } = await readLock();
  return closureOf(await importedSpecifiers(), specifiers, npm);
}

/**
 * The lock file of a clone's programs, as text: the entries of `deno.lock` for the shipped packages. Deno fetches every
 * package of a lock file, also those that only tests and checks need.
 */
export async function runLockText(): Promise<string> {
  const lock = await readLock();
  return `${JSON.stringify(reducedLock(lock, await importedSpecifiers()), null, 2)}\n`;
}

/** The entries of a lock file that specifiers need. */
export function reducedLock(lock: Lock, imported: Iterable<string>): object {
  const named = [...imported].map(specifierOf);
  const specifiers = Object.fromEntries(
    Object.entries(lock.specifiers).filter(([specifier]) => named.includes(specifier)),
  );
  const ids = idsOf(Object.keys(specifiers), lock, ["dependencies", "optionalDependencies"]);
  const npm = Object.entries(lock.npm).filter(([id]) => ids.has(id)).map((
    [id, entry],
  ) => [id, withoutSingleVersions(entry, ids)]);
  return { ...lock, specifiers, npm: Object.fromEntries(npm) };
}

/** A package's entry, in which dependencies have no version if only one version is locked, as Deno writes it. */
function withoutSingleVersions(entry: unknown, ids: ReadonlySet<string>): object {
  const nameOf = (id: string) => /^(?:@[^/]+\/)?[^@]+/.exec(id)?.[0];
  const counts = Map.groupBy(ids, nameOf);
  const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
  return Object.fromEntries(
    Object.entries(fieldsOf(entry)).map(([field, value]) => [
      field,
      /dependencies$/i.test(field) && isList(value)
        ? value.map((dependency) => counts.get(nameOf(dependency))?.length === 1 ? nameOf(dependency) : dependency)
        : value,
    ]),
  );
}

async function readLock(): Promise<Lock> {
  const lock = fieldsOf(JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`)));
  return { ...lock, specifiers: fieldsOf(lock.specifiers), npm: fieldsOf(lock.npm) };
}

/** The packages of specifiers (`npm:NAME@RANGE`), and all their dependencies, by the parts of a lock file. */
export function closureOf(
  specifiers: Iterable<string>,
  locked: Readonly<Record<string, unknown>>,
  npm: Readonly<Record<string, unknown>>,
): Package[] {
  const found = [...idsOf(specifiers, { specifiers: locked, npm }, ["dependencies"])].map((id) => {
    const [, name = "", version = ""] = /^((?:@[^/]+\/)?[^@]+)@([^_]+)/.exec(id) ?? [];
    return { name, version };
  });
  const unique = new Map(found.map((found) => [`${found.name}@${found.version}`, found]));
  return [...unique.values()].sort((a, b) => textOf(a) < textOf(b) ? -1 : 1);
}

/** The IDs of the packages that specifiers need, through the given fields of the packages' entries. */
function idsOf(imported: Iterable<string>, { specifiers, npm }: Lock, fields: readonly string[]): Set<string> {
  const all = Object.keys(npm);
  // A dependency has no version in the lock file if only one version is locked.
  const idOf = (needed: string) =>
    needed in npm ? needed : all.find((id) => id.startsWith(`${needed}@`) || id.startsWith(`${needed}_`));
  const found = new Set<string>();
  const waiting = [...imported].flatMap((specifier) => {
    const locked = specifierOf(specifier);
    const name = /^npm:((?:@[^/]+\/)?[^@/]+)@/.exec(locked)?.[1];
    const version = specifiers[locked];
    return name === undefined || typeof version !== "string" ? [] : [`${name}@${version}`];
  });
  for (let needed = waiting.pop(); needed !== undefined; needed = waiting.pop()) {
    const id = idOf(needed);
    if (id === undefined || found.has(id)) continue;
    found.add(id);
    const entry = fieldsOf(npm[id]);
    waiting.push(...fields.flatMap((field) => Array.isArray(entry[field]) ? entry[field].map(String) : []));
  }
  return found;
}

/** A specifier in the form of lock files: without a path in the package. */
function specifierOf(imported: string): string {
  return imported.replace(/^npm:\/?((?:@[^/]+\/)?[^/]+).*$/, "npm:$1");
}

function textOf({ name, version }: Package): string {
  return `${name} ${version}`;
}

/** The specifiers of `deno.json` that the shipped folders import. */
async function importedSpecifiers(): Promise<Set<string>> {
  const imports = fieldsOf(fieldsOf(JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`))).imports);
  const used = new Set<string>();
  const names = Object.keys(imports).filter((name) => String(imports[name]).startsWith("npm:"));
  for (const folder of SHIPPED) {
    for await (const path of sourcesBelow(`${ROOT}${folder}`)) {
      const text = await Deno.readTextFile(path);
      for (const name of names) {
        const isImported = text.includes(`"${name}"`) || text.includes(`"${name.replace(/\/?$/, "/")}`);
        if (isImported) used.add(String(imports[name]));
      }
    }
  }
  return used;
}

async function* sourcesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "testing" && name !== "testdata") yield* sourcesBelow(path);
    else if (/\.tsx?$/.test(name) && !/_(test|bench)\.tsx?$/.test(name)) yield path;
  }
}

/**
 * Describes packages by the copies in the cache of this Deno.
 * @throws {Deno.errors.NotFound} for one that is not there.
 */
export async function describeInstalled(packages: readonly Package[]): Promise<DescribedPackage[]> {
  return await describePackages(packages, await denoCache());
}

/** The folder of this Deno's cache. */
export async function denoCache(): Promise<string> {
  return String(fieldsOfJson(await outputOf([Deno.execPath(), "info", "--json"])).denoDir);
}

/** Describes packages by the copies in a cache of Deno. @throws {Deno.errors.NotFound} for one that is not there. */
async function describePackages(packages: readonly Package[], cache: string): Promise<DescribedPackage[]> {
  const all: DescribedPackage[] = [];
  for (const { name, version } of packages) {
    const folder = `${cache}/npm/registry.npmjs.org/${name}/${version}`;
    const { license } = fieldsOf(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)));
    const identifier = typeof license === "string" ? license : String(fieldsOf(license).type ?? "not declared");
    all.push({ name, version, license: identifier, bytes: await bytesBelow(folder) });
  }
  return all;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    // A marker file of Deno.
    if (name === ".deno_extracted") continue;
    const path = `${folder}/${name}`;
    bytes += isDirectory ? await bytesBelow(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}

/** The page with the list. */
export function packagesPage(packages: readonly DescribedPackage[]): string {
  const rows = packages.map(({ name, version, license, bytes }) =>
    `| ${name} | ${version} | ${license} | ${Math.ceil(bytes / 1024)} |`
  );
  return [
    "# Shipped packages",
    "",
    "The npm packages that the programs import, with what these depend on. `deno task audit --write` writes this page from",
    "`deno.lock`; a test compares it. Sizes are those of the package as published; the bundles contain a part of it.",
    "",
    "| Package | Version | License | KiB |",
    "| ------- | ------- | ------- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** Licenses under which a package may be shipped: they require a notice at most. */
const PERMITTED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

/** Whether a package with this license, an SPDX expression, may be shipped. */
export function isPermitted(license: string): boolean {
  const choices = license.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((license) => PERMITTED.has(license)));
}

/** The differences between the page and the shipped packages, and the licenses on it that are not permitted. */
export function pageProblems(page: string, shipped: readonly Package[]): string[] {
  const rows = [...page.matchAll(/^\| (\S+) +\| (\d\S*) +\| (\S.*?) +\|/gm)];
  const listed = new Map(rows.map(([, name = "", version = "", license = ""]) => [textOf({ name, version }), license]));
  const actual = new Set(shipped.map(textOf));
  return [
    ...[...actual].filter((id) => !listed.has(id)).map((id) => `${id} is shipped and not listed`),
    ...[...listed.keys()].filter((id) => !actual.has(id)).map((id) => `${id} is listed and not shipped`),
    ...[...listed].filter(([, license]) => !isPermitted(license)).map(([id, license]) =>
      `${id}: the license ${license} requires more than a notice`
    ),
  ];
}
