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

/** Where containerd looks for an image's name in a registry that stands in for all others. */
export function repositoryAndTag(name: string): string {
  const [first, ...rest] = name.split("/");
  const isRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const path = isRegistry ? rest.join("/") : name;
  const repository = path.includes("/") ? path : `library/${path}`;
  return repository.slice(repository.lastIndexOf("/")).includes(":") ? repository : `${repository}:latest`;
}
