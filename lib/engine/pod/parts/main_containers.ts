/** The containers that do a template's work, before anything of the executor's protocol is added. */
import type { Container, PodContainer } from "@tiphys/model/api";
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
  switch (podTemplateType(template)) {
    case "container":
      return [{ ...template.container!, name: CONTAINER.main }];
    case "script": {
      const { source, ...script } = template.script!;
      // Without a source it is a container like any other.
      const args = source ? [...script.args ?? [], PATH.scriptSource] : script.args;
      return [{ ...script, name: CONTAINER.main, ...(args ? { args } : {}) }];
    }
    case "containerSet": {
      const shared = template.containerSet!.volumeMounts ?? [];
      return template.containerSet!.containers.map(({ dependencies: _, ...member }) => withMounts(member, shared));
    }
    case "resource":
    case "data":
      return [executorMain(template, request)];
    default:
      throw new PodBuildError(`template "${template.name ?? ""}" has no container to run in a pod`);
  }
}

function withDefaults(container: PodContainer, { config }: PodRequest): PodContainer {
  if (!config.mainContainer) return container;
  const patch: Partial<Container> = container;
  return applyStrategicMergePatch<PodContainer>({ ...config.mainContainer, name: container.name }, patch, "Container");
}
