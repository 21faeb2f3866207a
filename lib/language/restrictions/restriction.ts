/** A restriction of workflows in words: what is refused, and which fields an administrator opened. */
import { structureOf, WorkflowSpec } from "@tiphys/model/api";
import { permittedSpec } from "./permitted_spec.ts";

/** A restriction, as far as it can be said without the template. */
export interface Restriction {
  readonly templateReferencing: "Strict" | "Secure";
  /** Fields of a specification that may be set all the same, by their names in workflows. */
  readonly opened?: ReadonlySet<string> | undefined;
}

/** The refusal of a workflow that refers to no template: Argo's words, users and tools know them. */
export const NO_REFERENCE =
  "workflows must use workflowTemplateRef to be executed when the controller is in reference mode";

/** The refusal of fields, named and sorted as Argo does: Argo's words. */
export function notPermitted(fields: readonly string[]): string {
  return `fields [${
    fields.join(" ")
  }] are not permitted when using workflowTemplateRef with templateReferencing restriction`;
}

/** The reason why a workflow with this specification of its own ends with an error; undefined where it may run. */
export function refusalOf(own: WorkflowSpec, restriction: Restriction): string | undefined {
  if (!own.workflowTemplateRef) return NO_REFERENCE;
  const { refused } = permittedSpec(own, restriction.opened);
  return refused.length > 0 ? notPermitted(refused) : undefined;
}

/**
 * Reads the names of opened fields, as `WORKFLOW_USER_OVERRIDE_ALLOWLIST` has them: separated by commas.
 * @throws {Error} for a name that no field of a specification has.
 */
export function readOpenedOverrides(found: string): ReadonlySet<string> {
  const structure = structureOf(WorkflowSpec);
  const known = structure.kind === "object" ? structure.shape : {};
  const names = found.split(",").map((name) => name.trim()).filter((name) => name !== "");
  for (const name of names) {
    if (!Object.hasOwn(known, name)) throw new Error(`${JSON.stringify(name)} is not a WorkflowSpec field name`);
  }
  return new Set(names);
}
