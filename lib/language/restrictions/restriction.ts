/** Restrictions and their error messages. */
import { structureOf, WorkflowSpec } from "@tiphys/model/api";
import { permittedSpec } from "./permitted_spec.ts";

/** A restriction, without the template. */
export interface Restriction {
  readonly templateReferencing: "Strict" | "Secure";
  /** Fields of a spec that may be set nevertheless. */
  readonly opened?: ReadonlySet<string> | undefined;
}

/** Argo's error message for a workflow without a template reference. */
export const NO_REFERENCE =
  "workflows must use workflowTemplateRef to be executed when the controller is in reference mode";

/** Argo's error message for rejected fields, named and sorted as in Argo. */
export function notPermitted(fields: readonly string[]): string {
  return `fields [${
    fields.join(" ")
  }] are not permitted when using workflowTemplateRef with templateReferencing restriction`;
}

/** Returns the reason why a workflow with this spec is rejected; undefined if it may run. */
export function rejectionReason(own: WorkflowSpec, restriction: Restriction): string | undefined {
  if (!own.workflowTemplateRef) return NO_REFERENCE;
  const { refused } = permittedSpec(own, restriction.opened);
  return refused.length > 0 ? notPermitted(refused) : undefined;
}

/**
 * Parses `WORKFLOW_USER_OVERRIDE_ALLOWLIST`: names of fields, separated by commas.
 * @throws {Error} for a name that is not a field of a spec.
 */
export function parseOverrideAllowlist(text: string): ReadonlySet<string> {
  const structure = structureOf(WorkflowSpec);
  const known = structure.kind === "object" ? structure.shape : {};
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  for (const name of names) {
    if (!Object.hasOwn(known, name)) throw new Error(`${JSON.stringify(name)} is not a WorkflowSpec field name`);
  }
  return new Set(names);
}
