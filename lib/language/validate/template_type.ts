/** The outputs of template types. */
import type { Template } from "@tiphys/model/api";

/** Whether a template has a result and an exit code. */
export function hasOutput({ container, containerSet, script, data, http, plugin }: Template): boolean {
  return container !== undefined || script !== undefined || data !== undefined || http !== undefined ||
    plugin !== undefined || (containerSet?.containers.some(({ name }) => name === "main") ?? false);
}
