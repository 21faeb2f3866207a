/**
 * The images that a stand-in may replace without permission on a machine without a network: images of Docker Hub that
 * workflows use for their shell and common tools. Other images have content that a stand-in lacks, so that a run could
 * succeed wrongly.
 */
import { canonicalName, parseReference } from "@tiphys/registry/reference";

/**
 * Versions of one major number. The minor numbers leave room for some years of releases, but not for typos such as
 * 3.99.
 */
const version = (major: string, minors = String.raw`\d`) => String.raw`${major}(?:\.(?:${minors})(?:\.\d{1,2})?)?`;
const TO_19 = String.raw`1?\d`;
const TO_39 = String.raw`[1-3]?\d`;
const ALPINE = String.raw`alpine(?:3\.(?:${TO_39}))?`;
const DEBIAN = "jessie|stretch|buster|bullseye|bookworm|trixie|forky|sid";
const UBUNTU = "trusty|xenial|bionic|focal|jammy|mantic|noble|oracular|plucky|questing";
/** The date of a build. */
const DATE = String.raw`20\d{6}(?:\.\d)?`;
/** The image that a language image is based on. */
const BASE = `${ALPINE}|(?:slim-)?(?:${DEBIAN})|slim`;
const PRERELEASE = String.raw`(?:-?(?:a|b|beta|rc)\d+)?`;

/**
 * Patterns of the tags that are published for each Docker Hub image, by its name: their forms and major versions. A
 * mistyped tag fails offline as it does online.
 */
const TAGS: Readonly<Record<string, RegExp>> = {
  alpine: tags(`latest|edge|${version("2")}|${version("3", TO_39)}|${DATE}`),
  bash: tags(`(?:latest|devel|${version("[345]")})(?:-${ALPINE})?`),
  busybox: tags(`(?:latest|stable|unstable|${version("1", "[1-5]?\\d")})(?:-(?:glibc|musl|uclibc))?|glibc|musl|uclibc`),
  debian: tags(
    `(?:latest|stable|oldstable|oldoldstable|testing|unstable|experimental|rc-buggy|${
      version("(?:[6-9]|1[0-5])", TO_19)
    }|${DEBIAN})` +
      `(?:-${DATE})?(?:-slim|-backports)?`,
  ),
  golang: tags(
    `(?:latest|${version("1", TO_39)}${PRERELEASE})(?:-(?:${BASE}))?|${BASE}|tip(?:-${DATE})?(?:-(?:${BASE}))?`,
  ),
  python: tags(`(?:latest|(?:${version("2")}|${version("3", TO_39)})${PRERELEASE})(?:-(?:${BASE}))?|${BASE}`),
  ubuntu: tags(String.raw`latest|rolling|devel|(?:[12]\d\.(?:04|10)|${UBUNTU})(?:\.\d+)?(?:-${DATE})?`),
};

function tags(pattern: string): RegExp {
  // deno-lint-ignore tiphys/linear-regexp -- made of the constants above, and a tag has at most 128 characters
  return new RegExp(`^(?:${pattern})$`);
}

/**
 * Whether a stand-in may replace an image without permission. False for an image with a digest, which requires exact
 * content.
 */
export function isBaseImage(name: string): boolean {
  try {
    const reference = parseReference(name);
    if (reference.digest !== undefined) return false;
    const [, repository = "", tag = ""] = /^docker\.io\/library\/([^:]+):(.+)$/.exec(canonicalName(reference)) ?? [];
    return Object.hasOwn(TAGS, repository) && TAGS[repository]!.test(tag);
  } catch {
    return false;
  }
}
