/**
 * The software bill of materials of a release, in CycloneDX's JSON: shipped packages with licenses and digests,
 * Deno, and the packages of the distribution whose files are in the images.
 */
import { Buffer } from "node:buffer";
import { fieldsOf } from "@tiphys/base/fields_of";
import { VERSION } from "@tiphys/base/version";
import type { SystemPackage } from "./image_packages.ts";
import type { DescribedPackage } from "./shipped_packages.ts";

/**
 * The bill, as text. `npm` is the part of the lock file with the digests. It has no time and no serial number, so the
 * same sources give the same text.
 */
export function sbomText(
  packages: readonly DescribedPackage[],
  npm: Readonly<Record<string, unknown>>,
  inImages: readonly SystemPackage[] = [],
): string {
  const component = { type: "application", name: "tiphys", version: VERSION, licenses: [{ expression: "Apache-2.0" }] };
  const deno = { type: "platform", name: "deno", version: Deno.version.deno, licenses: [{ expression: "MIT" }] };
  const libraries = packages.map(({ name, version, license }) => ({
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ expression: license }],
    hashes: digestsOf(npm, `${name}@${version}`),
  }));
  const system = inImages.map(({ name, version, architecture, distribution }) => ({
    type: "library",
    name,
    version,
    purl: `pkg:deb/${distribution}/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
  }));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components: [deno, ...libraries, ...system],
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

/** The digest of a package. A key of the lock file may have its peers after the version. */
function digestsOf(npm: Readonly<Record<string, unknown>>, id: string): { alg: string; content: string }[] {
  const key = Object.keys(npm).find((candidate) => candidate === id || candidate.startsWith(`${id}_`));
  const [, digest] = /^sha512-(.+)$/.exec(String(fieldsOf(npm[key ?? ""]).integrity)) ?? [];
  return digest === undefined ? [] : [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }];
}
