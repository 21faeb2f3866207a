/** What a template says about its containers: which are main, what they mount, which names are taken. */
import type { PodContainer, Template, VolumeMount } from "../api/mod.ts";
import { CONTAINER } from "../constants.ts";
import { isWithin } from "./paths.ts";
import { PodBuildError } from "./request.ts";

/** The pod-making template types. */
export type PodTemplateType = "container" | "script" | "containerSet" | "resource" | "data";

/** Which of the pod-making types a template has; undefined for all others. */
export function podTemplateType(template: Template): PodTemplateType | undefined {
  if (template.container) return "container";
  if (template.script) return "script";
  if (template.containerSet) return "containerSet";
  if (template.resource) return "resource";
  if (template.data) return "data";
  return undefined;
}

/** Whether a container of that name does the template's work. */
export function isMainName(name: string, template: Template | undefined): boolean {
  const members = template?.containerSet?.containers;
  return members ? members.some((member) => member.name === name) : name === CONTAINER.main;
}

/** Names of the main-level containers, in the order of the template. */
export function mainNames(template: Template): string[] {
  return template.containerSet?.containers.map(({ name }) => name) ?? [CONTAINER.main];
}

/** The aux containers and the sidecars of artifact plugins: run by us, never wrapped by an emissary. */
export function isArgoSidecar(name: string): boolean {
  return isAux(name) || name.startsWith(CONTAINER.artifactPluginPrefix);
}

/** `supervisor` or `wait`. */
export function isAux(name: string): boolean {
  return name === CONTAINER.supervisor || name === CONTAINER.wait;
}

/** Mounts that user volumes have in `main`: artifacts on such paths are read and written through the volume. */
export function userVolumeMounts(template: Template): VolumeMount[] {
  const holder = template.container ?? template.script ?? template.containerSet;
  return holder?.volumeMounts ?? [];
}

/** The innermost user mount that is, or holds, the path. */
export function overlappingMount(template: Template, path: string): VolumeMount | undefined {
  return userVolumeMounts(template)
    .filter((mount) => isWithin(mount.mountPath, path))
    .toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

/** Refuses names that the executor's own containers have. Throws {@link PodBuildError}. */
export function checkNames(template: Template): void {
  const groups: [string, { name?: string }[] | undefined][] = [
    ["containerSet.containers", template.containerSet?.containers],
    ["initContainers", template.initContainers],
    ["sidecars", template.sidecars],
  ];
  for (const [place, containers] of groups) {
    const taken = containers?.find(({ name }) => isReserved(name ?? "", place));
    if (taken) {
      throw new PodBuildError(
        `templates.${template.name ?? ""}.${place}: "${taken.name}" is a reserved Argo container name`,
      );
    }
  }
}

/** Whether the executor needs a container name for itself; `main` may be a member of a set. */
export function isReserved(name: string, place: string): boolean {
  if (isAux(name) || name === CONTAINER.init) return true;
  if (name === CONTAINER.main) return place !== "containerSet.containers";
  return name.startsWith(CONTAINER.artifactPluginPrefix) || name.startsWith(CONTAINER.initArtifactPrefix);
}

/** A copy of the container with mounts added; a path that is mounted already keeps its mount. */
export function withMounts(container: PodContainer, mounts: readonly VolumeMount[]): PodContainer {
  const present = container.volumeMounts ?? [];
  const paths = new Set(present.map(({ mountPath }) => mountPath));
  const added = mounts.filter(({ mountPath }) => !paths.has(mountPath) && paths.add(mountPath));
  return added.length ? { ...container, volumeMounts: [...present, ...added] } : container;
}
