/** Checks names in lists: present, valid and unique. */
import { parameterNameErrors, workflowFieldNameErrors } from "../template/name_rules.ts";
import type { FieldLocation, Report } from "./report.ts";

/** The rule for names: of templates and containers, or of parameters and artifacts. */
export type NameRule = "template" | "parameter";

/** Checks the names of a list at a place; messages use the place's name. */
export function checkNames(
  report: Report,
  list: readonly { readonly name?: string }[],
  rule: NameRule,
  fieldPath: FieldLocation,
): void {
  const seen = new Set<string>();
  list.forEach(({ name }, index) => {
    const path = fieldPath.pathTo(index, "name");
    if (!name) return report.add(path, `${fieldPath.name}[${index}].name is required`);
    const errors = rule === "template" ? workflowFieldNameErrors(name) : parameterNameErrors(name);
    if (errors.length > 0) {
      return report.add(path, `${fieldPath.name}[${index}].name: '${name}' is invalid: ${errors.join(";")}`);
    }
    if (seen.has(name)) report.add(path, `${fieldPath.name}[${index}].name '${name}' is not unique`);
    seen.add(name);
  });
}
