/** Values of parameters in ConfigMaps. */
import { LABEL } from "@tiphys/base/constants";
import { UserError } from "@tiphys/base/user_error";
import { isProblem, type Parameter } from "@tiphys/model/api";
import type { Slice } from "../slice.ts";

/**
 * Returns the value of a key in a ConfigMap of parameters.
 * @throws {UserError} if the ConfigMap or the key does not exist, or the ConfigMap cannot be read or lacks the label of
 * parameters.
 */
export function configMapValue(
  pass: Slice,
  reference: NonNullable<NonNullable<Parameter["valueFrom"]>["configMapKeyRef"]>,
): string {
  const { name = "", key } = reference;
  const configMap = pass.facts.configMap(name);
  if (!configMap) {
    throw new UserError(
      `ConfigMap '${name}' does not exist. Please make sure it has the label ${LABEL.configMapType}: Parameter to be detectable by the controller`,
    );
  }
  if (isProblem(configMap)) throw new UserError(configMap.message);
  if (configMap.metadata.labels?.[LABEL.configMapType] !== "Parameter") {
    throw new UserError(
      `ConfigMap '${name}' needs to have the label ${LABEL.configMapType}: Parameter to load parameters`,
    );
  }
  const { data = {} } = configMap;
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (value === undefined) throw new UserError(`ConfigMap '${name}' does not have the key '${key}'`);
  return value;
}
