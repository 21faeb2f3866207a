/** Objects in the form that `-o` asks for. */
import { plain } from "./plain.ts";
import { Option } from "commander";
import { FLAG_GROUP } from "../help/help.ts";
import { badInput } from "../command_error.ts";
import { stringifyYaml } from "../../lib/yaml/mod.ts";
import type { World } from "../world.ts";

/** The forms that all commands with `-o` know. */
export type OutputForm = "name" | "json" | "yaml" | "wide" | "short";

/** The flag, with the forms that a command knows; another one is refused in the words of `argo`. */
export function outputOption(...forms: readonly OutputForm[]): Option {
  return new Option("-o, --output <form>", "output format").choices(forms).helpGroup(FLAG_GROUP.output)
    .argParser((given) => {
      const form = forms.find((known) => known === given);
      if (form) return form;
      throw badInput(`invalid argument ${JSON.stringify(given)} for "-o, --output" flag: One of: ${forms.join("|")}`);
    });
}

interface Named {
  readonly metadata: { readonly name?: string | undefined };
}

/** Prints an object as its name, JSON or YAML. False for other forms, which are the command's own. */
export function printObject(world: World, object: Named, form: OutputForm | undefined): boolean {
  if (form === "name") world.out(`${plain(object.metadata.name ?? "")}\n`);
  else if (form === "json") world.out(`${JSON.stringify(object, undefined, 4)}\n`);
  else if (form === "yaml") world.out(stringifyYaml(object));
  else return false;
  return true;
}

/** Prints a list in the same way. */
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
  else return false;
  return true;
}
