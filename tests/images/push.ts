import { outputOf } from "../../scripts/command.ts";

/**
 * Puts an image into a registry under a name as workflows spell it. `source` is a layout folder or an OCI archive; a name without a tag
 * is `latest`, one without a folder lies under `library/`, and the registry of a full name is dropped: ours stands in for it.
 */
export async function pushImage(registry: string, source: string, name: string): Promise<void> {
  const isFolder = (await Deno.stat(source)).isDirectory;
  const from = isFolder ? `oci:${source}` : `oci-archive:${source}`;
  await outputOf([
    "skopeo",
    "copy",
    "--quiet",
    "--dest-tls-verify=false",
    from,
    `docker://${registry}/${repositoryAndTag(name)}`,
  ]);
}

/** The repository and tag at which containerd looks for an image in a registry that stands in for all others. */
export function repositoryAndTag(name: string): string {
  return splitName(name).path;
}

/** An image's name in full, as containerd keeps it. */
export function fullName(name: string): string {
  const { registry, path } = splitName(name);
  return `${registry}/${path}`;
}

function splitName(name: string): { registry: string; path: string } {
  const [first = "", ...rest] = name.split("/");
  const isRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const path = isRegistry ? rest.join("/") : name;
  const repository = path.includes("/") ? path : `library/${path}`;
  const isTagged = repository.slice(repository.lastIndexOf("/")).includes(":");
  return { registry: isRegistry ? first : "docker.io", path: isTagged ? repository : `${repository}:latest` };
}
