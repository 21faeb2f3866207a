/** `tiphys convert`: prints manifests with deprecated fields replaced by their current form. */
import { Command } from "commander";
import type { Json } from "@tiphys/model/api";
import { stringifyYaml } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import { readDocuments } from "../input/input_documents.ts";
import { manifestFiles } from "../input/manifest_files.ts";
import { withPluralFields } from "../input/plural_fields.ts";
import { outputOption } from "../view/print_object.ts";
import type { World } from "../world.ts";

/** Creates the command `convert`. */
export function convertCommand(world: World): Command {
  return new Command("convert")
    .argument("<files...>", "manifests or folders of them; - is the standard input")
    .addOption(outputOption("json", "yaml"))
    .addHelpText("after", "\nWithout -o, JSON files stay JSON. Objects of other kinds are printed unchanged.")
    .action(async (names: string[], { output }: { output?: "json" | "yaml" }) => {
      const documents = await readDocuments((await manifestFiles(names)).files, world, "all");
      for (const { file, source: { errors: [error] } } of documents) {
        if (error) throw badInput(`${file}:${error.line}: ${error.message}`);
      }
      for (const { file, value } of documents) {
        if (value === null) continue;
        const converted = withPluralFields(value as Json);
        const form = output ?? (file.endsWith(".json") ? "json" : "yaml");
        world.out(form === "json" ? `${JSON.stringify(converted)}\n` : `---\n${stringifyYaml(converted)}`);
      }
    });
}
