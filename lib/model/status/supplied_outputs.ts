/** Outputs of suspend templates: values that a user supplies, and values that the template declares. */
import type { Parameter, Template } from "../api/mod.ts";

/**
 * Returns the outputs that a user supplies, as in a waiting node. One without a default has that of the input with the
 * same name.
 */
export function suppliedOutputs(template: Pick<Template, "inputs" | "outputs">): Parameter[] {
  return (template.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied).map((parameter) => {
    if (parameter.valueFrom!.default !== undefined) return parameter;
    const input = template.inputs?.parameters?.find(({ name }) => name === parameter.name);
    return input?.default === undefined
      ? parameter
      : { ...parameter, valueFrom: { ...parameter.valueFrom, default: input.default } };
  });
}

/** Returns the outputs of a suspend template whose values are declared, so that they need not be supplied. */
export function declaredOutputs(template: Pick<Template, "outputs">): Parameter[] {
  return (template.outputs?.parameters ?? []).flatMap((parameter) => {
    const { value, valueFrom, ...rest } = parameter;
    if (valueFrom?.supplied) return [];
    const declared = value ?? valueFrom?.default;
    return declared === undefined ? [] : [{ ...rest, value: declared }];
  });
}
