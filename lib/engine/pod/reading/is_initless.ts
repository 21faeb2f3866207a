/** The init-less layout as it is seen in a pod. */
import type { Pod } from "@tiphys/model/api";
import { VOLUME } from "@tiphys/base/constants";

/** Whether a pod has the init-less layout: its executor comes from an image volume, so it is one of this project. */
export function isInitless({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ name, image }) => name === VOLUME.argoexecBin && image !== undefined) === true;
}
