/** Prints objects in the form of `-o`. */
import { escapeControls } from "./plain.ts";
import { Option } from "commander";
import { FLAG_GROUP } from "../help/help.ts";
import { badInput } from "../command_error.ts";
import { fillJsonPath, JsonPathError, parseTemplate } from "@tiphys/base/json_path";
import { stringifyYaml } from "@tiphys/model/yaml";
import type { World } from "../world.ts";

/** The forms of `-o`. JSONPath templates have kubectl's syntax. */
export type OutputForm = "name" | "json" | "yaml" | "wide" | "short" | `${typeof JSON_PATH}${string}`;

const JSON_PATH = "jsonpath=";

/** Returns the flag `-o` with the forms that a command supports. Other forms are rejected with Argo's message. */
export function outputOption(...forms: readonly OutputForm[]): Option {
  const hasPaths = forms.includes("json");
  return new Option("-o, --output <form>", hasPaths ? `output format, or ${JSON_PATH}TEMPLATE` : "output format")
    .choices(forms).helpGroup(FLAG_GROUP.output)
    .argParser((value) => {
      const form = forms.find((candidate) => candidate === value);
      if (form) return form;
      if (hasPaths && isJsonPath(value)) {
        refuseBadTemplate(value);
        return value;
      }
      const known = [...forms, ...hasPaths ? [`${JSON_PATH}TEMPLATE`] : []].join("|");
      throw badInput(`invalid argument ${JSON.stringify(value)} for "-o, --output" flag: One of: ${known}`);
    });
}

function isJsonPath(form: string | undefined): form is `${typeof JSON_PATH}${string}` {
  return form?.startsWith(JSON_PATH) === true;
}

/** @throws {CommandError} for a template that cannot be parsed. */
function refuseBadTemplate(form: string): void {
  const template = form.slice(JSON_PATH.length);
  if (template === "") throw badInput("-o jsonpath: expected a template, such as jsonpath={.metadata.name}");
  withFlagName(() => parseTemplate(template));
}

function fillForm(form: string, object: unknown): string {
  return withFlagName(() => fillJsonPath(form.slice(JSON_PATH.length), object));
}

/** Runs a function, and names the flag in its JSONPath errors. */
function withFlagName<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof JsonPathError ? badInput(`-o jsonpath: ${error.message}`) : error;
  }
}

/** An object with a name. */
interface NamedObject {
  readonly metadata: { readonly name?: string | undefined };
}

/**
 * Prints an object as its name, JSON, YAML or with a template. Returns false for other forms, which the command prints
 * itself.
 */
export function printObject(world: World, object: NamedObject, form: OutputForm | undefined): boolean {
  if (form === "name") world.out(`${escapeControls(object.metadata.name ?? "")}\n`);
  else if (form === "json") world.out(`${JSON.stringify(object, undefined, 4)}\n`);
  else if (form === "yaml") world.out(stringifyYaml(object));
  else if (isJsonPath(form)) world.out(fillForm(form, object));
  else return false;
  return true;
}

/** Prints a list of objects like {@link printObject}. A template finds it in `items`. */
export function printObjects(world: World, objects: readonly NamedObject[], form: OutputForm | undefined): boolean {
  return printList(world, objects, ({ metadata }) => metadata.name ?? "", form);
}

/** Prints a list of values that have names like {@link printObject}. */
export function printList<T>(
  world: World,
  list: readonly T[],
  nameOf: (item: T) => string,
  form: OutputForm | undefined,
): boolean {
  if (form === "name") world.out(list.map((item) => `${nameOf(item)}\n`).join(""));
  else if (form === "json") world.out(`${JSON.stringify(list, undefined, 2)}\n`);
  // Like `argo`, ends with an empty line, which scripts may expect.
  else if (form === "yaml") world.out(`${stringifyYaml(list)}\n`);
  else if (isJsonPath(form)) world.out(fillForm(form, { items: list }));
  else return false;
  return true;
}
