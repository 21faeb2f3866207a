/** The executor's init container as it is seen in a pod: in the init-less layout one of its name is the user's. */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { isInitless } from "./is_initless.ts";

/** Whether a container of this name is the executor's init container. */
export function isExecutorInit(name: string, pod: Pod): boolean {
  return name === CONTAINER.init && !isInitless(pod);
}
