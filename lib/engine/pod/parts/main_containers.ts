/** The containers that do a template's work, before anything of the executor's protocol is added. */
import type { Container, PodContainer, Template } from "@tiphys/model/api";
import { isRunBy, type TypesRunBy } from "@tiphys/model/templates";
import { CONTAINER, PATH } from "@tiphys/base/constants";
import { applyStrategicMergePatch } from "@tiphys/kube/patch/strategic";
import { executorMain } from "./executor_container.ts";
import { PodBuildError, type PodRequest } from "../request.ts";
import { podTemplateType, withMounts } from "./template_containers.ts";

/**
 * The main-level containers, the controller's defaults under them.
 * @throws {PodBuildError} when there are none.
 */
export function mainContainers(request: PodRequest): PodContainer[] {
  return ownContainers(request).map((container) => withDefaults(container, request));
}

function ownContainers(request: PodRequest): PodContainer[] {
  const { template } = request;
  const type = podTemplateType(template);
  if (type === undefined) {
    throw new PodBuildError(`template "${template.name ?? ""}" has no container to run in a pod`);
  }
  return isRunBy(type, "executor") ? [executorMain(type, request)] : OWN_CONTAINERS[type](template);
}

/** The main containers of the types of templates that run containers of the user. */
const OWN_CONTAINERS: Readonly<Record<TypesRunBy<"containers">, (template: Template) => PodContainer[]>> = {
  container: ({ container }) => [{ ...container!, name: CONTAINER.main }],
  script({ script }) {
    const { source, ...container } = script!;
    // A script without a source is a plain container.
    const args = source ? [...container.args ?? [], PATH.scriptSource] : container.args;
    return [{ ...container, name: CONTAINER.main, ...(args ? { args } : {}) }];
  },
  containerSet({ containerSet }) {
    const { containers, volumeMounts: shared = [] } = containerSet!;
    return containers.map(({ dependencies: _, ...member }) => withMounts(member, shared));
  },
};

function withDefaults(container: PodContainer, { config }: PodRequest): PodContainer {
  if (!config.mainContainer) return container;
  const patch: Partial<Container> = container;
  return applyStrategicMergePatch<PodContainer>({ ...config.mainContainer, name: container.name }, patch, "Container");
}
