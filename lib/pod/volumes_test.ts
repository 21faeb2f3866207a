import { assert, assertEquals } from "@std/assert";
import type { Pod, Template } from "../api/mod.ts";
import { containerOf, LEGACY_LAYOUT, mountsOf, podFor } from "./pod_request_for_tests.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const VOLUMES = { spec: { volumes: [{ name: "v", emptyDir: {} }] } };
const MOUNTED = { ...IMAGE, volumeMounts: [{ name: "v", mountPath: "/data", readOnly: true }] };
const INPUTS = { artifacts: [{ name: "a", path: "/in/a", raw: { data: "x" } }] };
const FULL: Template = {
  script: { ...MOUNTED, source: "x" },
  inputs: INPUTS,
  initContainers: [{ name: "first", ...IMAGE }],
  sidecars: [{ name: "beside", ...IMAGE }],
};

function sorted(pod: Pod, container: string): string[] {
  return mountsOf(pod, container).toSorted();
}

Deno.test("in the init-less layout the supervisor stages, and main sees the staged volume and argoexec", () => {
  const pod = podFor(FULL, VOLUMES);
  assertEquals(sorted(pod, "supervisor"), [
    "/argo/inputs/artifacts",
    "/argo/staging",
    "/mainctrfs/argo/inputs/artifacts",
    "/mainctrfs/argo/staging",
    "/mainctrfs/data",
    "/tmp",
    "/var/run/argo",
  ]);
  assertEquals(sorted(pod, "main"), ["/argo-bin", "/argo/inputs/artifacts", "/argo/staging", "/data", "/var/run/argo"]);
  assertEquals(sorted(pod, "beside"), ["/argo-bin", "/var/run/argo"]);
  assertEquals(sorted(pod, "first"), ["/var/run/argo"]);
});

Deno.test("in the legacy layout init stages, main has a mount per artifact, and wait sees what main sees", () => {
  const pod = podFor(FULL, { ...LEGACY_LAYOUT, ...VOLUMES });
  assertEquals(sorted(pod, "init"), ["/argo/inputs/artifacts", "/argo/staging", "/mainctrfs/data", "/var/run/argo"]);
  assertEquals(sorted(pod, "wait"), [
    "/mainctrfs/argo/staging",
    "/mainctrfs/data",
    "/mainctrfs/in/a",
    "/tmp",
    "/var/run/argo",
  ]);
  assertEquals(sorted(pod, "main"), ["/argo-bin", "/argo/staging", "/data", "/in/a", "/var/run/argo"]);
});

Deno.test("mirrors are writable, and main's own mount stays as it was written", () => {
  const pod = podFor(FULL, VOLUMES);
  const mount = (name: string) => containerOf(pod, name).volumeMounts?.find((one) => one.name === "v");
  assertEquals(mount("supervisor"), { name: "v", mountPath: "/mainctrfs/data" });
  assertEquals(mount("main")?.readOnly, true);
});

Deno.test("every container that runs the executor's image has a scratch folder of its own, by its place", () => {
  const pod = podFor({ resource: { action: "get" }, archiveLocation: { archiveLogs: true, s3: { key: "k" } } });
  const scratch = (name: string) => containerOf(pod, name).volumeMounts?.find(({ mountPath }) => mountPath === "/tmp");
  assertEquals([scratch("supervisor")?.subPath, scratch("main")?.subPath], ["0", "1"]);
});

Deno.test("volumes stand in one order: the executor's, the template's, argoexec, then what is mounted", () => {
  const template = { container: MOUNTED, volumes: [{ name: "own", emptyDir: {} }], inputs: INPUTS };
  assertEquals(podFor(template, VOLUMES).spec.volumes?.map(({ name }) => name), [
    "var-run-argo",
    "tmp-dir-argo",
    "own",
    "argoexec-bin",
    "v",
    "input-artifacts",
  ]);
});

Deno.test("resource and data templates have no mirror, and secrets of a data source are main's", () => {
  const s3 = { bucket: "b", key: "k", accessKeySecret: { name: "keys", key: "id" } };
  const data = { source: { artifactPaths: { name: "d", s3 } }, transformation: [{ expression: "data" }] };
  for (const changes of [{}, LEGACY_LAYOUT]) {
    const paths = mountsOf(podFor({ data }, changes), "main");
    assert(paths.includes("/argo/secret/keys"));
    assert(!paths.some((path) => path.startsWith("/mainctrfs")));
  }
});

Deno.test("an optional input that was not given is mounted by nobody in the legacy layout", () => {
  const inputs = { artifacts: [{ name: "a", path: "/in/a", optional: true }] };
  assert(!mountsOf(podFor({ container: IMAGE, inputs }, LEGACY_LAYOUT), "main").includes("/in/a"));
});

Deno.test("members of a container set have the set's mounts beside their own, once", () => {
  const shared = { name: "v", mountPath: "/data" };
  const containers = [{ name: "a", ...MOUNTED }, { name: "main", ...IMAGE }];
  const pod = podFor({ containerSet: { containers, volumeMounts: [shared] } }, VOLUMES);
  for (const name of ["a", "main"]) {
    assertEquals(mountsOf(pod, name).filter((path) => path === "/data"), ["/data"]);
  }
});

Deno.test("network paths of Windows are not mirrored", () => {
  const container = { ...IMAGE, volumeMounts: [{ name: "v", mountPath: "\\\\host\\share" }] };
  const pod = podFor({ container, nodeSelector: { "kubernetes.io/os": "windows" } }, VOLUMES);
  assertEquals(mountsOf(pod, "wait").filter((path) => path.startsWith("/mainctrfs")), []);
});
