/** The pod of one container as it is seen: nobody in it reports. */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER, ENV } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";

/**
 * Whether a pod was made without anybody who reports: what the kubelet says of it is all there is to know, and a report in
 * the name of its node is somebody else's. Nobody can change that of a pod that is made.
 */
export function isSingleContainer({ spec }: Pod): boolean {
  const containers = spec?.containers ?? [];
  const main = containers.find(({ name }) => name === CONTAINER.main);
  return main?.env?.some(({ name, value }) => name === ENV.singleContainer && value === "true") === true &&
    !containers.some(({ name }) => isAux(name));
}
