import { assertEquals } from "@std/assert";
import { CONTROLLER_SETTINGS } from "@tiphys/model/api";
import { type ControllerConfig, settleConfig } from "./config.ts";

const BASE = { executorImage: "argoexec:v1" };
const WAITS = "no workflow is worked until it is mended";

function settle(data: Record<string, string>, before?: ControllerConfig) {
  return settleConfig({ metadata: { name: "c", resourceVersion: "7" }, data }, BASE, before);
}

function problemsOf(data: Record<string, string>, before?: ControllerConfig): string[] {
  return settle(data, before).problems.map(({ message, instead }) => `${message}: ${instead}`);
}

Deno.test("at the start the default is taken for a key that cannot be read, where that is safe; the other keys count", () => {
  const data = { failedPodRestart: "yes", nodeEvents: "enabled: false", podGCDeleteDelayDuration: "soon" };
  const { config, heldBecause, problems } = settle(data);
  assertEquals([config?.engine.maxPodRestarts, config?.engine.nodeEvents, heldBecause], [0, false, undefined]);
  assertEquals(config?.engine.podGcDeleteDelaySeconds, 5);
  assertEquals(problems, [
    { message: "failedPodRestart: expected object, got true (line 1)", instead: "the default is taken" },
    {
      message: "podGCDeleteDelayDuration: expected a duration such as 5s or 1h30m (line 1)",
      instead: "the default is taken",
    },
  ]);
});

const UNSAFE: Record<string, [Record<string, string>, string]> = {
  "a restriction that nobody knows": [
    { workflowRestrictions: "templateReferencing: strict" },
    'workflowRestrictions.templateReferencing: expected one of "", "Strict", "Secure", got "strict" (line 1)',
  ],
  "a restriction that is not one": [
    { workflowRestrictions: "true" },
    "workflowRestrictions: expected object, got true (line 1)",
  ],
  "a restriction of another name": [
    { workflowRestrictions: "templatereferencing: Strict" },
    'workflowRestrictions.templatereferencing: unknown field "templatereferencing"; did you mean "templateReferencing"? (line 1)',
  ],
  "restrictions under another name": [
    { workflowRestriction: "templateReferencing: Strict" },
    'workflowRestriction: unknown key; did you mean "workflowRestrictions"? (line 1)',
  ],
  "a restriction that is no YAML": [{ workflowRestrictions: "{a: [" }, "workflowRestrictions: "],
  "a limit that is a text": [{ parallelism: "many" }, 'parallelism: expected number, got "many" (line 1)'],
  "a limit below 0": [
    { namespaceParallelism: "-1" },
    "namespaceParallelism: expected a whole number of 0 or more (line 1)",
  ],
  "defaults of workflows": [
    { workflowDefaults: "spec:\n  arguments:\n    parameters: {a: 1}" },
    "workflowDefaults.spec.arguments.parameters: expected list, got an object (line 3)",
  ],
  "settings of the executor, among all keys in one": [
    { config: "nodeEvents: {}\nexecutor:\n  image: a\n  env: 7\n" },
    "executor.env: expected list, got 7 (line 4)",
  ],
  "an instance ID that is a list": [{ instanceID: "[a]" }, "instanceID: expected string, got a list (line 1)"],
  "no YAML at all": [{ config: "{a: [" }, "config: "],
  "both forms at once": [
    { config: "{}", images: "{}" },
    'expected either the key "config" or one key per setting, got "config" beside "images"',
  ],
};

for (const [name, [data, message]] of Object.entries(UNSAFE)) {
  Deno.test(`at the start nothing is worked with ${name}, and the place is said`, () => {
    const { config, heldBecause = "" } = settle(data);
    assertEquals(config, undefined);
    assertEquals(heldBecause.startsWith(message), true, heldBecause);
    assertEquals(problemsOf(data).every((problem) => problem.endsWith(`: ${WAITS}`)), true);
  });
}

Deno.test("a change that cannot be read leaves the key as it was, and all others count", () => {
  const before = settle({ parallelism: "3", images: "a: {cmd: [echo]}", nodeEvents: "enabled: false" }).config!;
  const data = { parallelism: "many", images: "a: {cmd: [run]}", nodeEvent: "enabled: true" };
  const { config, heldBecause } = settle(data, before);
  assertEquals([config?.limits.parallelism, heldBecause], [3, undefined]);
  assertEquals(config?.engine.executor.images, { a: { cmd: ["run"] } });
  assertEquals(config?.engine.nodeEvents, false);
  assertEquals(problemsOf(data, before), [
    'parallelism: expected number, got "many" (line 1): the value from before stays',
    'nodeEvent: unknown key; did you mean "nodeEvents"? (line 1): the value from before stays',
  ]);
});

Deno.test("a change that is no YAML leaves all as it was", () => {
  const before = settle({ parallelism: "3", workflowRestrictions: "templateReferencing: Strict" }).config!;
  const { config, heldBecause } = settle({ config: "{a: [" }, before);
  assertEquals([config?.limits.parallelism, config?.engine.templateReferencing, heldBecause], [3, "Strict", undefined]);
});

Deno.test("a restriction that was wanted is never taken for the one before it: nothing is worked until it is mended", () => {
  const before = settle({}).config!;
  const { config, heldBecause } = settle({ workflowRestrictions: "templateReferencing: strict" }, before);
  assertEquals(config?.heldBecause, heldBecause);
  assertEquals(heldBecause?.startsWith("workflowRestrictions.templateReferencing: "), true);
  assertEquals(settle({ workflowRestrictions: "templateReferencing: Strict" }, config).heldBecause, undefined);
});

Deno.test("the instance ID stays that of the start", () => {
  const before = settle({ instanceID: "one" }).config!;
  const { config, problems } = settle({ instanceID: "two" }, before);
  assertEquals([config?.instanceId, config?.engine.executor.instanceId, problems.length], ["one", "one", 1]);
  assertEquals(problemsOf({ instanceID: "one" }, before), []);
});

Deno.test("no restriction is none: null, an empty text, an empty object", () => {
  for (const text of ["", "null", '""', "{}", 'templateReferencing: ""', "templateReferencing: null"]) {
    const { config, problems } = settle({ workflowRestrictions: text });
    assertEquals([config?.engine.templateReferencing, problems], [undefined, []], text);
  }
});

Deno.test("a key that is like none has no effect and is named; remarks under keys with an underscore are nobody's", () => {
  const data = { _example: "{", somethingElse: "1" };
  assertEquals(problemsOf(data), ["somethingElse: unknown key (line 1): it has no effect"]);
  assertEquals(settle(data).config !== undefined, true);
});

Deno.test("a stray key is nothing to the key that it is like when that is there", () => {
  const data = { parallelisms: "x", parallelism: "2" };
  const { config } = settle(data);
  assertEquals(config?.limits.parallelism, 2);
  assertEquals(problemsOf(data).length, 1);
});

Deno.test("null in the place of every key is no setting", () => {
  const data = Object.fromEntries(Object.keys(CONTROLLER_SETTINGS).map((key) => [key, "null"]));
  assertEquals(problemsOf(data), []);
  assertEquals({ ...settle(data).config, version: "" }, { ...settle({}).config, version: "" });
});

Deno.test("no value of another shape is taken for a key that has an effect, and none throws", () => {
  for (const [key, { withoutEffect }] of Object.entries<{ withoutEffect?: string }>(CONTROLLER_SETTINGS)) {
    if (withoutEffect) continue;
    for (const text of ["[[1]]", "7.5", "{a: {b: [1]}}", "{mode: {a: 1}}", "{", "- &a [*a]"]) {
      if (key === "images" && text === "[[1]]") continue;
      assertEquals(problemsOf({ [key]: text }).length, 1, `${key} ${text}`);
      assertEquals(problemsOf({ [key]: text }, settle({}).config).length, 1, `${key} ${text}`);
    }
  }
});
