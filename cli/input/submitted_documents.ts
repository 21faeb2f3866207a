/** Documents with the flags of a submission applied. */
import type { Workflow } from "@tiphys/model/api";
import {
  applyToManifest,
  type ParameterValues,
  type SubmitOptions,
  type TemplateObject,
  unknownParameters,
  unknownParametersOfStarted,
} from "@tiphys/engine/workflow_actions";
import { escapeControls } from "../view/plain.ts";
import type { World } from "../world.ts";
import { type InputDocument, isOfArgo, objectOf } from "./input_documents.ts";

/** Applies the flags to the workflows among the documents. */
export function withOptions(documents: readonly InputDocument[], options: SubmitOptions): InputDocument[] {
  return documents.map((document) => {
    const object = objectOf(document);
    return isOfArgo(object, "Workflow") ? { ...document, value: applyToManifest(object, options) } : document;
  });
}

/**
 * Warns of each parameter of the flags that a workflow does not use.
 * @param documents the documents before the flags are applied.
 * @param stored the templates of the cluster that they refer to, in addition to the templates among the documents.
 */
export function warnOfUnknownNames(
  documents: readonly InputDocument[],
  stored: readonly TemplateObject[],
  options: SubmitOptions,
  world: World,
): void {
  if (!options.parameters?.size) return;
  const objects = documents.map(objectOf).filter((object) => isOfArgo(object));
  const templates = objects.filter((object) => !isOfArgo(object, "Workflow") && !isOfArgo(object, "CronWorkflow"));
  for (const object of objects) {
    if (!isOfArgo(object, "Workflow")) continue;
    // The documents are validated already.
    warnOfUnknownParameters(object as Workflow, [...templates as TemplateObject[], ...stored], options, world);
  }
}

/** Warns of each parameter of the flags that a started workflow does not use. */
export function warnOfUnknownToStarted(workflow: Workflow, parameters: ParameterValues, world: World): void {
  for (const warning of unknownParametersOfStarted(workflow, parameters.keys())) {
    world.err(`Warning: ${escapeControls(warning)}\n`);
  }
}

/** Warns of each parameter of the flags that a workflow does not use. The flags are not yet applied to `workflow`. */
export function warnOfUnknownParameters(
  workflow: Pick<Workflow, "spec">,
  templates: readonly TemplateObject[],
  { parameters }: SubmitOptions,
  world: World,
): void {
  for (const warning of unknownParameters(workflow, templates, parameters?.keys() ?? [])) {
    world.err(`Warning: ${escapeControls(warning)}\n`);
  }
}
