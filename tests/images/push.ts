import { outputOf } from "../../scripts/command.ts";

/**
 * Pushes an image to a registry under a name as it is spelled in workflows. `source` is a layout folder or an OCI
 * archive. The tag defaults to `latest` and the repository's folder to `library/`. The registry in the name is dropped:
 * `registry` replaces it.
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

/** The repository and tag with which containerd requests an image from a registry that mirrors all others. */
export function repositoryAndTag(name: string): string {
  return splitName(name).path;
}

/** The full name of an image, as stored by containerd. */
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
