import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Artifact, Pod, Template } from "@tiphys/model/api";
import { buildPod } from "../build.ts";
import { CONFIG, containerOf, envOf, mountsOf, podFor, refusalFor, requestFor } from "../testing/pod_request.ts";
import type { ExecutorConfig, PodRequest } from "../request.ts";

const DRIVERS = ["in", "both", "out"].map((name) => ({ name, image: `${name}:v1`, connectionTimeoutSeconds: 9 }));
const WITH_DRIVERS: ExecutorConfig = {
  ...CONFIG,
  artifactDrivers: DRIVERS,
  images: Object.fromEntries(DRIVERS.map(({ image }) => [image, { entrypoint: ["/serve"], cmd: ["unused"] }])),
};
const INITLESS: Partial<PodRequest> = { config: WITH_DRIVERS };
const LEGACY: Partial<PodRequest> = { config: { ...WITH_DRIVERS, layout: "legacy" } };

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

function artifact(name: string, plugin: string): Artifact {
  return { name, path: `/${name}`, plugin: { name: plugin, configuration: "x", key: name } };
}

const THREE: Template = {
  ...CONTAINER,
  inputs: { artifacts: [artifact("a", "in"), artifact("b", "both"), artifact("c", "in")] },
  outputs: { artifacts: [artifact("d", "both"), artifact("e", "out")] },
};

function names(pod: Pod): string[] {
  return pod.spec.containers.map(({ name }) => name);
}

function checkMounts(pod: Pod): void {
  const volumes = new Set(pod.spec.volumes?.map(({ name }) => name));
  assertEquals(volumes.size, pod.spec.volumes?.length);
  for (const { name, volumeMounts = [] } of [...pod.spec.initContainers ?? [], ...pod.spec.containers]) {
    const paths = volumeMounts.map(({ mountPath }) => mountPath);
    assertEquals(paths.length, new Set(paths).size, `${name} mounts a path twice`);
    for (const mount of volumeMounts) {
      assert(volumes.has(mount.name), `${name} mounts ${mount.name}, which is not there`);
    }
  }
}

Deno.test("addPluginSidecars() adds one sidecar per plugin, and lists those of inputs once (IL-02)", () => {
  const pod = podFor(THREE, INITLESS);
  const sidecars = ["artifact-plugin-in", "artifact-plugin-both", "artifact-plugin-out"];
  assertEquals(names(pod), ["supervisor", "main", ...sidecars]);
  assertEquals(envOf(pod, "supervisor", "ARGO_INPUT_ARTIFACT_PLUGIN_NAMES"), "in,both");
  assertEquals(envOf(pod, "supervisor", "ARGO_ARTIFACT_PLUGIN_NAMES"), sidecars.join(","));
});

Deno.test("addPluginSidecars() adds the socket volume of a plugin that only inputs use (IL-11)", () => {
  const pod = podFor({ ...CONTAINER, inputs: { artifacts: [artifact("a", "in")] } }, INITLESS);
  assertEquals(pod.spec.volumes?.find(({ name }) => name === "artifact-plugin-in"), {
    name: "artifact-plugin-in",
    emptyDir: {},
  });
  for (const name of ["supervisor", "artifact-plugin-in"]) {
    assert(mountsOf(pod, name).includes("/tmp/artifact-plugins/in"));
  }
  checkMounts(pod);
});

Deno.test("addPluginSidecars() gives sidecars argoexec, inputs and volumes, and the supervisor the sockets only (IL-24)", () => {
  const volumeMounts = [{ name: "v", mountPath: "/data" }];
  const template = { ...THREE, container: { ...CONTAINER.container, volumeMounts } };
  const pod = podFor(template, { ...INITLESS, spec: { volumes: [{ name: "v", emptyDir: {} }] } });
  checkMounts(pod);
  const paths = ["/argo-bin", "/argo/inputs/artifacts", "/mainctrfs/data", "/tmp/argo/outputs", "/var/run/argo"];
  for (const path of paths) assert(mountsOf(pod, "artifact-plugin-in").includes(path), path);
  assert(!mountsOf(pod, "supervisor").includes("/argo-bin"));
  assertEquals(mountsOf(pod, "supervisor").filter((path) => path.startsWith("/tmp/artifact-plugins/")).length, 3);
  assertEquals(mountsOf(pod, "artifact-plugin-in").filter((path) => path.startsWith("/tmp/artifact-plugins/")), [
    "/tmp/artifact-plugins/in",
  ]);
});

Deno.test("addPluginSidecars() adds nothing to a data template, which has no supervisor, with a warning (IL-25)", () => {
  const data = { source: { artifactPaths: artifact("s", "in") }, transformation: [{ expression: "data" }] };
  const build = buildPod(requestFor({ data, inputs: THREE.inputs }, INITLESS));
  assert(build.ok);
  assertEquals(names(build.pod), ["main"]);
  assertEquals(build.pod.spec.volumes?.some(({ name }) => name.startsWith("artifact-plugin-")), false);
  assertEquals(build.warnings, ["artifact plugins in, both: the pod has no container that could use them"]);
});

Deno.test("addPluginSidecars() starts the plugin's own server, behind argoexec, at its socket", () => {
  const { image, command, args } = containerOf(podFor(THREE, INITLESS), "artifact-plugin-out");
  assertEquals(image, "out:v1");
  assertEquals(command?.slice(0, 2), ["/argo-bin/bin/argoexec", "artifact-plugin-sidecar"]);
  assertEquals(command?.slice(-3), ["--", "/serve", "/tmp/artifact-plugins/out/socket"]);
  assertEquals(args, undefined);
});

Deno.test("addPluginSidecars() uses init containers for inputs and sidecars for outputs in the legacy layout", () => {
  const pod = podFor({ ...THREE, initContainers: [{ name: "mine", image: "busybox", command: ["true"] }] }, LEGACY);
  assertEquals(pod.spec.initContainers?.map(({ name }) => name), [
    "init",
    "init-artifact-in",
    "init-artifact-both",
    "mine",
  ]);
  assertEquals(names(pod), ["wait", "main", "artifact-plugin-both", "artifact-plugin-out"]);
  assertEquals(envOf(pod, "wait", "ARGO_ARTIFACT_PLUGIN_NAMES"), "artifact-plugin-both,artifact-plugin-out");
  assertEquals(envOf(pod, "wait", "ARGO_INPUT_ARTIFACT_PLUGIN_NAMES"), undefined);
  const loader = containerOf(pod, "init-artifact-in");
  assertEquals(loader.command?.slice(0, 4), [
    "/var/run/argo/argoexec",
    "artifact-plugin-init",
    "--plugin-name",
    "in",
  ]);
  assert(mountsOf(pod, "init-artifact-in").includes("/argo/inputs/artifacts"));
  checkMounts(pod);
});

Deno.test("addPluginSidecars() uses the repository's plugin for artifacts without a store, and for logs", () => {
  const archiveLocation = { plugin: { name: "out", configuration: "", key: "k" }, archiveLogs: true };
  assertEquals(names(podFor(CONTAINER, { ...INITLESS, archiveLocation })).at(-1), "artifact-plugin-out");
  const bare = { ...CONTAINER, outputs: { artifacts: [{ name: "o", path: "/o" }] } };
  const quiet = { ...archiveLocation, archiveLogs: false };
  assertEquals(names(podFor(bare, { ...INITLESS, archiveLocation: quiet })).at(-1), "artifact-plugin-out");
  const elsewhere = { ...CONTAINER, outputs: { artifacts: [{ name: "o", path: "/o", s3: { key: "k" } }] } };
  assertEquals(names(podFor(elsewhere, { ...INITLESS, archiveLocation: quiet })), ["supervisor", "main"]);
});

Deno.test("addPluginSidecars() rejects an unknown plugin in both layouts", () => {
  const template = { ...CONTAINER, inputs: { artifacts: [artifact("a", "other")] } };
  for (const changes of [INITLESS, LEGACY]) {
    assertEquals(refusalFor(template, changes), "artifact driver other not found");
  }
});

Deno.test("addPluginSidecars() fails if the command of a plugin's image is unknown", () => {
  assertStringIncludes(
    refusalFor(THREE, { config: { ...WITH_DRIVERS, images: {} } }),
    'failed to look-up entrypoint/cmd for image "in:v1"',
  );
});

Deno.test("withPluginTimeouts() prefers an artifact's timeout over that of its driver", () => {
  const own = { ...artifact("b", "both"), plugin: { ...artifact("b", "both").plugin!, connectionTimeoutSeconds: 2 } };
  const pod = podFor({ ...CONTAINER, inputs: { artifacts: [artifact("a", "in"), own] } }, INITLESS);
  const staged = JSON.parse(envOf(pod, "supervisor", "ARGO_TEMPLATE")!) as Template;
  assertEquals(staged.inputs?.artifacts?.map(({ plugin }) => plugin?.connectionTimeoutSeconds), [9, 2]);
});
