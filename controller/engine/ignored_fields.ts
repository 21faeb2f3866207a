/** Fields that this version reads and does nothing about: a workflow that uses one is told so, once. */
import type { Template, WorkflowSpec } from "../../lib/api/mod.ts";
import { setCondition } from "./conditions.ts";
import type { Pass } from "./pass.ts";

const OF_WORKFLOWS = [
  "metrics",
  "artifactGC",
  "artifactRepositoryRef",
  "executorPlugins",
  "podDisruptionBudget",
] as const satisfies readonly (keyof WorkflowSpec)[];

const OF_TEMPLATES = ["memoize", "metrics"] as const satisfies readonly (keyof Template)[];

/** The paths of such fields in a spec, as a user would look for them. */
export function ignoredFields(spec: WorkflowSpec): string[] {
  return [
    ...OF_WORKFLOWS.filter((field) => isSet(spec[field])).map((field) => `spec.${field}`),
    ...(spec.templates ?? []).flatMap((template) =>
      OF_TEMPLATES.filter((field) => isSet(template[field])).map((field) => `templates.${template.name ?? ""}.${field}`)
    ),
  ];
}

/** Tells a workflow that starts by an event and a condition which of its fields have no effect. */
export function announceIgnoredFields(pass: Pass): void {
  const fields = ignoredFields(pass.spec);
  if (fields.length === 0) return;
  const message = `this version does nothing about ${fields.join(", ")}`;
  setCondition(pass, "SpecWarning", "True", message);
  pass.actions.push({ kind: "event", type: "Warning", reason: "FieldsIgnored", message });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
