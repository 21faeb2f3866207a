/** Outputs of suspend templates: values that a person supplies, and values that the template declares. */
import type { Parameter, Template } from "../api/mod.ts";

/**
 * The outputs of a template that a person supplies, as a node waits with them; without a default of its own one takes that
 * of the input of the same name.
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

/** The outputs of a suspend template whose value the template declares: nobody has to supply those. */
export function declaredOutputs(template: Pick<Template, "outputs">): Parameter[] {
  return (template.outputs?.parameters ?? []).flatMap((parameter) => {
    const { value, valueFrom, ...rest } = parameter;
    if (valueFrom?.supplied) return [];
    const declared = value ?? valueFrom?.default;
    return declared === undefined ? [] : [{ ...rest, value: declared }];
  });
}
