/** Rules of names that users give to things, and the sentences they get when a name is against them. */
import { byteLength } from "../go/text.ts";
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

/** Complaints about the name of a template; none when it is fine. */
export function workflowFieldNameErrors(name: string): string[] {
  const errors = byteLength(name) > MAX_FIELD_NAME ? [`must be no more than ${MAX_FIELD_NAME} characters`] : [];
  return STEP_NAME.test(name) ? errors : [...errors, STEP_NAME_RULE];
}

/** Complaints about the name of a step; none when it is fine. What a placeholder stands for is not known yet. */
export function stepNameErrors(name: string): string[] {
  return workflowFieldNameErrors(name.replaceAll(PLACEHOLDERS, "x"));
}

/** Complaints about the name of a parameter or artifact; none when it is fine. */
export function parameterNameErrors(name: string): string[] {
  return PARAMETER_NAME.test(name) ? [] : [PARAMETER_NAME_RULE];
}

/** Says whether a text holds a simple tag, and so takes its shape only later. */
export function holdsTag(text: string): boolean {
  return TAG.test(text);
}

/** Says whether a text may be a node's display name. */
export function isDisplayName(text: string): boolean {
  return DISPLAY_NAME.test(text);
}

/** Says whether a text may be the key of a memoization entry. */
export function isMemoKey(text: string): boolean {
  return STEP_NAME.test(text);
}
