import { assert, assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { CONFIG, containerOf, LEGACY_LAYOUT, mountsOf, podFor } from "../testing/pod_request.ts";
import type { PodRequest } from "../request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };
const RESOURCE: Template = {
  resource: { action: "create", manifest: "kind: ConfigMap" },
  archiveLocation: { archiveLogs: true, s3: { key: "k" } },
};

function configured(changes: Partial<PodRequest["config"]>, layout: "initless" | "legacy" = "initless") {
  return { config: { ...CONFIG, ...changes, layout } };
}

Deno.test("executorContainer() uses the executor's image, pull policy, resources and log options", () => {
  const resources = { requests: { cpu: "10m" } };
  const pod = podFor(CONTAINER, configured({ resources, logFormat: "json" }, "legacy"));
  for (const [name, word] of [["init", "init"], ["wait", "wait"]] as const) {
    const container = containerOf(pod, name);
    assertEquals([container.image, container.imagePullPolicy, container.resources], [
      CONFIG.image,
      "IfNotPresent",
      resources,
    ]);
    assertEquals(container.command, [
      "argoexec",
      word,
      "--loglevel",
      "info",
      "--log-format",
      "json",
      "--gloglevel",
      "0",
    ]);
  }
  assertEquals(containerOf(pod, "main").resources, undefined);
});

Deno.test("executorContainer() uses the security context of the controller's settings", () => {
  const securityContext = { runAsUser: 5 };
  for (const template of [CONTAINER, RESOURCE]) {
    assertEquals(containerOf(podFor(template, configured({ securityContext })), "supervisor").securityContext, {
      runAsUser: 5,
    });
  }
  assertEquals(containerOf(podFor(CONTAINER), "supervisor").securityContext, undefined);
});

Deno.test("executorContainer() of a resource template is unprivileged by default", () => {
  const hardened = {
    privileged: false,
    runAsNonRoot: true,
    runAsUser: 8737,
    capabilities: { drop: ["ALL"] },
    allowPrivilegeEscalation: false,
    seccompProfile: { type: "RuntimeDefault" },
  };
  for (const [changes, names] of [[{}, ["supervisor"]], [LEGACY_LAYOUT, ["init", "wait"]]] as const) {
    const pod = podFor(RESOURCE, changes);
    for (const name of names) assertEquals(containerOf(pod, name).securityContext, hardened);
    assertEquals(containerOf(pod, "main").securityContext, { ...hardened, readOnlyRootFilesystem: true });
    assert(mountsOf(pod, "main").includes("/tmp"));
  }
});

Deno.test("executorContainer() uses a kubeconfig from a secret if the controller runs outside of the cluster", () => {
  const kubeConfig = { secretName: "kube", secretKey: "config" };
  const pod = podFor(CONTAINER, configured({ kubeConfig, args: ["--verbose"] }));
  assertEquals(pod.spec.volumes?.[0], { name: "kubeconfig", secret: { secretName: "kube" } });
  const { args, volumeMounts } = containerOf(pod, "supervisor");
  assertEquals(args, ["--verbose", "--kubeconfig=/kube/config"]);
  assertEquals(volumeMounts?.find(({ name }) => name === "kubeconfig"), {
    name: "kubeconfig",
    mountPath: "/kube/config",
    readOnly: true,
    subPath: "config",
  });
  assert(!mountsOf(pod, "main").includes("/kube/config"));
  const placed = podFor(CONTAINER, configured({ kubeConfig: { ...kubeConfig, volumeName: "k", mountPath: "/k" } }));
  assertEquals(placed.spec.volumes?.[0]?.name, "k");
  assertEquals(containerOf(placed, "supervisor").args, ["--kubeconfig=/k"]);
});

Deno.test("executorContainer() uses the token of the executor's service account, and main that of the pod", () => {
  const token = "/var/run/secrets/kubernetes.io/serviceaccount";
  const template = { ...CONTAINER, serviceAccountName: "user", executor: { serviceAccountName: "exec" } };
  const pod = podFor(template, { ...LEGACY_LAYOUT, spec: { serviceAccountName: "shared" } });
  assertEquals(pod.spec.serviceAccountName, "user");
  assertEquals(
    [mountsOf(pod, "init"), mountsOf(pod, "wait"), mountsOf(pod, "main")].map((paths) => paths.includes(token)),
    [
      true,
      true,
      false,
    ],
  );
  const executorAccount = { metadata: { name: "exec" }, secrets: [{ name: "token-of-exec" }] };
  const named = podFor(template, { executorAccount });
  assertEquals(named.spec.volumes?.find(({ name }) => name === "exec-sa-token")?.secret?.secretName, "token-of-exec");
});
