/**
 * The notices of the shipped packages, `THIRD_PARTY_NOTICES.txt`: the license of each, from the package as published.
 * The file goes into the npm package and the images.
 */
import type { DescribedPackage } from "./shipped_packages.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";

const LICENSE_FILE = /^(licen[cs]e|copying|notice|unlicense)([.-].*)?$/i;
/** Files with a license in a comment at their top, for packages that publish no license file for a part of them. */
const COMMENTS: Readonly<Record<string, string>> = { "@bufbuild/protobuf": "dist/esm/wire/varint.js" };

/** Deno, which the images contain as a program. */
const DENO = "Copyright 2018-2026 the Deno authors";

const MIT =
  `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** A package, and the folder where it is unpacked. */
interface UnpackedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}

/** The text of `THIRD_PARTY_NOTICES.txt`, from the copies of packages in a cache of Deno. */
export async function noticesText(packages: readonly DescribedPackage[], cache: string): Promise<string> {
  const unpacked = packages.map((pkg) => ({
    ...pkg,
    folder: `${cache}/npm/registry.npmjs.org/${pkg.name}/${pkg.version}`,
  }));
  return await noticesOf(
    unpacked,
    "Tiphys contains code of the packages below. Written by `deno task audit --write` from deno.lock; do not edit.",
    `Deno, in the images (MIT)\n\n${DENO}\n\n${MIT}`,
  );
}

/** The notices of packages after other sections; packages with the same license text share one section. */
export async function noticesOf(packages: readonly UnpackedPackage[], ...before: readonly string[]): Promise<string> {
  const byText = new Map<string, string[]>();
  for (const pkg of packages) {
    const text = await licenseText(pkg);
    const license = pkg.license.replace(/^\((.*)\)$/, "$1");
    byText.set(text, [...byText.get(text) ?? [], `${pkg.name} ${pkg.version} (${license})`]);
  }
  const sections = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}`);
  return [...before, ...sections].join(`\n\n${"-".repeat(80)}\n\n`) + "\n";
}

/** The packages that a text of notices names. */
export function noticedPackages(text: string): { readonly name: string; readonly version: string }[] {
  return [...text.matchAll(/^(@?[\w./-]+) (\d\S*) \(.*\)$/gm)].map(([, name = "", version = ""]) => ({
    name,
    version,
  }));
}

async function licenseText({ name, license, folder }: UnpackedPackage): Promise<string> {
  const files = [...Deno.readDirSync(folder)].filter((file) => file.isFile && LICENSE_FILE.test(file.name));
  const texts = await Promise.all(
    files.map((file) => file.name).sort().map((file) => Deno.readTextFile(`${folder}/${file}`)),
  );
  const comment = COMMENTS[name];
  if (comment !== undefined) texts.push(leadingComment(await Deno.readTextFile(`${folder}/${comment}`)));
  if (texts.length > 0) return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n");
  const { author } = fieldsOfJson(await Deno.readTextFile(`${folder}/package.json`));
  const holder = typeof author === "string" ? author : String(fieldsOf(author).name ?? "its authors");
  if (license === "MIT") return `Copyright ${holder}\n\n${MIT}`;
  return `Copyright ${holder}. Published under ${license}, without a license file: https://spdx.org/licenses/${license}.html`;
}

/** The comment of `//` lines at the top of a file. */
function leadingComment(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, "")).join("\n");
}
