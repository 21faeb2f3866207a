/** Detection of the init-less layout in a pod. */
import type { Pod } from "@tiphys/model/api";
import { VOLUME } from "@tiphys/base/constants";

/**
 * Whether a pod has the init-less layout: its executor comes from an image volume, so it is this project's executor.
 */
export function isInitless({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ name, image }) => name === VOLUME.argoexecBin && image !== undefined) === true;
}
