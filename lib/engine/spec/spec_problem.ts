/** The check of a spec before it begins: once for all workflows that say the same. */
import { TextCache } from "@tiphys/base/text_cache";
import { templatesBesideReference, validateWorkflow } from "@tiphys/language/validate";
import type { Slice } from "../slice.ts";
import { messageOf } from "../user_error.ts";

/** The texts of all that a check reads of workflows in which nothing was found and nothing else was looked up. */
const faultless = new TextCache<true>({ entries: 256, size: 1_000_000 });
/** A longer spec is hardly ever that of another workflow too. */
const MOST_CHARACTERS = 50_000;

/**
 * The first problem of the spec, in words; undefined when it has none. A spec on which the checks cannot come to an end
 * has a problem, too.
 */
export function specProblem(pass: Slice): string | undefined {
  const { workflow, spec } = pass.draft;
  // The spec that runs has both, merged.
  const beside = templatesBesideReference(workflow.spec);
  if (beside) return beside;
  try {
    const text = textOf(pass);
    if (faultless.get(text)) return undefined;
    let isAlone = true;
    const lookup = {
      workflowTemplate(name: string) {
        isAlone = false;
        return pass.facts.workflowTemplate(name);
      },
      clusterWorkflowTemplate(name: string) {
        isAlone = false;
        return pass.facts.clusterWorkflowTemplate(name);
      },
    };
    const problem = validateWorkflow({ ...workflow, spec }, lookup)[0]?.message;
    if (problem === undefined && isAlone && text.length <= MOST_CHARACTERS) faultless.set(text, true);
    return problem;
  } catch (error) {
    return messageOf(error);
  }
}

/** All that the check reads but for what it looks up: two workflows of the same text have the same problems. */
function textOf({ draft: { workflow: { metadata, status }, spec }, facts: { config } }: Slice): string {
  const { name = "", labels = {}, annotations = {} } = metadata;
  const isMerged = status?.storedWorkflowTemplateSpec !== undefined;
  const settings = [config.expressionTags ?? null, config.tagsInValues ?? null];
  return JSON.stringify([name.length, Object.keys(labels), Object.keys(annotations), isMerged, settings, spec]);
}
