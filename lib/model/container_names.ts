/** The reserved names of containers, shared by the pod builder, validation and readers of pods. */
import { CONTAINER } from "@tiphys/base/constants";

/** The fields of a template with named containers. */
export type ContainerList = "containerSet.containers" | "initContainers" | "sidecars";

/** Whether a container is the executor's: `supervisor` or `wait`. */
export function isAux(name: string): boolean {
  return name === CONTAINER.supervisor || name === CONTAINER.wait;
}

/** Whether a container is the sidecar of an artifact plugin. The executor ends it after its last use. */
export function isArtifactPlugin(name: string): boolean {
  return name.startsWith(CONTAINER.artifactPluginPrefix);
}

/** Whether a container is an aux container or an artifact plugin's sidecar, which are not wrapped by an emissary. */
export function isArgoSidecar(name: string): boolean {
  return isAux(name) || isArtifactPlugin(name);
}

/**
 * Whether the executor needs a name in either layout. A container of a set may be named `main`, and an init container
 * `init`, because the init-less layout has no container with that name.
 */
export function isReservedName(name: string, list: ContainerList): boolean {
  if (name === CONTAINER.main) return list !== "containerSet.containers";
  if (name === CONTAINER.init) return list !== "initContainers";
  return isArgoSidecar(name) || name.startsWith(CONTAINER.initArtifactPrefix);
}

/** Returns Argo's message for a template with a reserved name. */
export function reservedNameMessage(name: string): string {
  return `${JSON.stringify(name)} is a reserved Argo container name`;
}
