import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../command_error.ts";
import { readSettings } from "./local_cluster_settings.ts";

const BASE = { executorImage: "argoexec:test" };
const read = (text: string) => readSettings(text, "settings.yaml", BASE);

const DEFAULTS = { spec: { ttlStrategy: { secondsAfterCompletion: 3 } } };

Deno.test("readSettings() takes the ConfigMap that a cluster has", () => {
  const config = read(
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: workflow-controller-configmap}\n" +
      "data:\n  parallelism: '2'\n  workflowDefaults: |\n    spec: {ttlStrategy: {secondsAfterCompletion: 3}}\n",
  );
  assertEquals(config.limits.parallelism, 2);
  assertEquals(config.engine.workflowDefaults, DEFAULTS);
});

Deno.test("readSettings() takes the fields alone, and nothing for no settings", () => {
  const config = read("parallelism: 2\nworkflowDefaults: {spec: {ttlStrategy: {secondsAfterCompletion: 3}}}\n");
  assertEquals([config.limits.parallelism, config.engine.workflowDefaults], [2, DEFAULTS]);
  assertEquals(read("").limits.parallelism, undefined);
});

const wrong: [string, string, string][] = [
  ["a text that is no YAML", "a: [", "settings.yaml:1"],
  ["a list", "[]", "settings.yaml: expected a ConfigMap"],
  ["two documents", "parallelism: 1\n---\nparallelism: 2\n", "settings.yaml: expected one document"],
  ["a value of another shape", "parallelism: many\n", "parallelism"],
  ["a setting that only controllers that share a cluster need", "namespace: one\n", "namespace has no meaning"],
];
for (const [what, text, message] of wrong) {
  Deno.test(`readSettings() refuses ${what}, naming the file`, () => {
    assertThrows(() => read(text), CommandError, message);
  });
}
