import type { Arguments, Parameter, Template } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { processArguments } from "../../lib/template/mod.ts";
import type { Pass } from "./pass.ts";

/**
 * A template with its inputs taken from arguments, ConfigMaps and defaults, and all tags filled in that can be.
 * @throws {Error} when an input was not supplied.
 */
export function fillArguments(
  pass: Pass,
  template: Template,
  args: Arguments | undefined,
  local: ReadonlyMap<string, string>,
): Template {
  return processArguments(template, args ?? {}, {
    globals: pass.globals,
    locals: local,
    configMapValue: (reference) => configMapValue(pass, reference),
  });
}

/**
 * The value of a key of a ConfigMap of parameters.
 * @throws {Error} when the ConfigMap or the key is not there, or the ConfigMap is not labelled as one of parameters.
 */
export function configMapValue(
  pass: Pass,
  reference: NonNullable<NonNullable<Parameter["valueFrom"]>["configMapKeyRef"]>,
): string {
  const { name = "", key } = reference;
  const configMap = pass.observed.configMap(name);
  const fullName = `${pass.workflow.metadata.namespace}/${name}`;
  if (!configMap) {
    throw new Error(
      `ConfigMap '${name}' does not exist. Please make sure it has the label ${LABEL.configMapType}: Parameter to be detectable by the controller`,
    );
  }
  if (configMap.metadata.labels?.[LABEL.configMapType] !== "Parameter") {
    throw new Error(
      `ConfigMap '${fullName}' needs to have the label ${LABEL.configMapType}: Parameter to load parameters`,
    );
  }
  const value = configMap.data?.[key];
  if (value === undefined) throw new Error(`ConfigMap '${fullName}' does not have the key '${key}'`);
  return value;
}
