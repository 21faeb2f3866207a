import { assertEquals } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { isSingleContainer } from "../mod.ts";
import type { PodRequest } from "../request.ts";
import { CONFIG, containerOf, envOf, mountsOf, podFor } from "../testing/pod_request.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const PLAIN: Template = { container: IMAGE };
const SINGLE: Partial<PodRequest> = { config: { ...CONFIG, singleContainer: true } };
const S3 = {
  bucket: "b",
  key: "k",
  accessKeySecret: { name: "keys", key: "a" },
  secretKeySecret: { name: "keys", key: "s" },
};

function namesOf(pod: Pod): string[] {
  return pod.spec.containers.map(({ name }) => name);
}

Deno.test("single container: the settings enable it for templates that need only main, and it is detected in the pod", () => {
  const pod = podFor(PLAIN, SINGLE);
  assertEquals([namesOf(pod), isSingleContainer(pod)], [["main"], true]);
  const usual = podFor(PLAIN);
  assertEquals([namesOf(usual), isSingleContainer(usual)], [["supervisor", "main"], false]);
});

Deno.test("single container: the annotation of a workflow takes precedence over the settings", () => {
  const first = (requestedLayout: string, changes: Partial<PodRequest> = {}) =>
    namesOf(podFor(PLAIN, { ...changes, requestedLayout }))[0];
  assertEquals(first("single-container"), "main");
  assertEquals([first("initless", SINGLE), first("legacy", SINGLE)], ["supervisor", "wait"]);
  assertEquals(first("single-container", { legacyLayoutReason: "no image volumes" }), "wait");
});

Deno.test("single container: main starts immediately, with the template and an argoexec volume (IL-35)", () => {
  const pod = podFor(PLAIN, SINGLE);
  assertEquals(envOf(pod, "main", "ARGO_WAIT_FOR_READY"), undefined);
  assertEquals(JSON.parse(envOf(pod, "main", "ARGO_TEMPLATE")!).container, IMAGE);
  assertEquals(mountsOf(pod, "main"), ["/argo-bin", "/var/run/argo"]);
  assertEquals(containerOf(pod, "main").command?.slice(0, 2), ["/argo-bin/bin/argoexec", "emissary"]);
});

Deno.test("single container: main mounts the folder of its script and stages the script itself", () => {
  const pod = podFor({ script: { ...IMAGE, source: "echo hello" } }, SINGLE);
  assertEquals([namesOf(pod), mountsOf(pod, "main").includes("/argo/staging")], [["main"], true]);
});

Deno.test("single container: a template that is too long is moved to a ConfigMap, as in every pod (IL-37)", () => {
  const pod = podFor({ script: { ...IMAGE, source: "x".repeat(140_000) } }, SINGLE);
  assertEquals([envOf(pod, "main", "ARGO_TEMPLATE"), mountsOf(pod, "main").includes("/argo/config")], [
    "offloaded",
    true,
  ]);
});

Deno.test("single container: init containers of the user run before main (IL-03)", () => {
  const pod = podFor({ ...PLAIN, initContainers: [{ name: "first", ...IMAGE }] }, SINGLE);
  assertEquals([pod.spec.initContainers?.map(({ name }) => name), namesOf(pod)], [["first"], ["main"]]);
});

Deno.test("single container: the kubelet enforces the deadline", () => {
  assertEquals(podFor(PLAIN, { ...SINGLE, activeDeadlineSeconds: 5 }).spec.activeDeadlineSeconds, 5);
});

Deno.test("single container: the pod has no progress file and no secrets of stores", () => {
  const seen = (changes: Partial<PodRequest>) => {
    const pod = podFor({ ...PLAIN, archiveLocation: { s3: S3 } }, changes);
    return [envOf(pod, "main", "ARGO_PROGRESS_FILE"), pod.spec.volumes?.some(({ secret }) => secret !== undefined)];
  };
  assertEquals(seen(SINGLE), [undefined, false]);
  assertEquals(seen({}), ["/var/run/argo/progress", true]);
});

Deno.test("single container: patches of the pod or of main do not add a supervisor or disable detection", () => {
  const env = [{ name: "TIPHYS_SINGLE_CONTAINER", value: "false" }];
  const podSpecPatch = JSON.stringify({ terminationGracePeriodSeconds: 10, containers: [{ name: "main", env }] });
  const pod = podFor(PLAIN, { ...SINGLE, spec: { podSpecPatch } });
  assertEquals([namesOf(pod), isSingleContainer(pod), pod.spec.terminationGracePeriodSeconds], [["main"], true, 10]);
});

const NEEDS: Record<string, [Template, Partial<PodRequest>?]> = {
  "an input artifact": [{ ...PLAIN, inputs: { artifacts: [{ name: "a", path: "/a", raw: { data: "x" } }] } }],
  "an output artifact": [{ ...PLAIN, outputs: { artifacts: [{ name: "a", path: "/a", s3: S3 }] } }],
  "logs to archive": [{ ...PLAIN, archiveLocation: { archiveLogs: true, s3: S3 } }],
  "an output parameter": [{ ...PLAIN, outputs: { parameters: [{ name: "p", valueFrom: { path: "/p" } }] } }],
  "a result that another step uses": [PLAIN, { includeScriptOutput: true }],
  "its own progress": [{ ...PLAIN, metadata: { annotations: { "workflows.argoproj.io/progress": "0/9" } } }],
  "a command that writes progress": [{ container: { ...IMAGE, args: ["echo 1/2 >$ARGO_PROGRESS_FILE"] } }],
  "a script that writes progress": [{ script: { ...IMAGE, source: "echo 1/2 >$ARGO_PROGRESS_FILE" } }],
  "a sidecar": [{ ...PLAIN, sidecars: [{ name: "side", ...IMAGE }] }],
  "a patch that brings a container": [{
    ...PLAIN,
    podSpecPatch: "containers: [{name: side, image: busybox, command: [sh]}]",
  }],
  "a patch of the workflow that speaks of a container of the executor": [PLAIN, {
    spec: { podSpecPatch: "containers: [{name: wait, resources: {limits: {memory: 64Mi}}}]" },
  }],
  "a patch by which main writes progress": [{
    ...PLAIN,
    podSpecPatch: "containers: [{name: main, env: [{name: FILE, value: $(ARGO_PROGRESS_FILE)}]}]",
  }],
  "an account of its executor": [{ ...PLAIN, executor: { serviceAccountName: "own" } }],
  "an account of the workflow's executors": [PLAIN, { spec: { executor: { serviceAccountName: "own" } } }],
  "others that wait until it is ready": [{ ...PLAIN, daemon: true }],
  "an end of all its attempts": [PLAIN, { deadline: "2026-01-01T00:00:00Z", isRetryDeadline: true }],
  "several main containers": [{ containerSet: { containers: [{ name: "main", ...IMAGE }] } }],
};

for (const [what, [template, changes]] of Object.entries(NEEDS)) {
  Deno.test(`a template with ${what} has a supervisor, regardless of the settings`, () => {
    const pod = podFor(template, { ...SINGLE, ...changes });
    assertEquals([namesOf(pod).includes("supervisor"), isSingleContainer(pod)], [true, false]);
  });
}

Deno.test("single container: a variable set by a user does not mark a pod with a supervisor as single-container", () => {
  const env = [{ name: "TIPHYS_SINGLE_CONTAINER", value: "true" }];
  for (const layout of ["initless", "legacy"] as const) {
    assertEquals(isSingleContainer(podFor({ container: { ...IMAGE, env } }, { config: { ...CONFIG, layout } })), false);
  }
});
