import { assertEquals, assertThrows } from "@std/assert";
import { parseControllerConfig } from "./config.ts";

const base = { executorImage: "argoexec:v1" };
const parse = (data: Record<string, string>) => parseControllerConfig({ metadata: { name: "c" }, data }, base);

Deno.test("parseControllerConfig() reads one key per field", () => {
  const config = parse({ images: "busybox: {cmd: [sh]}", initlessPod: "enabled: true", instanceID: "one" });
  assertEquals(config.layout, "initless");
  assertEquals(config.instanceId, "one");
  assertEquals(config.engine.executor.images, { busybox: { cmd: ["sh"] } });
});

Deno.test("parseControllerConfig() reads one key with all fields", () => {
  const config = parse({ config: "executor:\n  imagePullPolicy: Never\npodGCDeleteDelayDuration: 1m\n" });
  assertEquals(config.engine.executor.imagePullPolicy, "Never");
  assertEquals(config.engine.podGcDeleteDelaySeconds, 60);
  assertEquals(config.layout, "auto");
});

Deno.test("parseControllerConfig() hands on what pods are built from: plugins, the kubeconfig, the delay of their removal", () => {
  const { executor } = parse({
    artifactDrivers: "[{name: p, image: 'plugin:v1', connectionTimeoutSeconds: 7}]",
    kubeConfig: "{secretName: s, secretKey: k}",
    podGCDeleteDelayDuration: "30s",
  }).engine;
  assertEquals(executor.artifactDrivers, [{ name: "p", image: "plugin:v1", connectionTimeoutSeconds: 7 }]);
  assertEquals([executor.kubeConfig, executor.podGcDelay], [{ secretName: "s", secretKey: "k" }, "30s"]);
});

Deno.test("parseControllerConfig() names an unknown field", () => {
  assertThrows(() => parse({ imagse: "{}" }), Error, 'Unknown field "imagse"');
});

Deno.test("parseControllerConfig() refuses both forms at once", () => {
  assertThrows(() => parse({ config: "{}", images: "{}" }), Error, '"config" beside "images"');
});

Deno.test("parseControllerConfig() reads the layout: enabled forces it, mode says it in words, the cluster is asked otherwise", () => {
  const layout = (initlessPod: string) => parse({ initlessPod }).layout;
  assertEquals(["mode: on", "mode: off", "mode: auto", "{}"].map(layout), ["initless", "legacy", "auto", "auto"]);
  assertEquals(["{enabled: false, mode: on}", "{enabled: true, mode: off}"].map(layout), ["legacy", "initless"]);
  assertThrows(() => layout("mode: maybe"), Error, 'got "maybe"');
});

Deno.test("parseControllerConfig() makes failed pods anew only where failedPodRestart says so, three times by default", () => {
  const restarts = (failedPodRestart: string) => parse({ failedPodRestart }).engine.maxPodRestarts;
  assertEquals(["{}", "enabled: true", "{enabled: true, maxRestarts: 1}"].map(restarts), [0, 3, 1]);
});

Deno.test("parseControllerConfig() gives pods the finalizer unless the environment says no", () => {
  assertEquals(parse({}).engine.executor.statusFinalizer, true);
});

Deno.test("parseControllerConfig() names the settings that have no effect", () => {
  assertEquals(parse({ persistence: "{}", parallelism: "3", metricsConfig: "{}" }).ignored, [
    "persistence",
    "metricsConfig",
  ]);
});
