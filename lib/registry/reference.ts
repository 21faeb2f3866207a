/** Image names, as users write them and as registries use them. */
import { ImageError } from "./image_error.ts";

/** A fully qualified image name, without defaults. */
export interface ImageReference {
  /** Host and port: `docker.io`, `localhost:5000`. */
  readonly registry: string;
  /** The path in the registry: `library/busybox`. */
  readonly repository: string;
  /** Undefined if only a digest identifies the image. */
  readonly tag?: string;
  /** `sha256:…`; takes precedence over the tag. */
  readonly digest?: string;
}

const DEFAULT_REGISTRY = "docker.io";
const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const HOST = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const REGISTRY = new RegExp(`^(?:${HOST}(?:\\.${HOST})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]{1,5})?$`);
/** Maximum length of registry and repository together, as in registries. */
const MAX_PATH = 255;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Parses a name by Docker's rules.
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

/** Returns the fully qualified name, equal for all spellings of one image. */
export function canonicalName({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${digest === undefined ? `:${tag}` : `@${digest}`}`;
}

/** Returns the short name, without the defaults. */
export function familiarName(reference: ImageReference): string {
  return canonicalName(reference).replace(/^docker\.io\/(library\/)?/, "");
}

function cut(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
