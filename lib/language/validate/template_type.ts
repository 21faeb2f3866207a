/** The outputs of template types. */
import type { Template } from "@tiphys/model/api";
import { CONTAINER } from "@tiphys/base/constants";
import { TEMPLATE_TYPES, templateTypes, workContainers } from "@tiphys/model/templates";

/** Whether a template has a result and an exit code. */
export function hasOutput(template: Template): boolean {
  return templateTypes(template).some((type) => {
    const { result } = TEMPLATE_TYPES[type];
    return result === "main"
      ? workContainers(template).some(({ container }) => container.name === CONTAINER.main)
      : result;
  });
}
