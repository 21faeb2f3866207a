import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../command_error.ts";
import { readSettings } from "./local_cluster_settings.ts";

const BASE = { executorImage: "argoexec:test" };
const read = (text: string) => readSettings(text, "settings.yaml", BASE);

const DEFAULTS = { spec: { ttlStrategy: { secondsAfterCompletion: 3 } } };

Deno.test("readSettings: accepts a ConfigMap", () => {
  const config = read(
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: workflow-controller-configmap}\n" +
      "data:\n  parallelism: '2'\n  workflowDefaults: |\n    spec: {ttlStrategy: {secondsAfterCompletion: 3}}\n",
  );
  assertEquals(config.limits.parallelism, 2);
  assertEquals(config.engine.workflowDefaults, DEFAULTS);
});

Deno.test("readSettings: accepts the fields alone, and an empty file", () => {
  const config = read("parallelism: 2\nworkflowDefaults: {spec: {ttlStrategy: {secondsAfterCompletion: 3}}}\n");
  assertEquals([config.limits.parallelism, config.engine.workflowDefaults], [2, DEFAULTS]);
  assertEquals(read("").limits.parallelism, undefined);
});

Deno.test("readSettings: accepts the fields as in the data of a ConfigMap", () => {
  const config = read("parallelism: 2\nworkflowDefaults: |\n  spec: {ttlStrategy: {secondsAfterCompletion: 3}}\n");
  assertEquals([config.limits.parallelism, config.engine.workflowDefaults], [2, DEFAULTS]);
});

const wrong: [string, string, string][] = [
  ["invalid YAML", "a: [", "settings.yaml:1"],
  ["a list", "[]", "settings.yaml: expected a ConfigMap"],
  ["two documents", "parallelism: 1\n---\nparallelism: 2\n", "settings.yaml: expected one document"],
  ["a value of the wrong type", "parallelism: many\n", "parallelism"],
  ["a setting that is only for shared clusters", "namespace: one\n", "namespace is not supported"],
];
for (const [what, text, message] of wrong) {
  Deno.test(`readSettings: rejects ${what} with the name of the file`, () => {
    assertThrows(() => read(text), CommandError, message);
  });
}
