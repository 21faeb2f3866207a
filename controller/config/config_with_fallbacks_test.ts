import { assertEquals } from "@std/assert";
import { CONTROLLER_SETTINGS } from "@tiphys/model/api";
import { configWithFallbacks, type ControllerConfig } from "./config.ts";

const BASE = { executorImage: "argoexec:v1" };
const UNTIL_FIXED = "no workflow is processed until it is fixed";

function settle(data: Record<string, string>, before?: ControllerConfig) {
  return configWithFallbacks({ metadata: { name: "c", resourceVersion: "7" }, data }, BASE, before);
}

function problemsOf(data: Record<string, string>, before?: ControllerConfig): string[] {
  return settle(data, before).problems.map(({ message, consequence }) => `${message}: ${consequence}`);
}

Deno.test("configWithFallbacks(): at the start, an invalid key gets its default if that is safe, and the other keys are used", () => {
  const data = { failedPodRestart: "yes", nodeEvents: "enabled: false", podGCDeleteDelayDuration: "soon" };
  const { config, pauseReason, problems } = settle(data);
  assertEquals([config?.engine.maxPodRestarts, config?.engine.nodeEvents, pauseReason], [0, false, undefined]);
  assertEquals(config?.engine.podGcDeleteDelaySeconds, 5);
  assertEquals(problems, [
    { message: "failedPodRestart: expected object, got true (line 1)", consequence: "the default is used" },
    {
      message: "podGCDeleteDelayDuration: expected a duration such as 5s or 1h30m (line 1)",
      consequence: "the default is used",
    },
  ]);
});

const UNSAFE: Record<string, [Record<string, string>, string]> = {
  "an unknown restriction": [
    { workflowRestrictions: "templateReferencing: strict" },
    'workflowRestrictions.templateReferencing: expected one of "", "Strict", "Secure", got "strict" (line 1)',
  ],
  "an invalid value of a restriction": [
    { workflowRestrictions: "true" },
    "workflowRestrictions: expected object, got true (line 1)",
  ],
  "a misspelled field of a restriction": [
    { workflowRestrictions: "templatereferencing: Strict" },
    'workflowRestrictions.templatereferencing: unknown field "templatereferencing"; did you mean "templateReferencing"? (line 1)',
  ],
  "restrictions under a misspelled key": [
    { workflowRestriction: "templateReferencing: Strict" },
    'workflowRestriction: unknown key; did you mean "workflowRestrictions"? (line 1)',
  ],
  "a restriction that is not valid YAML": [{ workflowRestrictions: "{a: [" }, "workflowRestrictions: "],
  "a string as a limit": [{ parallelism: "many" }, 'parallelism: expected number, got "many" (line 1)'],
  "a negative limit": [
    { namespaceParallelism: "-1" },
    "namespaceParallelism: expected a whole number of 0 or more (line 1)",
  ],
  "invalid workflowDefaults": [
    { workflowDefaults: "spec:\n  arguments:\n    parameters: {a: 1}" },
    "workflowDefaults.spec.arguments.parameters: expected list, got an object (line 3)",
  ],
  "invalid settings of the executor under the key config": [
    { config: "nodeEvents: {}\nexecutor:\n  image: a\n  env: 7\n" },
    "executor.env: expected list, got 7 (line 4)",
  ],
  "a list as an instance ID": [{ instanceID: "[a]" }, "instanceID: expected string, got a list (line 1)"],
  "invalid YAML": [{ config: "{a: [" }, "config: "],
  "a mixture of both forms": [
    { config: "{}", images: "{}" },
    'expected either the key "config" or one key per setting, got "config" and "images"',
  ],
};

for (const [name, [data, message]] of Object.entries(UNSAFE)) {
  Deno.test(`configWithFallbacks(): at the start, nothing is processed with ${name}, and its location is reported`, () => {
    const { config, pauseReason = "" } = settle(data);
    assertEquals(config, undefined);
    assertEquals(pauseReason.startsWith(message), true, pauseReason);
    assertEquals(problemsOf(data).every((problem) => problem.endsWith(`: ${UNTIL_FIXED}`)), true);
  });
}

Deno.test("configWithFallbacks(): an invalid change of a key has no effect, and the other keys are used", () => {
  const before = settle({ parallelism: "3", images: "a: {cmd: [echo]}", nodeEvents: "enabled: false" }).config!;
  const data = { parallelism: "many", images: "a: {cmd: [run]}", nodeEvent: "enabled: true" };
  const { config, pauseReason } = settle(data, before);
  assertEquals([config?.limits.parallelism, pauseReason], [3, undefined]);
  assertEquals(config?.engine.executor.images, { a: { cmd: ["run"] } });
  assertEquals(config?.engine.nodeEvents, false);
  assertEquals(problemsOf(data, before), [
    'parallelism: expected number, got "many" (line 1): the previous value remains in effect',
    'nodeEvent: unknown key; did you mean "nodeEvents"? (line 1): the previous value remains in effect',
  ]);
});

Deno.test("configWithFallbacks(): a change to invalid YAML has no effect", () => {
  const before = settle({ parallelism: "3", workflowRestrictions: "templateReferencing: Strict" }).config!;
  const { config, pauseReason } = settle({ config: "{a: [" }, before);
  assertEquals([config?.limits.parallelism, config?.engine.templateReferencing, pauseReason], [3, "Strict", undefined]);
});

Deno.test("configWithFallbacks(): with an invalid restriction, nothing is processed until it is fixed, even if the previous one was valid", () => {
  const before = settle({}).config!;
  const { config, pauseReason } = settle({ workflowRestrictions: "templateReferencing: strict" }, before);
  assertEquals(config?.pauseReason, pauseReason);
  assertEquals(pauseReason?.startsWith("workflowRestrictions.templateReferencing: "), true);
  assertEquals(settle({ workflowRestrictions: "templateReferencing: Strict" }, config).pauseReason, undefined);
});

Deno.test("configWithFallbacks(): the instance ID of the start remains in effect", () => {
  const before = settle({ instanceID: "one" }).config!;
  const { config, problems } = settle({ instanceID: "two" }, before);
  assertEquals([config?.instanceId, config?.engine.executor.instanceId, problems.length], ["one", "one", 1]);
  assertEquals(problemsOf({ instanceID: "one" }, before), []);
});

Deno.test("configWithFallbacks(): null, the empty string and an empty object set no restriction", () => {
  for (const text of ["", "null", '""', "{}", 'templateReferencing: ""', "templateReferencing: null"]) {
    const { config, problems } = settle({ workflowRestrictions: text });
    assertEquals([config?.engine.templateReferencing, problems], [undefined, []], text);
  }
});

Deno.test("configWithFallbacks(): an unknown key that resembles no setting is reported and ignored; keys with an underscore are remarks", () => {
  const data = { _example: "{", somethingElse: "1" };
  assertEquals(problemsOf(data), ["somethingElse: unknown key (line 1): it has no effect"]);
  assertEquals(settle(data).config !== undefined, true);
});

Deno.test("configWithFallbacks(): an unknown key does not affect the setting that it resembles if that one is set", () => {
  const data = { parallelisms: "x", parallelism: "2" };
  const { config } = settle(data);
  assertEquals(config?.limits.parallelism, 2);
  assertEquals(problemsOf(data).length, 1);
});

Deno.test("configWithFallbacks(): null as the value of every key sets nothing", () => {
  const data = Object.fromEntries(Object.keys(CONTROLLER_SETTINGS).map((key) => [key, "null"]));
  assertEquals(problemsOf(data), []);
  assertEquals({ ...settle(data).config, version: "" }, { ...settle({}).config, version: "" });
});

Deno.test("configWithFallbacks(): a value of the wrong type is rejected without an exception for every key that has an effect", () => {
  for (const [key, { withoutEffect }] of Object.entries<{ withoutEffect?: string }>(CONTROLLER_SETTINGS)) {
    if (withoutEffect) continue;
    for (const text of ["[[1]]", "7.5", "{a: {b: [1]}}", "{mode: {a: 1}}", "{", "- &a [*a]"]) {
      if (key === "images" && text === "[[1]]") continue;
      assertEquals(problemsOf({ [key]: text }).length, 1, `${key} ${text}`);
      assertEquals(problemsOf({ [key]: text }, settle({}).config).length, 1, `${key} ${text}`);
    }
  }
});
