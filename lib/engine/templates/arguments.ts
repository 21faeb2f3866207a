import { UserError } from "@tiphys/base/user_error";
import type { Arguments, Template } from "@tiphys/model/api";
import { planOf, processArguments, replaceTags, TemplateError } from "@tiphys/language/template";
import type { Slice } from "../slice.ts";
import { configMapValue } from "../spec/config_map_value.ts";
import { passOver } from "../user_error.ts";
import { GLOBAL_OUTPUTS, NOT_EXPORTED } from "./reference_fate.ts";

/**
 * A template with its inputs taken from arguments, ConfigMaps and defaults, and all tags filled in that can be.
 * @throws {UserError} when an input was not supplied.
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
    open: pass.draft.openGlobals,
    configMapValue: (reference) => configMapValue(pass, reference),
  });
}

/**
 * Checks that a template which is about to run refers only to global outputs that have a value.
 * @throws {UserError} naming the first output that has none.
 */
export function checkGlobalOutputs(pass: Slice, template: Template): void {
  if (planOf(template) === undefined) return;
  try {
    replaceTags(template, pass.draft.globals, { kind: "strict", prefixes: [GLOBAL_OUTPUTS] });
  } catch (error) {
    passOver(error);
    const missing = error instanceof TemplateError ? error.missing : undefined;
    if (missing === undefined) return;
    throw new UserError(`failed to resolve {{${missing}}}: ${NOT_EXPORTED}`, { cause: error });
  }
}
