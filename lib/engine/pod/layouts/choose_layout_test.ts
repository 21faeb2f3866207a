import { assertEquals, assertMatch } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { CONFIG, containerOf, podFor, refusalFor } from "../testing/pod_request.ts";

const INPUT: Template = {
  container: { image: "busybox", command: ["sh"] },
  inputs: { artifacts: [{ name: "a", path: "/message", raw: { data: "x" } }] },
};

function reasonOf(pod: Pod): string | undefined {
  return pod.metadata.annotations?.["workflows.argoproj.io/layout-reason"];
}

function withMain(container: Template["container"]): Template {
  return { ...INPUT, container: { ...INPUT.container, ...container } };
}

Deno.test("chooseLayout() returns the init-less layout by default, without a reason", () => {
  const pod = podFor(INPUT);
  assertEquals([pod.spec.containers[0]?.name, reasonOf(pod)], ["supervisor", undefined]);
});

Deno.test("chooseLayout() returns the legacy layout for Windows, with the reason (IL-73)", () => {
  const pod = podFor({ ...INPUT, nodeSelector: { "kubernetes.io/os": "windows" } });
  assertEquals([pod.spec.containers[0]?.name, reasonOf(pod)], ["wait", "Windows has no image volumes"]);
});

Deno.test("chooseLayout() returns the legacy layout for a main that may not create a link to an artifact (IL-54)", () => {
  for (const securityContext of [{ runAsUser: 1000 }, { runAsNonRoot: true }]) {
    const pod = podFor(withMain({ securityContext }));
    assertEquals(pod.spec.containers[0]?.name, "wait");
    assertMatch(reasonOf(pod)!, /does not run as root: the input artifact "a" at \/message/);
    const mount = containerOf(pod, "main").volumeMounts?.find(({ mountPath }) => mountPath === "/message");
    assertEquals(mount?.subPath, "a");
  }
  assertEquals(podFor(INPUT, { spec: { securityContext: { runAsUser: 1000 } } }).spec.containers[0]?.name, "wait");
  assertEquals(podFor(withMain({ securityContext: { runAsUser: 0 } })).spec.containers[0]?.name, "supervisor");
});

Deno.test("chooseLayout() returns the legacy layout for a read-only root file system, except for artifacts in volumes (IL-55)", () => {
  const securityContext = { readOnlyRootFilesystem: true };
  assertMatch(reasonOf(podFor(withMain({ securityContext })))!, /root file system is read-only/);
  const volumeMounts = [{ name: "v", mountPath: "/message" }];
  const pod = podFor(withMain({ securityContext, volumeMounts }), { spec: { volumes: [{ name: "v", emptyDir: {} }] } });
  assertEquals(pod.spec.containers[0]?.name, "supervisor");
});

Deno.test("chooseLayout() returns the legacy layout for a sidecar that mirrors main's mounts (IL-65)", () => {
  const sidecars = [{ name: "s", image: "busybox", command: ["sh"], mirrorVolumeMounts: true }];
  for (const layout of ["initless", "legacy"] as const) {
    const pod = podFor({ ...INPUT, sidecars }, { config: { ...CONFIG, layout } });
    const mount = containerOf(pod, "s").volumeMounts?.find(({ mountPath }) => mountPath === "/message");
    assertEquals(mount, { name: "input-artifacts", mountPath: "/message", subPath: "a" });
  }
});

Deno.test("chooseLayout() returns the legacy layout for main with a startup probe or postStart hook and inputs", () => {
  const exec = { exec: { command: ["test", "-f", "/message"] } };
  assertMatch(reasonOf(podFor(withMain({ startupProbe: exec })))!, /main has a startup probe, which would not wait/);
  assertMatch(reasonOf(podFor(withMain({ lifecycle: { postStart: exec } })))!, /main has a postStart hook/);
});

Deno.test("chooseLayout() returns the layout of the workflow's annotation", () => {
  const first = (layoutWish: string, layout: "initless" | "legacy") =>
    podFor(INPUT, { requestedLayout: layoutWish, config: { ...CONFIG, layout } }).spec.containers[0]?.name;
  assertEquals(first("legacy", "initless"), "wait");
  assertEquals(first("initless", "legacy"), "supervisor");
  assertEquals(
    refusalFor(INPUT, { requestedLayout: "new" }),
    'Expected the annotation workflows.argoproj.io/pod-layout to be "initless", "single-container" or "legacy", got "new"',
  );
});

Deno.test("chooseLayout() follows a reason observed in the cluster over the annotation, and returns it", () => {
  const pod = podFor(INPUT, {
    requestedLayout: "initless",
    legacyLayoutReason: "the API server dropped the image volume",
  });
  assertEquals([pod.spec.containers[0]?.name, reasonOf(pod)], ["wait", "the API server dropped the image volume"]);
});

Deno.test("chooseLayout() considers the defaults of main containers, and where the pod may run", () => {
  const mainContainer = { securityContext: { readOnlyRootFilesystem: true } };
  assertMatch(reasonOf(podFor(INPUT, { config: { ...CONFIG, mainContainer } }))!, /root file system is read-only/);
  const spec = { nodeSelector: { "kubernetes.io/os": "windows" } };
  assertEquals(reasonOf(podFor(INPUT, { spec })), "Windows has no image volumes");
});

Deno.test("chooseLayout() returns the init-less layout if no artifacts need links", () => {
  const { inputs: _, ...plain } = withMain({ securityContext: { runAsUser: 1000, readOnlyRootFilesystem: true } });
  assertEquals(podFor(plain).spec.containers[0]?.name, "supervisor");
});

const REPOSITORY: Template = {
  ...INPUT,
  inputs: { artifacts: [{ name: "src", path: "/src/", git: { repo: "https://example.org/r.git" } }] },
};

Deno.test("chooseLayout() returns the init-less layout for a folder, which is mounted without a link", () => {
  const securityContext = { runAsUser: 1000, readOnlyRootFilesystem: true };
  const sidecars = [{ name: "s", image: "busybox", command: ["sh"], mirrorVolumeMounts: true }];
  const pod = podFor({ ...REPOSITORY, sidecars, container: { ...REPOSITORY.container, securityContext } });
  assertEquals([pod.spec.containers[0]?.name, reasonOf(pod)], ["supervisor", undefined]);
  for (const name of ["main", "s"]) {
    const mount = containerOf(pod, name).volumeMounts?.find(({ mountPath }) => mountPath === "/src");
    assertEquals(mount, { name: "input-artifacts", mountPath: "/src", subPath: "src" });
  }
});

Deno.test("chooseLayout() returns the legacy layout for an init container that mounts a volume with inputs", () => {
  const volumeMounts = [{ name: "v", mountPath: "/data" }];
  const spec = { volumes: [{ name: "v", emptyDir: {} }, { name: "w", emptyDir: {} }] };
  const loaded = {
    container: { ...INPUT.container, volumeMounts },
    inputs: { artifacts: [{ name: "a", path: "/data/a", raw: { data: "x" } }] },
  };
  const early = (init: object) =>
    reasonOf(
      podFor({ ...loaded, initContainers: [{ name: "early", image: "busybox", command: ["sh"], ...init }] }, { spec }),
    );
  const reason = 'early runs before main, and would not find the input artifact "a"';
  assertEquals(early({ mirrorVolumeMounts: true }), reason);
  assertEquals(early({ volumeMounts: [{ name: "v", mountPath: "/elsewhere" }] }), reason);
  assertEquals(early({ volumeMounts: [{ name: "w", mountPath: "/elsewhere" }] }), undefined);
});
