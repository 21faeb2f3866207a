import { UserError } from "@tiphys/base/user_error";
import type { Arguments, Template } from "@tiphys/model/api";
import { planOf, processArguments, replaceTags, TemplateError } from "@tiphys/language/template";
import type { Slice } from "../slice.ts";
import { configMapValue } from "../spec/config_map_value.ts";
import { ignoreUserError } from "../user_error.ts";
import { GLOBAL_OUTPUTS_PREFIX, NOT_EXPORTED } from "./reference_outcome.ts";

/**
 * Returns a template with its inputs set from arguments, ConfigMaps and defaults, and with all known tags substituted.
 * @throws {UserError} if an input is missing.
 */
export function fillArguments(
  pass: Slice,
  template: Template,
  args: Arguments | undefined,
  local: ReadonlyMap<string, string>,
): Template {
  return processArguments(template, args ?? {}, {
    globals: pass.draft.globals,
    locals: local,
    open: pass.draft.globalsWithTags,
    configMapValue: (reference) => configMapValue(pass, reference),
  });
}

/**
 * Checks that a template, before it starts, refers only to global outputs with a value.
 * @throws {UserError} for the first output without a value, which it names.
 */
export function checkGlobalOutputs(pass: Slice, template: Template): void {
  if (planOf(template) === undefined) return;
  try {
    replaceTags(template, pass.draft.globals, { kind: "strict", prefixes: [GLOBAL_OUTPUTS_PREFIX] });
  } catch (error) {
    ignoreUserError(error);
    const missing = error instanceof TemplateError ? error.missingName : undefined;
    if (missing === undefined) return;
    throw new UserError(`failed to resolve {{${missing}}}: ${NOT_EXPORTED}`, { cause: error });
  }
}
