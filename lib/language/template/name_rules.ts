/** Rules for names that users choose, and the messages for names that break them. */
import { byteLength } from "@tiphys/base/go/text";
import { PLACEHOLDERS } from "./scope.ts";

const STEP_NAME = /^[a-zA-Z0-9][-a-zA-Z0-9]*$/;
const PARAMETER_NAME = /^[-a-zA-Z0-9_]+$/;
const TAG = /\{\{[-a-zA-Z0-9]+(\.[-a-zA-Z0-9_]+)*\}\}/;
const DISPLAY_NAME = /^[a-zA-Z0-9][a-zA-Z0-9\-.]{0,61}[a-zA-Z0-9]$/;
const MAX_FIELD_NAME = 128;

const STEP_NAME_RULE =
  "name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character " +
  "(e.g. My-name1-2, 123-NAME)";
const PARAMETER_NAME_RULE =
  "Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1";

/** Returns the errors of a template name; empty when it is valid. */
export function workflowFieldNameErrors(name: string): string[] {
  const errors = byteLength(name) > MAX_FIELD_NAME ? [`must be no more than ${MAX_FIELD_NAME} characters`] : [];
  return STEP_NAME.test(name) ? errors : [...errors, STEP_NAME_RULE];
}

/**
 * Returns the errors of a step name; empty when it is valid. Placeholders are accepted, because their values are not
 * known.
 */
export function stepNameErrors(name: string): string[] {
  return workflowFieldNameErrors(name.replaceAll(PLACEHOLDERS, "x"));
}

/** Returns the errors of a parameter or artifact name; empty when it is valid. */
export function parameterNameErrors(name: string): string[] {
  return PARAMETER_NAME.test(name) ? [] : [PARAMETER_NAME_RULE];
}

/** Reports whether a text contains a simple tag, so that its final value is not known yet. */
export function containsTag(text: string): boolean {
  return TAG.test(text);
}

/** Reports whether a text is a valid display name of a node. */
export function isDisplayName(text: string): boolean {
  return DISPLAY_NAME.test(text);
}

/** Reports whether a text is a valid key of a memoization entry. */
export function isMemoKey(text: string): boolean {
  return STEP_NAME.test(text);
}
