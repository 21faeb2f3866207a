/** The containers of a template: main containers, mounts and reserved names. */
import type { PodContainer, Template, VolumeMount } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { type ContainerList, isReservedName, reservedNameMessage } from "@tiphys/model/container_names";
import { isPodType, type PodTemplateType, templateType } from "@tiphys/model/templates";
import { PodBuildError } from "../request.ts";

/** The type of a template that runs in a pod; undefined for other types. */
export function podTemplateType(template: Template): PodTemplateType | undefined {
  const type = templateType(template);
  return isPodType(type) ? type : undefined;
}

/** Whether a container of that name is a main container. Without a template, only `main` is. */
export function isMainName(name: string, template: Template | undefined): boolean {
  const members = template?.containerSet?.containers;
  return members ? members.some((member) => member.name === name) : name === CONTAINER.main;
}

/**
 * Rejects names that are reserved for the executor's containers.
 * @throws {PodBuildError} for a reserved name.
 */
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

/** Returns the container with added mounts. A path that is mounted already keeps its mount. */
export function withMounts(container: PodContainer, mounts: readonly VolumeMount[]): PodContainer {
  const present = container.volumeMounts ?? [];
  const paths = new Set(present.map(({ mountPath }) => mountPath));
  const added = mounts.filter(({ mountPath }) => !paths.has(mountPath) && paths.add(mountPath));
  return added.length ? { ...container, volumeMounts: [...present, ...added] } : container;
}
