import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Template } from "../api/mod.ts";
import { CONFIG, containerOf, mountsOf, podFor, refusalFor } from "./pod_request_for_tests.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

Deno.test("schedulingFields() takes the first of template, enclosing template and workflow", () => {
  const selector = (zone: string) => ({ nodeSelector: { zone } });
  const zone = (template: object, boundaryTemplate?: Template, spec = {}) =>
    podFor({ ...CONTAINER, ...template }, { boundaryTemplate, spec }).spec.nodeSelector?.zone;
  assertEquals(zone(selector("own"), selector("around"), selector("workflow")), "own");
  assertEquals(zone({}, selector("around"), selector("workflow")), "around");
  assertEquals(zone({}, undefined, selector("workflow")), "workflow");
  assertEquals(zone({}), undefined);
});

Deno.test("schedulingFields() joins the host aliases of workflow and template", () => {
  const alias = (ip: string) => ({ ip, hostnames: ["h"] });
  const pod = podFor({ ...CONTAINER, hostAliases: [alias("2.2.2.2")] }, { spec: { hostAliases: [alias("1.1.1.1")] } });
  assertEquals(pod.spec.hostAliases?.map(({ ip }) => ip), ["1.1.1.1", "2.2.2.2"]);
});

Deno.test("schedulingFields() keeps a retry away from the hosts where it failed", () => {
  const pod = podFor(CONTAINER, { excludedHosts: ["n1", "n2"] });
  assertStringIncludes(
    JSON.stringify(pod.spec.affinity),
    '"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"NotIn","values":["n1","n2"]}]',
  );
});

Deno.test("schedulingFields() sets no deadline on a pod that a person wants to look at", () => {
  const held = { container: { ...CONTAINER.container, env: [{ name: "ARGO_DEBUG_PAUSE_AFTER", value: "true" }] } };
  assertEquals(podFor(CONTAINER, { activeDeadlineSeconds: 9 }).spec.activeDeadlineSeconds, 9);
  assertEquals(podFor(held, { activeDeadlineSeconds: 9 }).spec.activeDeadlineSeconds, undefined);
});

Deno.test("schedulingFields() keeps the token from the pod only where the executor has one of its own", () => {
  const spec = { automountServiceAccountToken: false };
  assertEquals(
    refusalFor(CONTAINER, { spec }),
    "executor.serviceAccountName must not be empty if automountServiceAccountToken is false",
  );
  const pod = podFor(CONTAINER, { spec: { ...spec, executor: { serviceAccountName: "exec" } } });
  assertEquals(pod.spec.automountServiceAccountToken, false);
  const volume = pod.spec.volumes?.find(({ name }) => name === "exec-sa-token");
  assertEquals(volume?.secret?.secretName, "exec.service-account-token");
  assertEquals(mountsOf(pod, "supervisor").includes("/var/run/secrets/kubernetes.io/serviceaccount"), true);
  assertEquals(mountsOf(pod, "main").includes("/var/run/secrets/kubernetes.io/serviceaccount"), false);
});

Deno.test("podMetadata() lets labels and annotations of the template win", () => {
  const pod = podFor(
    { ...CONTAINER, metadata: { labels: { team: "template" }, annotations: { note: "t" } } },
    { spec: { podMetadata: { labels: { team: "workflow", all: "yes" } } }, onExit: true },
  );
  assertEquals([pod.metadata.labels?.team, pod.metadata.labels?.all], ["template", "yes"]);
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/on-exit"], "true");
  assertEquals(pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"], "main");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-name"], "wf.step");
});

Deno.test("podMetadata() writes how the pod is to be cleaned up, and the finalizer where it is on", () => {
  const spec = { podGC: { strategy: "OnPodCompletion" as const, deleteDelayDuration: "30s" } };
  const pod = podFor(CONTAINER, { spec, config: { ...CONFIG, statusFinalizer: true } });
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/pod-gc-strategy"], "OnPodCompletion/30s");
  assertEquals(pod.metadata.finalizers, ["workflows.argoproj.io/status"]);
});

Deno.test("the controller's defaults lie under every main container", () => {
  const mainContainer = {
    imagePullPolicy: "Always",
    env: [{ name: "A", value: "default" }, { name: "B", value: "b" }],
  };
  const container = { ...CONTAINER.container, env: [{ name: "A", value: "own" }] };
  const main = containerOf(podFor({ container }, { config: { ...CONFIG, mainContainer } }), "main");
  assertEquals(main.imagePullPolicy, "Always");
  assertEquals(main.env?.find(({ name }) => name === "A")?.value, "own");
  assertEquals(main.env?.find(({ name }) => name === "B")?.value, "b");
});
