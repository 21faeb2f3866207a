/** What a template says about its containers: which are main, what they mount, which names are taken. */
import type { PodContainer, Template, VolumeMount } from "../api/mod.ts";
import { CONTAINER } from "../constants.ts";
import { type ContainerList, isReservedName, reservedNameMessage } from "../container_names.ts";
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

/** Refuses names that the executor's own containers have. Throws {@link PodBuildError}. */
export function checkNames(template: Template): void {
  const lists: [ContainerList, { name?: string }[] | undefined][] = [
    ["containerSet.containers", template.containerSet?.containers],
    ["initContainers", template.initContainers],
    ["sidecars", template.sidecars],
  ];
  for (const [list, containers] of lists) {
    const taken = containers?.find(({ name }) => isReservedName(name ?? "", list));
    if (!taken) continue;
    throw new PodBuildError(`templates.${template.name ?? ""}.${list}: ${reservedNameMessage(taken.name!)}`);
  }
}

/** A copy of the container with mounts added; a path that is mounted already keeps its mount. */
export function withMounts(container: PodContainer, mounts: readonly VolumeMount[]): PodContainer {
  const present = container.volumeMounts ?? [];
  const paths = new Set(present.map(({ mountPath }) => mountPath));
  const added = mounts.filter(({ mountPath }) => !paths.has(mountPath) && paths.add(mountPath));
  return added.length ? { ...container, volumeMounts: [...present, ...added] } : container;
}
