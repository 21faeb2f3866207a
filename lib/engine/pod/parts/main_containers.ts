/** The main containers of a template, without additions of the executor's protocol. */
import type { Container, PodContainer, Template } from "@tiphys/model/api";
import { isRunBy, type TypesRunBy } from "@tiphys/model/templates";
import { CONTAINER, PATH } from "@tiphys/base/constants";
import { applyStrategicMergePatch } from "@tiphys/kube/patch/strategic";
import { executorMain } from "./executor_container.ts";
import { PodBuildError, type PodRequest } from "../request.ts";
import { podTemplateType, withMounts } from "./template_containers.ts";

/**
 * Returns the main containers, merged over the controller's defaults.
 * @throws {PodBuildError} if the template has no containers.
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

/** The main containers of template types that run containers of the user. */
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
