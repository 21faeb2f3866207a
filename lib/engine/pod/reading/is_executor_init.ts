/**
 * Detection of the executor's init container in a pod. In the init-less layout, one of its name belongs to the user.
 */
import type { Pod } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { isInitless } from "./is_initless.ts";

/** Whether a container of this name is the executor's init container. */
export function isExecutorInit(name: string, pod: Pod): boolean {
  return name === CONTAINER.init && !isInitless(pod);
}
