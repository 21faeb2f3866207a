/** The npm packages that are shipped: those that the programs import, and those that these need, as `deno.lock` has them. */
import { fieldsOf } from "../lib/fields_of.ts";

const ROOT = new URL("../", import.meta.url).pathname;
/** The folders of the programs and of their library. */
const SHIPPED = ["cli", "controller", "executor", "lib", "local", "server", "simulate", "ui"];

/** A package by name and version. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

/** A package with what its `package.json` and its files say. */
export interface DescribedPackage extends Package {
  readonly license: string;
  readonly bytes: number;
}

/** The shipped packages, sorted by name and version. */
export async function shippedPackages(): Promise<Package[]> {
  const imports = fieldsOf(fieldsOf(JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`))).imports);
  const lock = fieldsOf(JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`)));
  return closureOf(await importedSpecifiers(imports), fieldsOf(lock.specifiers), fieldsOf(lock.npm));
}

/** The packages behind specifiers (`npm:NAME@RANGE`), and all that they depend on, by the parts of a lock file. */
export function closureOf(
  specifiers: Iterable<string>,
  locked: Readonly<Record<string, unknown>>,
  npm: Readonly<Record<string, unknown>>,
): Package[] {
  const found = new Map<string, Package>();
  const waiting = [...specifiers].flatMap((specifier) => {
    const name = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@/.exec(specifier)?.[1];
    const version = locked[specifier.replace("npm:/", "npm:").replace(/\/$/, "")];
    return name === undefined || typeof version !== "string" ? [] : [`${name}@${version}`];
  });
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const [, name = "", version = ""] = /^((?:@[^/]+\/)?[^@]+)@([^_]+)/.exec(id) ?? [];
    if (found.has(id)) continue;
    found.set(id, { name, version });
    const { dependencies } = fieldsOf(npm[id] ?? npm[Object.keys(npm).find((key) => key.startsWith(`${id}_`)) ?? ""]);
    for (const needed of Array.isArray(dependencies) ? dependencies.map(String) : []) {
      // A dependency is written with its version where several are locked.
      const bare = /^(?:@[^/]+\/)?[^@]+$/.test(needed);
      waiting.push(bare ? Object.keys(npm).find((key) => key.startsWith(`${needed}@`)) ?? needed : needed);
    }
  }
  const unique = new Map([...found.values()].map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) => textOf(a) < textOf(b) ? -1 : 1);
}

function textOf({ name, version }: Package): string {
  return `${name} ${version}`;
}

async function importedSpecifiers(imports: Readonly<Record<string, unknown>>): Promise<Set<string>> {
  const used = new Set<string>();
  const names = Object.keys(imports).filter((name) => String(imports[name]).startsWith("npm:"));
  for (const folder of SHIPPED) {
    for await (const path of sourcesBelow(`${ROOT}${folder}`)) {
      const text = await Deno.readTextFile(path);
      for (const name of names) {
        const written = name.endsWith("/") ? `"${name}` : `"${name}"`;
        if (text.includes(written)) used.add(String(imports[name]));
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

/** Describes packages by the copies in a cache of Deno. @throws {Deno.errors.NotFound} for one that is not there. */
export async function described(packages: readonly Package[], cache: string): Promise<DescribedPackage[]> {
  const all: DescribedPackage[] = [];
  for (const { name, version } of packages) {
    const folder = `${cache}/npm/registry.npmjs.org/${name}/${version}`;
    const { license } = fieldsOf(JSON.parse(await Deno.readTextFile(`${folder}/package.json`)));
    const said = typeof license === "string" ? license : String(fieldsOf(license).type ?? "not declared");
    all.push({ name, version, license: said, bytes: await bytesBelow(folder) });
  }
  return all;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    // A note of Deno's own.
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
