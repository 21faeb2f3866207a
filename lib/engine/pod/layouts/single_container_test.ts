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

Deno.test("a pod has one container where the settings ask for it and nobody is needed beside main, and is known by it", () => {
  const pod = podFor(PLAIN, SINGLE);
  assertEquals([namesOf(pod), isSingleContainer(pod)], [["main"], true]);
  const usual = podFor(PLAIN);
  assertEquals([namesOf(usual), isSingleContainer(usual)], [["supervisor", "main"], false]);
});

Deno.test("the annotation of a workflow has the last word about a single container, too", () => {
  const first = (layoutWish: string, changes: Partial<PodRequest> = {}) =>
    namesOf(podFor(PLAIN, { ...changes, layoutWish }))[0];
  assertEquals(first("single-container"), "main");
  assertEquals([first("initless", SINGLE), first("legacy", SINGLE)], ["supervisor", "wait"]);
  assertEquals(first("single-container", { legacyBecause: "no image volumes" }), "wait");
});

Deno.test("a single main starts at once, has the template, and has argoexec by volume (IL-35)", () => {
  const pod = podFor(PLAIN, SINGLE);
  assertEquals(envOf(pod, "main", "ARGO_WAIT_FOR_READY"), undefined);
  assertEquals(JSON.parse(envOf(pod, "main", "ARGO_TEMPLATE")!).container, IMAGE);
  assertEquals(mountsOf(pod, "main"), ["/argo-bin", "/var/run/argo"]);
  assertEquals(containerOf(pod, "main").command?.slice(0, 2), ["/argo-bin/bin/argoexec", "emissary"]);
});

Deno.test("a single main has the folder of its script, which it fills itself", () => {
  const pod = podFor({ script: { ...IMAGE, source: "echo hello" } }, SINGLE);
  assertEquals([namesOf(pod), mountsOf(pod, "main").includes("/argo/staging")], [["main"], true]);
});

Deno.test("a template of a single container that is too long travels in a ConfigMap, as in every pod (IL-37)", () => {
  const pod = podFor({ script: { ...IMAGE, source: "x".repeat(140_000) } }, SINGLE);
  assertEquals([envOf(pod, "main", "ARGO_TEMPLATE"), mountsOf(pod, "main").includes("/argo/config")], [
    "offloaded",
    true,
  ]);
});

Deno.test("init containers of the user run before a single main as before any other (IL-03)", () => {
  const pod = podFor({ ...PLAIN, initContainers: [{ name: "first", ...IMAGE }] }, SINGLE);
  assertEquals([pod.spec.initContainers?.map(({ name }) => name), namesOf(pod)], [["first"], ["main"]]);
});

Deno.test("the kubelet keeps the deadline of a single container, as nobody else is there", () => {
  assertEquals(podFor(PLAIN, { ...SINGLE, activeDeadlineSeconds: 5 }).spec.activeDeadlineSeconds, 5);
});

Deno.test("a pod of one container has no progress file, and none of the secrets of a store that nobody uses", () => {
  const seen = (changes: Partial<PodRequest>) => {
    const pod = podFor({ ...PLAIN, archiveLocation: { s3: S3 } }, changes);
    return [envOf(pod, "main", "ARGO_PROGRESS_FILE"), pod.spec.volumes?.some(({ secret }) => secret !== undefined)];
  };
  assertEquals(seen(SINGLE), [undefined, false]);
  assertEquals(seen({}), ["/var/run/argo/progress", true]);
});

Deno.test("a patch of the pod or of main leaves a pod of one container what it is, and cannot say that it is another", () => {
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
  "a result that somebody asks for": [PLAIN, { includeScriptOutput: true }],
  "progress of its own": [{ ...PLAIN, metadata: { annotations: { "workflows.argoproj.io/progress": "0/9" } } }],
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
  "an end of all its attempts": [PLAIN, { deadline: "2026-01-01T00:00:00Z", isDeadlineOfRetries: true }],
  "several main containers": [{ containerSet: { containers: [{ name: "main", ...IMAGE }] } }],
};

for (const [what, [template, changes]] of Object.entries(NEEDS)) {
  Deno.test(`a template with ${what} has a supervisor, whatever the settings say`, () => {
    const pod = podFor(template, { ...SINGLE, ...changes });
    assertEquals([namesOf(pod).includes("supervisor"), isSingleContainer(pod)], [true, false]);
  });
}

Deno.test("a variable that a user writes makes no single container of a pod in which somebody reports", () => {
  const env = [{ name: "TIPHYS_SINGLE_CONTAINER", value: "true" }];
  for (const layout of ["initless", "legacy"] as const) {
    assertEquals(isSingleContainer(podFor({ container: { ...IMAGE, env } }, { config: { ...CONFIG, layout } })), false);
  }
});
