/** Objects in the form that `-o` asks for. */
import { plain } from "./plain.ts";
import { Option } from "commander";
import { FLAG_GROUP } from "../help/help.ts";
import { badInput } from "../command_error.ts";
import { fillJsonPath, JsonPathError, parseTemplate } from "@tiphys/base/json_path";
import { stringifyYaml } from "@tiphys/model/yaml";
import type { World } from "../world.ts";

/** The forms of `-o`; JSONPath templates are those of kubectl. */
export type OutputForm = "name" | "json" | "yaml" | "wide" | "short" | `${typeof JSON_PATH}${string}`;

const JSON_PATH = "jsonpath=";

/** The flag, with the forms that a command knows. Another one is refused with Argo's message. */
export function outputOption(...forms: readonly OutputForm[]): Option {
  const hasPaths = forms.includes("json");
  return new Option("-o, --output <form>", hasPaths ? `output format, or ${JSON_PATH}TEMPLATE` : "output format")
    .choices(forms).helpGroup(FLAG_GROUP.output)
    .argParser((given) => {
      const form = forms.find((known) => known === given);
      if (form) return form;
      if (hasPaths && isJsonPath(given)) {
        refuseBadTemplate(given);
        return given;
      }
      throw badInput(`invalid argument ${JSON.stringify(given)} for "-o, --output" flag: One of: ${forms.join("|")}`);
    });
}

function isJsonPath(form: string | undefined): form is `${typeof JSON_PATH}${string}` {
  return form?.startsWith(JSON_PATH) === true;
}

/** @throws {CommandError} for a template that cannot be parsed. */
function refuseBadTemplate(form: string): void {
  inWords(() => parseTemplate(form.slice(JSON_PATH.length)));
}

function filled(form: string, object: unknown): string {
  return inWords(() => fillJsonPath(form.slice(JSON_PATH.length), object));
}

function inWords<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof JsonPathError ? badInput(`-o jsonpath: ${error.message}`) : error;
  }
}

interface Named {
  readonly metadata: { readonly name?: string | undefined };
}

/** Prints an object as its name, JSON, YAML or the text of a template. False for other forms, which are the command's own. */
export function printObject(world: World, object: Named, form: OutputForm | undefined): boolean {
  if (form === "name") world.out(`${plain(object.metadata.name ?? "")}\n`);
  else if (form === "json") world.out(`${JSON.stringify(object, undefined, 4)}\n`);
  else if (form === "yaml") world.out(stringifyYaml(object));
  else if (isJsonPath(form)) world.out(filled(form, object));
  else return false;
  return true;
}

/** Prints a list in the same way; a template finds it in `items`. */
export function printObjects(world: World, objects: readonly Named[], form: OutputForm | undefined): boolean {
  return printList(world, objects, ({ metadata }) => metadata.name ?? "", form);
}

/** Prints a list of anything that has a name in the same way. */
export function printList<T>(
  world: World,
  list: readonly T[],
  nameOf: (one: T) => string,
  form: OutputForm | undefined,
): boolean {
  if (form === "name") world.out(list.map((one) => `${nameOf(one)}\n`).join(""));
  else if (form === "json") world.out(`${JSON.stringify(list, undefined, 2)}\n`);
  // Scripts that take the output of `argo` apart know the empty line.
  else if (form === "yaml") world.out(`${stringifyYaml(list)}\n`);
  else if (isJsonPath(form)) world.out(filled(form, { items: list }));
  else return false;
  return true;
}
