/** The names of containers that are ours: the pod builder, validation, and whoever reads a pod must agree. */
import { CONTAINER } from "@tiphys/base/constants";

/** The lists of a template whose containers have names of their own. */
export type ContainerList = "containerSet.containers" | "initContainers" | "sidecars";

/** `supervisor` or `wait`: the container that reports. */
export function isAux(name: string): boolean {
  return name === CONTAINER.supervisor || name === CONTAINER.wait;
}

/** The aux containers and the sidecars of artifact plugins: run by us, never wrapped by an emissary. */
export function isArgoSidecar(name: string): boolean {
  return isAux(name) || name.startsWith(CONTAINER.artifactPluginPrefix);
}

/**
 * Whether the executor needs a name for itself, in either layout; a member of a set may be `main`. An init container may be
 * `init`: the init-less layout has none of that name.
 */
export function isReservedName(name: string, list: ContainerList): boolean {
  if (name === CONTAINER.main) return list !== "containerSet.containers";
  if (name === CONTAINER.init) return list !== "initContainers";
  return isArgoSidecar(name) || name.startsWith(CONTAINER.initArtifactPrefix);
}

/** The message to the author of a template who took a reserved name. */
export function reservedNameMessage(name: string): string {
  return `${JSON.stringify(name)} is a reserved Argo container name`;
}
