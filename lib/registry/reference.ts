/** Names of images, as people write them and as registries know them. */
import { ImageError } from "./image_error.ts";

/** A name in full: nothing in it is a default any more. */
export interface ImageReference {
  /** Host and port: `docker.io`, `localhost:5000`. */
  readonly registry: string;
  /** The path in the registry: `library/busybox`. */
  readonly repository: string;
  /** Absent when a digest alone names the image. */
  readonly tag?: string;
  /** `sha256:…`; the tag beside it says nothing then. */
  readonly digest?: string;
}

const DEFAULT_REGISTRY = "docker.io";
const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const HOST = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const REGISTRY = new RegExp(`^(?:${HOST}(?:\\.${HOST})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?$`);
/** Of registry and repository together, as registries have it. */
const MAX_PATH = 255;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a name by the rules of docker.
 * @throws {ImageError} with the reason `InvalidImageName`.
 */
export function parseReference(name: string): ImageReference {
  const [rest, digest] = cut(name, "@");
  const colon = rest.indexOf(":", rest.lastIndexOf("/") + 1);
  const path = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? undefined : rest.slice(colon + 1);
  const [first, ...others] = path.split("/");
  const isRegistry = others.length > 0 && /[.:]|^localhost$/.test(first!);
  const registry = isRegistry ? first!.replace(/^index\.docker\.io$/, DEFAULT_REGISTRY) : DEFAULT_REGISTRY;
  const own = isRegistry ? others.join("/") : path;
  const repository = registry === DEFAULT_REGISTRY && !own.includes("/") ? `library/${own}` : own;
  const isValid = path.length <= MAX_PATH && REGISTRY.test(registry) && REPOSITORY.test(repository) &&
    (tag === undefined || TAG.test(tag)) &&
    (digest === undefined || DIGEST.test(digest));
  if (!isValid) {
    throw new ImageError(
      "InvalidImageName",
      `Failed to apply default image tag ${JSON.stringify(name)}: couldn't parse image name: invalid reference format`,
    );
  }
  if (digest !== undefined) return { registry, repository, ...(tag !== undefined && { tag }), digest };
  return { registry, repository, tag: tag ?? "latest" };
}

/** The name in full; equal for all spellings of one image. */
export function canonicalName({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${digest === undefined ? `:${tag}` : `@${digest}`}`;
}

/** The name as people write it: without what would be added again. */
export function familiarName(reference: ImageReference): string {
  return canonicalName(reference).replace(/^docker\.io\/(library\/)?/, "");
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
