import type { Parameter, ValueFrom } from "@tiphys/model/api";
import { type OutputSource, TEMPLATE_TYPES, type TemplateType } from "@tiphys/model/templates";
import type { FieldLocation, Report } from "./report.ts";

/** The fields for each source, of which a parameter sets one, with their words in messages. */
const SOURCES: Readonly<
  Record<OutputSource, { readonly fields: readonly (keyof ValueFrom)[]; readonly words: string } | undefined>
> = {
  file: { fields: ["path"], words: ".path" },
  object: { fields: ["jqFilter", "jsonPath"], words: " .jqFilter or jsonPath" },
  node: { fields: ["parameter", "expression"], words: ".parameter or expression" },
  any: undefined,
};

/** Checks that an output parameter has exactly one source, and one that its template provides. */
export function checkOutputParameter(
  report: Report,
  parameter: Parameter,
  type: TemplateType,
  fieldPath: FieldLocation,
): void {
  const { value, valueFrom } = parameter;
  if (value !== undefined) {
    if (valueFrom) {
      report.add(fieldPath.pathTo(), `${fieldPath.name} has both valueFrom and value specified, choose one`);
    }
    return;
  }
  if (!valueFrom) return report.add(fieldPath.pathTo(), `${fieldPath.name} does not have valueFrom or value specified`);
  const sources = sourceCount(valueFrom);
  if (sources === 0) {
    const choice = "choose one of: path, jqFilter, jsonPath, parameter, raw, expression";
    return report.add(fieldPath.pathTo("valueFrom"), `${fieldPath.name} valueFrom type unspecified. ${choice}`);
  }
  if (sources > 1) {
    const choice = "choose one of: path, jqFilter, jsonPath, parameter, raw";
    return report.add(fieldPath.pathTo("valueFrom"), `${fieldPath.name} multiple valueFrom types specified. ${choice}`);
  }
  const { title, outputs } = TEMPLATE_TYPES[type];
  const needed = SOURCES[outputs];
  if (needed && !needed.fields.some((field) => valueFrom[field])) {
    report.add(
      fieldPath.pathTo("valueFrom"),
      `${fieldPath.name}${needed.words} must be specified for ${title} templates`,
    );
  }
}

function sourceCount({ path, jqFilter, jsonPath, parameter, expression, supplied }: ValueFrom): number {
  return [path, jqFilter, jsonPath, parameter, expression, supplied].filter(Boolean).length;
}
