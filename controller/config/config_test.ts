import { assertEquals, assertThrows } from "@std/assert";
import { parseControllerConfig } from "./config.ts";
import { readEnvironment } from "./environment.ts";

const base = { executorImage: "argoexec:v1" };
const parse = (data: Record<string, string>) => parseControllerConfig({ metadata: { name: "c" }, data }, base);

Deno.test("parseControllerConfig(): reads one key per field", () => {
  const config = parse({ images: "busybox: {cmd: [sh]}", initlessPod: "enabled: true", instanceID: "one" });
  assertEquals(config.layout, "initless");
  assertEquals(config.instanceId, "one");
  assertEquals(config.engine.executor.images, { busybox: { cmd: ["sh"] } });
});

Deno.test("parseControllerConfig(): reads one key with all fields", () => {
  const config = parse({ config: "executor:\n  imagePullPolicy: Never\npodGCDeleteDelayDuration: 1m\n" });
  assertEquals(config.engine.executor.imagePullPolicy, "Never");
  assertEquals(config.engine.podGcDeleteDelaySeconds, 60);
  assertEquals(config.layout, "auto");
});

Deno.test("parseControllerConfig(): returns the settings of pods: plugins, the kubeconfig, the delay of their removal", () => {
  const { executor } = parse({
    artifactDrivers: "[{name: p, image: 'plugin:v1', connectionTimeoutSeconds: 7}]",
    kubeConfig: "{secretName: s, secretKey: k}",
    podGCDeleteDelayDuration: "30s",
  }).engine;
  assertEquals(executor.artifactDrivers, [{ name: "p", image: "plugin:v1", connectionTimeoutSeconds: 7 }]);
  assertEquals([executor.kubeConfig, executor.podGcDelay], [{ secretName: "s", secretKey: "k" }, "30s"]);
});

Deno.test("parseControllerConfig(): executors have the log level of the controller", () => {
  const levelOf = (logLevel?: "debug") =>
    parseControllerConfig({ metadata: { name: "c" }, data: {} }, { ...base, logLevel }).engine.executor.logLevel;
  assertEquals([levelOf("debug"), levelOf()], ["debug", "info"]);
});

Deno.test("parseControllerConfig(): evaluates tags in values only if that is enabled", () => {
  assertEquals(parse({ tagsInValues: "true" }).engine.tagsInValues, true);
  assertEquals(parse({ tagsInValues: "false" }).engine.tagsInValues, undefined);
  assertEquals(parse({}).engine.tagsInValues, undefined);
});

Deno.test("parseControllerConfig(): names an unknown field", () => {
  assertThrows(() => parse({ imagse: "{}" }), Error, 'imagse: unknown key; did you mean "images"? (line 1)');
});

Deno.test("parseControllerConfig(): rejects nesting that is too deep, with its line", () => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const words = "lists and objects are nested more than 200 levels deep";
  assertThrows(() => parse({ images: `a: {}\nb: ${deep}` }), Error, `images: ${words} (line 2)`);
  assertThrows(() => parse({ config: `images:\n  b: ${deep}` }), Error, `config: ${words} (line 2)`);
});

Deno.test("parseControllerConfig(): rejects a mixture of both forms", () => {
  assertThrows(() => parse({ config: "{}", images: "{}" }), Error, '"config" and "images"');
});

Deno.test("parseControllerConfig(): enabled forces a layout, mode names one, and it is detected otherwise", () => {
  const layout = (initlessPod: string) => parse({ initlessPod }).layout;
  assertEquals(["mode: on", "mode: off", "mode: auto", "{}"].map(layout), ["initless", "legacy", "auto", "auto"]);
  assertEquals(["{enabled: false, mode: on}", "{enabled: true, mode: off}"].map(layout), ["legacy", "initless"]);
  assertThrows(() => layout("mode: maybe"), Error, 'got "maybe"');
});

Deno.test("parseControllerConfig(): creates pods with a single container only if initlessPod enables it", () => {
  const single = (initlessPod: string) => parse({ initlessPod }).engine.executor.singleContainer;
  assertEquals(["{}", "{mode: on, singleContainer: true}", "singleContainer: false"].map(single), [
    undefined,
    true,
    false,
  ]);
});

Deno.test("parseControllerConfig(): restarts failed pods only if failedPodRestart is enabled, three times by default", () => {
  const restarts = (failedPodRestart: string) => parse({ failedPodRestart }).engine.maxPodRestarts;
  assertEquals(["{}", "enabled: true", "{enabled: true, maxRestarts: 1}"].map(restarts), [0, 3, 1]);
});

Deno.test("parseControllerConfig(): adds the finalizer to pods unless the environment disables it", () => {
  assertEquals(parse({}).engine.executor.statusFinalizer, true);
});

Deno.test("parseControllerConfig(): accepts disableLegacy among the other fields of metricsConfig", () => {
  const { metricsConfig } = parse({ metricsConfig: "{disableLegacy: true, port: 9191, secure: false}" }).settings;
  assertEquals([metricsConfig?.port, metricsConfig?.secure], [9191, false]);
});

Deno.test("parseControllerConfig(): lists the settings that have no effect", () => {
  const settings = {
    namespace: "argo",
    parallelism: "3",
    metricsConfig: "{ignoreErrors: true}",
    telemetryConfig: "{}",
  };
  assertEquals(parse(settings).ignored, ["telemetryConfig"]);
});

const MALFORMED: Record<string, [string, string]> = {
  "a list as workflowDefaults": ["workflowDefaults: [1]", "workflowDefaults: expected object, got a list"],
  "a string as templates of workflowDefaults": [
    "workflowDefaults: {spec: {templates: x}}",
    'workflowDefaults.spec.templates: expected list, got "x"',
  ],
  "a number as env of an executor": ["executor: {env: 1}", "executor.env: expected list, got 1"],
  "a string as parallelism": ["parallelism: many", 'parallelism: expected number, got "many"'],
  "a list as images": ["images: []", "images: expected object, got a list"],
  "a list as a delay": ["podGCDeleteDelayDuration: [5s]", "podGCDeleteDelayDuration: expected string, got a list"],
  "a string as config": ["x", "config: expected an object of settings"],
};

for (const [name, [config, message]] of Object.entries(MALFORMED)) {
  Deno.test(`parseControllerConfig(): rejects ${name}, with its location`, () => {
    assertThrows(() => parse({ config }), Error, message);
  });
}

Deno.test("parseControllerConfig(): reads defaults like a workflow: null is absent, and numbers are accepted as strings", () => {
  const { workflowDefaults } = parse({
    workflowDefaults: "{spec: {nodeSelector: null, arguments: {parameters: [{name: p, value: 7}]}}}",
  }).engine;
  assertEquals(workflowDefaults?.spec, { arguments: { parameters: [{ name: "p", value: "7" }] } });
});

Deno.test("parseControllerConfig(): reads Argo's variables about expressions and termination, and names an invalid one", () => {
  const withEnv = (name: string, value: string) => {
    const environment = readEnvironment((variable) => variable === name ? value : undefined);
    return parseControllerConfig({ metadata: { name: "c" } }, { ...base, environment }).engine;
  };
  assertEquals(parse({}).engine.expressionTags, undefined);
  assertEquals(withEnv("EXPRESSION_TEMPLATES", "false").expressionTags, false);
  assertEquals(withEnv("EXPRESSION_TEMPLATES", "0").expressionTags, undefined);
  assertEquals(withEnv("BUBBLE_ENTRY_TEMPLATE_ERR", "false").bubblesEntryErrors, false);
  assertEquals(parse({}).engine.deletePropagation, "Background");
  assertEquals(withEnv("WF_DEL_PROPAGATION_POLICY", "Foreground").deletePropagation, "Foreground");
  assertThrows(
    () => withEnv("WF_DEL_PROPAGATION_POLICY", "foreground"),
    Error,
    'WF_DEL_PROPAGATION_POLICY: expected one of Background, Foreground, Orphan, got "foreground"',
  );
});

Deno.test("parseControllerConfig(): reads the volume and the size of the cache of inputs", () => {
  const cache = (artifactCache: string) => parse({ artifactCache }).engine.executor.artifactCache;
  assertEquals(parse({}).engine.executor.artifactCache, undefined);
  assertEquals(cache("{}"), { bytes: 10 * 2 ** 30 });
  assertEquals(cache("{hostPath: /var/cache/tiphys, sizeLimit: 500Mi}"), {
    hostPath: "/var/cache/tiphys",
    bytes: 500 * 2 ** 20,
  });
  assertEquals(cache("{persistentVolumeClaim: cache, sizeLimit: 1000}"), { claimName: "cache", bytes: 1000 });
  for (
    const [wrong, message] of [
      ["{hostPath: var/cache}", "expected an absolute path"],
      ["{hostPath: /var/../etc}", "expected an absolute path"],
      ["{hostPath: /var/}", "expected an absolute path"],
      ["{hostPath: /var, persistentVolumeClaim: c}", "not both"],
      ["{sizeLimit: much}", "expected a size"],
      ["{sizeLimit: -1Gi}", "expected a size"],
    ] as const
  ) {
    assertThrows(() => cache(wrong), Error, message);
  }
});
