/** Detection of a single-container pod, which creates no task result. */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER, ENV } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";

/**
 * Whether a pod was created as a single-container pod: its status from the kubelet is the only information about it,
 * and a task result of its node has another origin. The containers and variables of an existing pod cannot be changed.
 */
export function isSingleContainer({ spec }: Pod): boolean {
  const containers = spec?.containers ?? [];
  const main = containers.find(({ name }) => name === CONTAINER.main);
  return main?.env?.some(({ name, value }) => name === ENV.singleContainer && value === "true") === true &&
    !containers.some(({ name }) => isAux(name));
}
