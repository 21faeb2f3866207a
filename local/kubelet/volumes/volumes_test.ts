import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Pod, Volume, VolumeMount } from "@tiphys/model/api";
import { containerMounts } from "../containers/container_mounts.ts";
import type { Lookup } from "./lookup.ts";
import { SetupError } from "../setup_error.ts";
import { prepareVolumes, type VolumeWorld } from "./volumes.ts";
import { writeVolumeFiles } from "./volume_files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const lookup: Lookup = {
  configMap: (_, name) =>
    Promise.resolve(name === "settings" ? new Map([["a", bytes("1")], ["b", bytes("2")]]) : undefined),
  secret: (_, name) => Promise.resolve(name === "keys" ? new Map([["key", bytes("s3cret")]]) : undefined),
  token: ({ serviceAccount, audience }) => Promise.resolve(`token of ${serviceAccount} for ${audience ?? "us"}`),
};

interface VolumeBench {
  readonly folder: string;
  readonly volumes: Awaited<ReturnType<typeof prepareVolumes>>;
}

/** Prepares volumes in a temporary folder. */
async function withVolumes(
  volumes: Volume[],
  use: (prepared: VolumeBench) => Promise<void>,
  world: Partial<VolumeWorld> = {},
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const pod: Pod = {
    metadata: { name: "p", namespace: "n", uid: "u", labels: { app: "a" } },
    spec: { containers: [], volumes, serviceAccountName: "sa" },
  };
  try {
    const prepared = await prepareVolumes(pod, folder, {
      lookup,
      address: { nodeName: "local", hostIP: "127.0.0.1", podIP: "127.0.0.1" },
      claimFolder: (namespace, name) => Promise.resolve(`/claims/${namespace}/${name}`),
      imageFolder: (reference) => Promise.resolve(`/images/${reference}`),
      allowHostPath: false,
      ...world,
    });
    await use({ folder, volumes: prepared });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("volumes: an emptyDir is writable by every user", () =>
  withVolumes([{ name: "scratch", emptyDir: {} }], async ({ volumes }) => {
    const { path, readOnly } = volumes.get("scratch")!;
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o777);
    assertEquals(readOnly, false);
  }));

Deno.test("volumes: a configMap has a file for each key, or for the selected ones at their paths", () =>
  withVolumes([
    { name: "all", configMap: { name: "settings" } },
    { name: "some", configMap: { name: "settings", items: [{ key: "b", path: "deep/file", mode: 0o755 }] } },
  ], async ({ folder, volumes }) => {
    assertEquals(await Deno.readTextFile(`${folder}/0/a`), "1");
    assertEquals(await Deno.readTextFile(`${folder}/1/deep/file`), "2");
    assertEquals((await Deno.stat(`${folder}/1/deep/file`)).mode! & 0o777, 0o755);
    assertEquals(volumes.get("all")!.readOnly, true);
  }));

Deno.test("volumes: a secret has its default mode", () =>
  withVolumes([{ name: "s", secret: { secretName: "keys", defaultMode: 0o400 } }], async ({ folder }) => {
    assertEquals(await Deno.readTextFile(`${folder}/0/key`), "s3cret");
    assertEquals((await Deno.stat(`${folder}/0/key`)).mode! & 0o777, 0o400);
  }));

Deno.test("volumes: a volume with read-only files can be prepared again", () =>
  withFolder(async (folder) => {
    const files = [{ path: "key", bytes: new TextEncoder().encode("s3cret"), mode: 0o400 }];
    await writeVolumeFiles(folder, files);
    await writeVolumeFiles(folder, files);
    assertEquals(await Deno.readTextFile(`${folder}/key`), "s3cret");
  }));

Deno.test("volumes: a projected volume combines its sources: token, ConfigMap and fields of the pod", () =>
  withVolumes([{
    name: "all",
    projected: {
      sources: [
        { serviceAccountToken: { path: "token", audience: "vault" } },
        { configMap: { name: "settings", items: [{ key: "a", path: "a" }] } },
        { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
      ],
    },
  }], async ({ folder }) => {
    assertEquals(await Deno.readTextFile(`${folder}/0/token`), "token of sa for vault");
    assertEquals(await Deno.readTextFile(`${folder}/0/a`), "1");
    assertEquals(await Deno.readTextFile(`${folder}/0/labels`), 'app="a"');
  }));

Deno.test("volumes: claims and images are existing folders, and images are read-only", () =>
  withVolumes([
    { name: "claim", persistentVolumeClaim: { claimName: "c" } },
    { name: "image", image: { reference: "argoexec" } },
  ], ({ volumes }) => {
    assertEquals(volumes.get("claim"), { path: "/claims/n/c", readOnly: false });
    assertEquals(volumes.get("image"), { path: "/images/argoexec", readOnly: true, isFixed: true });
    return Promise.resolve();
  }));

Deno.test("volumes: a missing optional source results in an empty volume", () =>
  withVolumes([{ name: "o", configMap: { name: "none", optional: true } }], async ({ folder }) => {
    assertEquals([...Deno.readDirSync(`${folder}/0`)].length, 0);
    await Promise.resolve();
  }));

Deno.test("volumes: a hostPath must be allowed", async () => {
  const volumes: Volume[] = [{ name: "h", hostPath: { path: "/etc" } }];
  await assertRejects(() => withVolumes(volumes, () => Promise.resolve()), SetupError, "requires --allow-host-path");
  await withVolumes(volumes, ({ volumes }) => {
    assertEquals(volumes.get("h")?.path, "/etc");
    return Promise.resolve();
  }, { allowHostPath: true });
});

Deno.test("volumes: a pod may mount only the artifact cache of its namespace", async () => {
  const cacheFolder = `${await Deno.makeTempDir()}/caches`;
  const cacheOf = (namespace: string) => [{ name: "c", hostPath: { path: `${cacheFolder}/${namespace}` } }];
  try {
    await withVolumes(cacheOf("n"), ({ volumes }) => {
      assertEquals(volumes.get("c"), { path: `${cacheFolder}/n`, readOnly: false });
      assertEquals(Deno.statSync(`${cacheFolder}/n`).isDirectory, true);
      return Promise.resolve();
    }, { cacheFolder });
    for (const other of ["other", "n/..", "."]) {
      const asked = withVolumes(cacheOf(other), () => Promise.resolve(), { cacheFolder });
      await assertRejects(() => asked, SetupError, "requires --allow-host-path");
    }
  } finally {
    await Deno.remove(cacheFolder, { recursive: true });
  }
});

const refused: readonly { rule: string; volume: Volume; message: string }[] = [
  {
    rule: "names a missing ConfigMap",
    volume: { name: "v", configMap: { name: "none" } },
    message: '"none" not found',
  },
  {
    rule: "names a missing key",
    volume: { name: "v", configMap: { name: "settings", items: [{ key: "z", path: "z" }] } },
    message: "references non-existent key: z",
  },
  {
    rule: "writes out of its folder",
    volume: { name: "v", configMap: { name: "settings", items: [{ key: "a", path: "../z" }] } },
    message: 'got "../z"',
  },
  {
    rule: "has a type that only real clusters support",
    volume: { name: "v", nfs: {} },
    message: "unsupported type nfs",
  },
];

for (const { rule, volume, message } of refused) {
  Deno.test(`volumes: a volume that ${rule} is rejected`, async () => {
    await assertRejects(() => withVolumes([volume], () => Promise.resolve()), SetupError, message);
  });
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function mountsOf(volumeMounts: VolumeMount[], readOnly = false) {
  const volumes = new Map([["v", { path: "/volumes/v", readOnly }]]);
  return containerMounts({ name: "main", volumeMounts }, volumes, new Map([["POD", "p-1"]]));
}

Deno.test("containerMounts: outer mounts come before those inside them", () => {
  const mounts = mountsOf([{ name: "v", mountPath: "/a/b/c" }, { name: "v", mountPath: "/a/" }]);
  assertEquals(mounts.map(({ target }) => target), ["/a", "/a/b/c"]);
});

Deno.test("containerMounts: the back end resolves a subPath, including one with variables", () => {
  const mounts = mountsOf([
    { name: "v", mountPath: "/a", subPath: "./x//y/" },
    { name: "v", mountPath: "/b", subPathExpr: "$(POD)" },
    { name: "v", mountPath: "/c", subPath: "." },
  ]);
  assertEquals(mounts.map(({ source, below }) => [source, below]), [
    ["/volumes/v", "x/y"],
    ["/volumes/v", "p-1"],
    ["/volumes/v", undefined],
  ]);
});

Deno.test("containerMounts: keeps a read-only volume read-only, regardless of the mount", () => {
  assertEquals(mountsOf([{ name: "v", mountPath: "/a", readOnly: false }], true)[0]!.readOnly, true);
});

Deno.test("containerMounts: refuses a subPath that leads outside of its volume, and a mount at the root", () => {
  for (const subPath of ["../x", "/etc", "a/../../b"]) {
    assertThrows(() => mountsOf([{ name: "v", mountPath: "/a", subPath }]), SetupError, "leads out");
  }
  for (const mountPath of ["/", "/a/..", "//."]) {
    assertThrows(() => mountsOf([{ name: "v", mountPath }]), SetupError, "at /");
  }
});
