import type { Parameter, ValueFrom } from "@tiphys/model/api";
import { type TemplateType, typeTitle } from "@tiphys/model/status";
import type { Place, Report } from "./report.ts";

/** Checks that an output parameter has exactly one source, and one that its template provides. */
export function checkOutputParameter(report: Report, parameter: Parameter, type: TemplateType, place: Place): void {
  const { value, valueFrom } = parameter;
  if (value !== undefined) {
    if (valueFrom) report.add(place.at(), `${place.name} has both valueFrom and value specified, choose one`);
    return;
  }
  if (!valueFrom) return report.add(place.at(), `${place.name} does not have valueFrom or value specified`);
  const sources = sourcesOf(valueFrom);
  if (sources === 0) {
    const choice = "choose one of: path, jqFilter, jsonPath, parameter, raw, expression";
    return report.add(place.at("valueFrom"), `${place.name} valueFrom type unspecified. ${choice}`);
  }
  if (sources > 1) {
    const choice = "choose one of: path, jqFilter, jsonPath, parameter, raw";
    return report.add(place.at("valueFrom"), `${place.name} multiple valueFrom types specified. ${choice}`);
  }
  const needed = neededSource(valueFrom, type);
  if (needed !== undefined) {
    report.add(place.at("valueFrom"), `${place.name}${needed} must be specified for ${typeTitle(type)} templates`);
  }
}

function sourcesOf({ path, jqFilter, jsonPath, parameter, expression, supplied }: ValueFrom): number {
  return [path, jqFilter, jsonPath, parameter, expression, supplied].filter(Boolean).length;
}

/** Returns the source that a template of this type provides, if the parameter uses another one. */
function neededSource(valueFrom: ValueFrom, type: TemplateType): string | undefined {
  switch (type) {
    case "container":
    case "containerSet":
    case "script":
      return valueFrom.path ? undefined : ".path";
    case "resource":
      return valueFrom.jqFilter || valueFrom.jsonPath ? undefined : " .jqFilter or jsonPath";
    case "steps":
    case "dag":
      return valueFrom.parameter || valueFrom.expression ? undefined : ".parameter or expression";
    default:
      return undefined;
  }
}
