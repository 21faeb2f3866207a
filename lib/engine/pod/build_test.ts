import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { buildPod } from "./build.ts";
import {
  CONFIG,
  containerOf,
  envOf,
  LEGACY_LAYOUT,
  mountsOf,
  podFor,
  refusalFor,
  requestFor,
} from "./testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh", "-c"], args: ["true"] } };
const SCRIPT: Template = { script: { image: "busybox", command: ["sh"], source: "echo {{inputs.parameters.x}}" } };
const INPUT: Template = { ...CONTAINER, inputs: { artifacts: [{ name: "a", path: "/in/a", raw: { data: "x" } }] } };
const RESOURCE: Template = { resource: { action: "create", manifest: "kind: ConfigMap" } };
const SET: Template = {
  containerSet: { containers: ["a", "b", "main"].map((name) => ({ name, image: "busybox", command: ["sh"] })) },
};

function names(pod: { spec: { containers: { name: string }[] } }): string[] {
  return pod.spec.containers.map(({ name }) => name);
}

Deno.test("buildPod() builds an init-less pod with supervisor and main", () => {
  const pod = podFor(CONTAINER);
  assertEquals(names(pod), ["supervisor", "main"]);
  assertEquals(pod.spec.initContainers, undefined);
  assertEquals(containerOf(pod, "main").command?.slice(0, 2), ["/argo-bin/bin/argoexec", "emissary"]);
  assertEquals(containerOf(pod, "main").command?.slice(-3), ["--", "sh", "-c"]);
  assertEquals(containerOf(pod, "main").args, ["true"]);
  assertEquals(containerOf(pod, "supervisor").command?.slice(0, 2), ["argoexec", "supervisor"]);
});

Deno.test("buildPod() builds a legacy pod with init, wait and main, without an image volume", () => {
  const pod = podFor(CONTAINER, LEGACY_LAYOUT);
  assertEquals(names(pod), ["wait", "main"]);
  assertEquals(pod.spec.initContainers?.map(({ name }) => name), ["init"]);
  assertEquals(containerOf(pod, "main").command?.[0], "/var/run/argo/argoexec");
  assertEquals(envOf(pod, "main", "ARGO_WAIT_FOR_READY"), undefined);
  assertEquals(pod.spec.volumes?.some(({ image }) => image), false);
  const tree = containerOf(pod, "main").volumeMounts?.find(({ mountPath }) => mountPath === "/argo-bin");
  assertEquals([tree?.name, tree?.subPath, tree?.readOnly], ["var-run-argo", "argo-bin", true]);
});

Deno.test("buildPod() keeps user init containers, after `init` where there is one (IL-03)", () => {
  const template = { ...CONTAINER, initContainers: [{ name: "mine", image: "busybox", command: ["true"] }] };
  assertEquals(podFor(template).spec.initContainers?.map(({ name }) => name), ["mine"]);
  assertEquals(podFor(template, LEGACY_LAYOUT).spec.initContainers?.map(({ name }) => name), ["init", "mine"]);
  assertEquals(containerOf(podFor(template), "mine").command, ["true"]);
});

Deno.test("buildPod() keeps a user's init container named init, and rejects it in the legacy layout (IL-03)", () => {
  const template = { ...CONTAINER, initContainers: [{ name: "init", image: "busybox", command: ["true"] }] };
  assertEquals(podFor(template).spec.initContainers?.map(({ name, command }) => [name, command]), [["init", ["true"]]]);
  assertEquals(mountsOf(podFor(template), "init"), ["/var/run/argo"]);
  assertEquals(
    refusalFor(template, LEGACY_LAYOUT),
    'templates.work.initContainers: "init" is a reserved Argo container name in the legacy layout of pods',
  );
});

Deno.test("buildPod() passes a script to its interpreter as the file that the supervisor stages", () => {
  const pod = podFor(SCRIPT);
  assertEquals(containerOf(pod, "main").args, ["/argo/staging/script"]);
  assert(mountsOf(pod, "main").includes("/argo/staging"));
  assert(mountsOf(pod, "supervisor").includes("/argo/staging"));
  assert(!("source" in containerOf(pod, "main")));
});

for (
  const [name, place] of [["supervisor", "containerSet"], ["wait", "sidecar"], [
    "artifact-plugin-x",
    "sidecar",
  ]] as const
) {
  Deno.test(`buildPod() rejects the name ${name} for a ${place} (IL-08)`, () => {
    const container = { name, image: "busybox", command: ["sh"] };
    const template = place === "sidecar"
      ? { ...CONTAINER, sidecars: [container] }
      : { containerSet: { containers: [container] } };
    assertStringIncludes(refusalFor(template), `"${name}" is a reserved Argo container name`);
  });
}

Deno.test("buildPod() has the supervisor, or init, load a manifest that is an artifact (IL-14)", () => {
  const template: Template = {
    resource: { action: "create", manifestFrom: { artifact: { name: "m" } } },
    inputs: { artifacts: [{ name: "m", path: "/tmp/m", raw: { data: "x" } }] },
  };
  const pod = podFor(template);
  assertEquals(names(pod), ["supervisor", "main"]);
  assertEquals(envOf(pod, "main", "ARGO_WAIT_FOR_READY"), "true");
  assert(mountsOf(pod, "supervisor").includes("/argo/inputs/artifacts"));
  const legacy = podFor(template, LEGACY_LAYOUT);
  assertEquals(names(legacy), ["main"]);
  assertEquals(legacy.spec.initContainers?.[0]?.name, "init");
});

Deno.test("buildPod() mounts each path of the supervisor once, including user volumes and inputs (IL-23)", () => {
  const template = { ...INPUT, container: { ...INPUT.container, volumeMounts: [{ name: "v", mountPath: "/data" }] } };
  const paths = mountsOf(podFor(template, { spec: { volumes: [{ name: "v", emptyDir: {} }] } }), "supervisor");
  assertEquals(paths.length, new Set(paths).size);
  assert(paths.includes("/mainctrfs/data"));
});

Deno.test("buildPod() mounts the writable input volume in main, and nothing at the paths of inputs (IL-26)", () => {
  const pod = podFor(INPUT);
  const mount = containerOf(pod, "main").volumeMounts?.find(({ name }) => name === "input-artifacts");
  assertEquals(mount, { name: "input-artifacts", mountPath: "/argo/inputs/artifacts" });
  assert(!mountsOf(pod, "main").includes("/in/a"));
});

Deno.test("buildPod() adds no mount for an artifact in a user volume, which is written through the mirror (IL-28)", () => {
  for (const path of ["/data", "/data/below"]) {
    const container = { ...CONTAINER.container, volumeMounts: [{ name: "v", mountPath: "/data", readOnly: true }] };
    const template = { container, inputs: { artifacts: [{ name: "a", path, raw: { data: "x" } }] } };
    const spec = { volumes: [{ name: "v", emptyDir: {} }] };
    for (const [changes, stager] of [[{ spec }, "supervisor"], [{ ...LEGACY_LAYOUT, spec }, "init"]] as const) {
      const pod = podFor(template, changes);
      const mirror = containerOf(pod, stager).volumeMounts?.find(({ name }) => name === "v");
      assertEquals(mirror, { name: "v", mountPath: "/mainctrfs/data" });
      assertEquals(mountsOf(pod, "main").filter((mounted) => mounted.startsWith("/data")), ["/data"]);
    }
  }
});

Deno.test("buildPod() mounts each input at its path in the legacy layout, except in user volumes", () => {
  const inputs = { artifacts: [...INPUT.inputs!.artifacts!, { name: "b", path: "/data/b", raw: { data: "y" } }] };
  const container = { ...INPUT.container, volumeMounts: [{ name: "v", mountPath: "/data" }] };
  const spec = { volumes: [{ name: "v", emptyDir: {} }] };
  const main = containerOf(podFor({ container, inputs }, { ...LEGACY_LAYOUT, spec }), "main");
  const mounts = main.volumeMounts?.filter(({ name }) => name === "input-artifacts");
  assertEquals(mounts, [{ name: "input-artifacts", mountPath: "/in/a", subPath: "a" }]);
});

Deno.test("buildPod() rejects an artifact above a volume, except in the legacy layout (IL-27)", () => {
  const template = {
    container: { ...CONTAINER.container, volumeMounts: [{ name: "v", mountPath: "/in/a/below" }] },
    inputs: INPUT.inputs,
  };
  const spec = { volumes: [{ name: "v", emptyDir: {} }] };
  const message = refusalFor(template, { spec });
  assertStringIncludes(message, 'input artifact "a" path "/in/a" is an ancestor of volume mount "v" (/in/a/below)');
  podFor(template, { ...LEGACY_LAYOUT, spec });
});

Deno.test("buildPod() rejects an artifact above a volume that only the member main of a container set mounts (IL-27)", () => {
  const volumeMounts = [{ name: "v", mountPath: "/in/a/below" }];
  const containerSet = { containers: [{ name: "main", image: "busybox", command: ["sh"], volumeMounts }] };
  const spec = { volumes: [{ name: "v", emptyDir: {} }] };
  assertStringIncludes(refusalFor({ containerSet, inputs: INPUT.inputs }, { spec }), "is an ancestor of volume mount");
});

Deno.test("buildPod() runs a resource template without logs in main alone, which gets the template (IL-35)", () => {
  const pod = podFor(RESOURCE);
  assertEquals(names(pod), ["main"]);
  assertEquals(JSON.parse(envOf(pod, "main", "ARGO_TEMPLATE")!).resource, RESOURCE.resource);
  assertEquals(envOf(pod, "main", "ARGO_WAIT_FOR_READY"), undefined);
  assertEquals(containerOf(pod, "main").securityContext?.runAsUser, 8737);
});

Deno.test("buildPod() wraps every member of a container set, and not the supervisor (IL-36)", () => {
  const pod = podFor(SET);
  assertEquals(names(pod), ["supervisor", "a", "b", "main"]);
  for (const name of ["a", "b", "main"]) {
    assert(mountsOf(pod, name).includes("/argo-bin"));
    assertEquals(envOf(pod, name, "ARGO_WAIT_FOR_READY"), "true");
    assertEquals(containerOf(pod, name).command?.[0], "/argo-bin/bin/argoexec");
  }
  assert(!mountsOf(pod, "supervisor").includes("/argo-bin"));
  assertEquals(envOf(pod, "supervisor", "ARGO_WAIT_FOR_READY"), undefined);
});

Deno.test("buildPod() moves a template over the limit into one ConfigMap, mounted by all its readers (IL-37)", () => {
  const script = { image: "busybox", command: ["sh"], source: "x".repeat(140_000) };
  const build = buildPod(requestFor({ script }));
  assert(build.ok);
  assertEquals(build.configMap?.metadata.name, build.pod.metadata.name);
  assertEquals(JSON.parse(build.configMap?.data?.ARGO_TEMPLATE ?? "").script.source.length, 140_000);
  assertEquals(envOf(build.pod, "supervisor", "ARGO_TEMPLATE"), "offloaded");
  assert(mountsOf(build.pod, "supervisor").includes("/argo/config"));
  assert(!mountsOf(build.pod, "main").includes("/argo/config"));
  const legacy = podFor({ script }, LEGACY_LAYOUT);
  assertEquals(envOf(legacy, "init", "ARGO_TEMPLATE"), "offloaded");
  assert(mountsOf(legacy, "init").includes("/argo/config"));
  const early = podFor({ script, initContainers: [{ name: "mine", image: "busybox", command: ["true"] }] });
  assertEquals(envOf(early, "mine", "ARGO_TEMPLATE"), "offloaded");
  assert(mountsOf(early, "mine").includes("/argo/config"));
  const resource = podFor({ resource: { action: "create", manifest: "x".repeat(140_000) } });
  assertEquals(envOf(resource, "main", "ARGO_TEMPLATE"), "offloaded");
  assert(mountsOf(resource, "main").includes("/argo/config"));
});

Deno.test("buildPod() moves arguments over the limit into the same ConfigMap (IL-38)", () => {
  const args = ["x".repeat(70_000), "y".repeat(70_000)];
  const build = buildPod(requestFor({ container: { image: "busybox", command: ["sh"], args } }));
  assert(build.ok);
  assertEquals(containerOf(build.pod, "main").args, undefined);
  assertEquals(envOf(build.pod, "main", "ARGO_CONTAINER_ARGS_FILE"), "/argo/config/ARGO_CONTAINER_ARGS_FILE");
  assertEquals(JSON.parse(build.configMap?.data?.ARGO_CONTAINER_ARGS_FILE ?? ""), args);
  assert(mountsOf(build.pod, "main").includes("/argo/config"));
});

Deno.test("buildPod() uses image and pull policy of the executor for the image volume (IL-47)", () => {
  const volume = podFor(CONTAINER).spec.volumes?.find(({ name }) => name === "argoexec-bin");
  assertEquals(volume?.image, { reference: CONFIG.image, pullPolicy: "IfNotPresent" });
});

Deno.test("buildPod() returns equal pods for equal requests, without clock or random numbers (IL-48)", () => {
  const first = JSON.stringify(podFor(INPUT));
  const { Date } = globalThis;
  const { random } = Math;
  const forbidden = () => {
    throw new Error("Expected buildPod() to read nothing but its request");
  };
  const nothing = new Proxy(class {}, { get: forbidden, construct: forbidden, apply: forbidden });
  try {
    Object.assign(globalThis, { Date: nothing });
    Math.random = forbidden;
    assertEquals(JSON.stringify(podFor(INPUT)), first);
  } finally {
    Object.assign(globalThis, { Date });
    Math.random = random;
  }
});

Deno.test("buildPod() does not change its request", () => {
  const request = requestFor({ ...INPUT, sidecars: [{ name: "s", image: "busybox", command: ["sh"] }] });
  const before = JSON.stringify(request);
  buildPod(request);
  assertEquals(JSON.stringify(request), before);
});

Deno.test("buildPod() adds main's mounts to sidecars and init containers with mirrorVolumeMounts", () => {
  const volumeMounts = [{ name: "v", mountPath: "/data" }];
  const template = {
    container: { ...CONTAINER.container, volumeMounts },
    sidecars: [{ name: "mirrors", image: "busybox", command: ["sh"], mirrorVolumeMounts: true }, {
      name: "plain",
      image: "busybox",
      command: ["sh"],
    }],
  };
  const pod = podFor(template, { spec: { volumes: [{ name: "v", emptyDir: {} }] } });
  assert(mountsOf(pod, "mirrors").includes("/data"));
  assert(!mountsOf(pod, "plain").includes("/data"));
  assert(!("mirrorVolumeMounts" in containerOf(pod, "mirrors")));
});

Deno.test("buildPod() rejects an undeclared volume and names it", () => {
  const template = { container: { ...CONTAINER.container, volumeMounts: [{ name: "none", mountPath: "/x" }] } };
  assertEquals(refusalFor(template), "volume 'none' not found in workflow spec");
});

Deno.test("buildPod() finds volumes of the template, of the workflow, and of claims", () => {
  const names = ["own", "shared", "claimed"];
  const volumeMounts = names.map((name) => ({ name, mountPath: `/${name}` }));
  const pod = podFor(
    { container: { ...CONTAINER.container, volumeMounts }, volumes: [{ name: "own", emptyDir: {} }] },
    {
      spec: { volumes: [{ name: "shared", emptyDir: {} }] },
      claims: [{ name: "claimed", persistentVolumeClaim: { claimName: "wf-claimed" } }],
    },
  );
  assertEquals(pod.spec.volumes?.filter(({ name }) => names.includes(name)).map(({ name }) => name), names);
});

Deno.test("buildPod() substitutes tags in fields of the workflow, and never in values", () => {
  const pod = podFor(
    { container: { image: "busybox", command: ["echo", "{{workflow.name}}"] } },
    { spec: { nodeSelector: { zone: "{{workflow.name}}" } } },
  );
  assertEquals(pod.spec.nodeSelector, { zone: "wf" });
  assertEquals(containerOf(pod, "main").command?.at(-1), "{{workflow.name}}");
});

Deno.test("buildPod() substitutes tags in the controller's settings, including the pod's name", () => {
  const mainContainer = { env: [{ name: "A", value: "{{workflow.name}}" }] };
  const config = { ...CONFIG, mainContainer, env: [{ name: "B", value: "{{pod.name}}" }] };
  const pod = podFor(CONTAINER, { config });
  assertEquals([envOf(pod, "main", "A"), envOf(pod, "supervisor", "B")], ["wf", "wf-work-123"]);
});

Deno.test("buildPod() rejects an archive location with a tag without a value", () => {
  const archiveLocation = { s3: { bucket: "b", key: "{{workflow.nothing}}/x" } };
  assertEquals(
    refusalFor({ ...CONTAINER, outputs: { artifacts: [{ name: "o", path: "/o" }] } }, { archiveLocation }),
    "failed to resolve {{workflow.nothing}}",
  );
});

Deno.test("buildPod() mounts the secrets of artifact stores with only the needed keys", () => {
  const secret = (key: string) => ({ name: "keys", key });
  const s3 = { bucket: "b", key: "k", accessKeySecret: secret("id"), secretKeySecret: secret("secret") };
  const pod = podFor({ ...CONTAINER, inputs: { artifacts: [{ name: "a", path: "/a", s3 }] } });
  const volume = pod.spec.volumes?.find(({ name }) => name === "keys");
  assertEquals(volume?.secret?.items, [{ key: "id", path: "id" }, { key: "secret", path: "secret" }]);
  assert(mountsOf(pod, "supervisor").includes("/argo/secret/keys"));
  assert(!mountsOf(pod, "main").includes("/argo/secret/keys"));
});

Deno.test("buildPod() rejects a path that leaves its folder after substitution", () => {
  const path = "/tmp/safe/../../etc/passwd";
  const why = "Artifact 'o' attempted to use a path containing '..'. Directory traversal is not permitted";
  assertEquals(refusalFor({ ...CONTAINER, outputs: { artifacts: [{ name: "o", path }] } }), why);
  assertEquals(refusalFor({ ...CONTAINER, inputs: { artifacts: [{ name: "o", path, raw: { data: "x" } }] } }), why);
});
