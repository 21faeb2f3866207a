/** The tasks of the thread: functions of JSON values that return JSON values. */
import { jsonBody, messageBody } from "./body_value.ts";
import { kindErrors } from "./kind_errors.ts";
import { kindObject } from "./kind_object.ts";
import { unknownFieldsOf } from "./unknown_fields.ts";
import { lintErrors } from "./lint_errors.ts";
import { patchedObject } from "./patched_object.ts";
import { yamlValue } from "./yaml_value.ts";

/** The tasks by name. */
export const TASKS = {
  jsonBody,
  kindErrors,
  kindObject,
  lintErrors,
  messageBody,
  patchedObject,
  unknownFieldsOf,
  yamlValue,
};

/** The name of a task. */
export type TaskName = keyof typeof TASKS;
/** The input of a task. */
export type TaskInput<Name extends TaskName> = Parameters<typeof TASKS[Name]>[0];
/** The result of a task. */
export type TaskResult<Name extends TaskName> = ReturnType<typeof TASKS[Name]>;
