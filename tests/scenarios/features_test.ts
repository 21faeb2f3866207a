/** Every feature of the engine has a scenario. */
import { assertEquals } from "@std/assert";
import { parseYaml } from "@tiphys/model/yaml";
import { allFields, features, featuresOf, fieldsElsewhere } from "./features.ts";

const FOLDER = new URL("testdata/", import.meta.url);

Deno.test("features: every field that the engine implements, and each value of its enumerations, is used by a scenario", () => {
  const used = new Set([...Deno.readDirSync(FOLDER)].flatMap(({ name }) => {
    const text = Deno.readTextFileSync(new URL(name, FOLDER));
    return specsOf(text).flatMap(featuresOf);
  }));
  assertEquals(features().filter((feature) => !used.has(feature)), []);
});

Deno.test("features: an exception is an existing field that is listed once", () => {
  const elsewhere = fieldsElsewhere();
  assertEquals(elsewhere.filter((field, index) => elsewhere.indexOf(field) !== index), []);
  assertEquals(elsewhere.filter((field) => !allFields().includes(field)), []);
});

/** The specs in a scenario: of the objects that it creates, and of patches of the workflow. */
function specsOf(text: string): unknown[] {
  const made = [...text.matchAll(/^workflow\n(.*?)\n----$/gms)].flatMap(([, yaml = ""]) =>
    parseYaml(yaml).map(({ value }) => (value as { spec?: unknown }).spec)
  );
  const changed = [...text.matchAll(/^patch (.*)$/gm)].map(([, json = ""]) => JSON.parse(json).spec);
  return [...made, ...changed];
}
