import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { containerOf, LEGACY_LAYOUT, mountsOf, podFor } from "../testing/pod_request.ts";

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

const KEYS = { bucket: "b", key: "k", accessKeySecret: { name: "keys", key: "id" } };
const TOKEN = { executor: { serviceAccountName: "runner" } };

/** The volumes that a container mounts, whatever its paths are. */
function volumesOf(pod: ReturnType<typeof podFor>, name: string) {
  const container = [...pod.spec.initContainers ?? [], ...pod.spec.containers].find((one) => one.name === name);
  const mounted = new Set(container?.volumeMounts?.map((mount) => mount.name));
  return (pod.spec.volumes ?? []).filter(({ name }) => mounted.has(name));
}

Deno.test("no container of the user mounts the executor's token or the keys of artifact stores, in either layout", () => {
  const template = {
    container: MOUNTED,
    sidecars: [{ ...IMAGE, name: "beside", mirrorVolumeMounts: true }],
    initContainers: [{ ...IMAGE, name: "first", mirrorVolumeMounts: true }],
    inputs: { artifacts: [{ name: "a", path: "/in/a", s3: KEYS }] },
    outputs: { artifacts: [{ name: "o", path: "/data/o", s3: KEYS }] },
    automountServiceAccountToken: false,
    ...TOKEN,
  };
  for (const changes of [VOLUMES, { ...VOLUMES, ...LEGACY_LAYOUT }]) {
    const pod = podFor(template, changes);
    assertEquals(pod.spec.automountServiceAccountToken, false);
    for (const name of ["main", "beside", "first"]) {
      assertEquals(volumesOf(pod, name).filter(({ secret }) => secret !== undefined), [], name);
      assert(!mountsOf(pod, name).includes("/var/run/secrets/kubernetes.io/serviceaccount"), name);
    }
    const aux = pod.spec.containers.find(({ name }) => name === "supervisor" || name === "wait")!.name;
    assert(mountsOf(pod, aux).includes("/var/run/secrets/kubernetes.io/serviceaccount"));
    assert(mountsOf(pod, aux).includes("/argo/secret/keys"));
  }
});

Deno.test("a volume of the user that has the name of one of the executor's gets nobody the executor's", () => {
  for (const name of ["exec-sa-token", "var-run-argo", "input-artifacts", "tmp-dir-argo"]) {
    const container = { ...IMAGE, volumeMounts: [{ name, mountPath: "/mine" }] };
    const volumes = [{ name, emptyDir: { medium: "Memory" } }];
    const inputs = { artifacts: [{ name: "a", path: "/in/a", s3: KEYS }] };
    const spec = { spec: { ...VOLUMES.spec, volumes } };
    assertThrows(
      () => podFor({ container, inputs, ...TOKEN }, spec),
      Error,
      `volume '${name}' has the name of another volume`,
    );
  }
});

Deno.test("a secret whose name is no volume's, or another volume's, is mounted at its place under another name", () => {
  for (const name of ["with.dots", "x".repeat(70), "v"]) {
    const s3 = { ...KEYS, accessKeySecret: { name, key: "id" } };
    const pod = podFor({ container: MOUNTED, outputs: { artifacts: [{ name: "o", path: "/data/o", s3 }] } }, VOLUMES);
    const volume = pod.spec.volumes?.find(({ secret }) => secret?.secretName === name);
    assert(/^argo-secret-\d+$/.test(volume?.name ?? ""), volume?.name);
    assert(mountsOf(pod, "supervisor").includes(`/argo/secret/${name}`));
    assert(!volumesOf(pod, "main").some(({ secret }) => secret !== undefined));
  }
});
