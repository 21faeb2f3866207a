/** Validation of a spec before it runs: once for all workflows with the same spec. */
import { TextCache } from "@tiphys/base/text_cache";
import { templatesBesideReference, validateWorkflow } from "@tiphys/language/validate";
import type { Slice } from "../slice.ts";
import { userErrorMessage } from "../user_error.ts";

/** The inputs (`textOf`) of validations that found no problem and read no other template object. */
const validInputs = new TextCache<true>({ entries: 256, size: 1_000_000 });
/** Longer inputs are not cached: two workflows hardly ever share them. */
const MAX_CACHED_CHARACTERS = 50_000;

/**
 * Returns the message of the spec's first problem, or undefined if the spec is valid. A spec whose validation exceeds a
 * limit is invalid, too.
 */
export function specProblem(pass: Slice): string | undefined {
  const { workflow, spec } = pass.draft;
  // Checked on the workflow itself: the spec that runs has the templates of both, merged.
  const conflict = templatesBesideReference(workflow.spec);
  if (conflict) return conflict;
  try {
    const text = validationInput(pass);
    if (validInputs.get(text)) return undefined;
    let isSelfContained = true;
    const lookup = {
      workflowTemplate(name: string) {
        isSelfContained = false;
        return pass.facts.workflowTemplate(name);
      },
      clusterWorkflowTemplate(name: string) {
        isSelfContained = false;
        return pass.facts.clusterWorkflowTemplate(name);
      },
    };
    const problem = validateWorkflow({ ...workflow, spec }, lookup)[0]?.message;
    if (problem === undefined && isSelfContained && text.length <= MAX_CACHED_CHARACTERS) validInputs.set(text, true);
    return problem;
  } catch (error) {
    return userErrorMessage(error);
  }
}

/**
 * Everything that validation reads apart from other objects: two workflows with the same text have the same problems.
 */
function validationInput({ draft: { workflow: { metadata, status }, spec }, facts: { config } }: Slice): string {
  const { name = "", labels = {}, annotations = {} } = metadata;
  const isMerged = status?.storedWorkflowTemplateSpec !== undefined;
  const settings = [config.expressionTags ?? null, config.tagsInValues ?? null];
  return JSON.stringify([name.length, Object.keys(labels), Object.keys(annotations), isMerged, settings, spec]);
}
