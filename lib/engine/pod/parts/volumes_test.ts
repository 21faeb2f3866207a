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

Deno.test("volumes: in the init-less layout, the supervisor stages, and main mounts the staged volume and argoexec", () => {
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

Deno.test("volumes: in the legacy layout, init stages, main has a mount per artifact, and wait mirrors main", () => {
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

Deno.test("volumes: mirrors are writable, and main's mount is unchanged", () => {
  const pod = podFor(FULL, VOLUMES);
  const mount = (name: string) => containerOf(pod, name).volumeMounts?.find((volumeMount) => volumeMount.name === "v");
  assertEquals(mount("supervisor"), { name: "v", mountPath: "/mainctrfs/data" });
  assertEquals(mount("main")?.readOnly, true);
});

Deno.test("volumes: every container with the executor's image has a separate scratch folder", () => {
  const pod = podFor({ resource: { action: "get" }, archiveLocation: { archiveLogs: true, s3: { key: "k" } } });
  const scratch = (name: string) => containerOf(pod, name).volumeMounts?.find(({ mountPath }) => mountPath === "/tmp");
  assertEquals([scratch("supervisor")?.subPath, scratch("main")?.subPath], ["0", "1"]);
});

Deno.test("volumes: the order is the executor's, the template's, argoexec, then mounted ones", () => {
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

Deno.test("volumes: resource and data templates have no mirror, and main mounts secrets of a data source", () => {
  const s3 = { bucket: "b", key: "k", accessKeySecret: { name: "keys", key: "id" } };
  const data = { source: { artifactPaths: { name: "d", s3 } }, transformation: [{ expression: "data" }] };
  for (const changes of [{}, LEGACY_LAYOUT]) {
    const paths = mountsOf(podFor({ data }, changes), "main");
    assert(paths.includes("/argo/secret/keys"));
    assert(!paths.some((path) => path.startsWith("/mainctrfs")));
  }
});

Deno.test("volumes: an optional input without a location has no mount in the legacy layout", () => {
  const inputs = { artifacts: [{ name: "a", path: "/in/a", optional: true }] };
  assert(!mountsOf(podFor({ container: IMAGE, inputs }, LEGACY_LAYOUT), "main").includes("/in/a"));
});

Deno.test("volumes: members of a container set have the set's mounts and their own, without duplicates", () => {
  const shared = { name: "v", mountPath: "/data" };
  const containers = [{ name: "a", ...MOUNTED }, { name: "main", ...IMAGE }];
  const pod = podFor({ containerSet: { containers, volumeMounts: [shared] } }, VOLUMES);
  for (const name of ["a", "main"]) {
    assertEquals(mountsOf(pod, name).filter((path) => path === "/data"), ["/data"]);
  }
});

Deno.test("volumes: network paths of Windows are not mirrored", () => {
  const container = { ...IMAGE, volumeMounts: [{ name: "v", mountPath: "\\\\host\\share" }] };
  const pod = podFor({ container, nodeSelector: { "kubernetes.io/os": "windows" } }, VOLUMES);
  assertEquals(mountsOf(pod, "wait").filter((path) => path.startsWith("/mainctrfs")), []);
});

const KEYS = { bucket: "b", key: "k", accessKeySecret: { name: "keys", key: "id" } };
const TOKEN = { executor: { serviceAccountName: "runner" } };

/** The names of the volumes that a container mounts. */
function volumesOf(pod: ReturnType<typeof podFor>, name: string) {
  const container = [...pod.spec.initContainers ?? [], ...pod.spec.containers].find((candidate) =>
    candidate.name === name
  );
  const mounted = new Set(container?.volumeMounts?.map((mount) => mount.name));
  return (pod.spec.volumes ?? []).filter(({ name }) => mounted.has(name));
}

Deno.test("volumes: user containers never mount the executor's token or keys of artifact stores, in either layout", () => {
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

Deno.test("volumes: a user volume with the name of an executor volume does not expose the executor's", () => {
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

Deno.test("volumes: a secret whose name is invalid for volumes, or taken, is mounted under another volume name", () => {
  for (const name of ["with.dots", "x".repeat(70), "v"]) {
    const s3 = { ...KEYS, accessKeySecret: { name, key: "id" } };
    const pod = podFor({ container: MOUNTED, outputs: { artifacts: [{ name: "o", path: "/data/o", s3 }] } }, VOLUMES);
    const volume = pod.spec.volumes?.find(({ secret }) => secret?.secretName === name);
    assert(/^argo-secret-\d+$/.test(volume?.name ?? ""), volume?.name);
    assert(mountsOf(pod, "supervisor").includes(`/argo/secret/${name}`));
    assert(!volumesOf(pod, "main").some(({ secret }) => secret !== undefined));
  }
});
