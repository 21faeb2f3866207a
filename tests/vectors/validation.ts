/** Checkers of the vectors of validation before a workflow starts. */
import { assertEquals } from "@std/assert";
import { parseWorkflow } from "@tiphys/model/api";
import { isClosed } from "../../lib/language/template/tags.ts";
import { Scope } from "../../lib/language/validate/scope.ts";
import { unresolvedTags } from "../../lib/language/validate/tags.ts";
import { validateWorkflow } from "../../lib/language/validate/workflow.ts";
import type { Check, Vector } from "./vector.ts";

function acceptsWorkflow({ workflow }: Vector): boolean {
  const parsed = parseWorkflow(workflow, "lenient");
  const nowhere = { workflowTemplate: () => undefined, clusterWorkflowTemplate: () => undefined };
  return parsed.ok && validateWorkflow(parsed.value, nowhere).length === 0;
}

function acceptsTags({ template = "", scope: names = [], magic = [], workflowTemplate }: Vector): boolean {
  const scope = new Scope();
  scope.add(...names);
  for (const name of magic) scope.allow(name.replace(/\*$/, ""));
  if (workflowTemplate) scope.allow("workflow.parameters");
  return isClosed(template) && unresolvedTags(template, scope).length === 0;
}

export const VALIDATION: Readonly<Record<string, Check>> = {
  validate: (vector) => assertEquals(acceptsWorkflow(vector), vector.ok === true, vector.error),
  validatetags: (vector) => assertEquals(acceptsTags(vector), vector.ok === true, vector.error),
};
