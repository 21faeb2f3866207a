import { assertEquals } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import type { PodRequest } from "../request.ts";
import { CONFIG, envOf, mountsOf, podFor } from "../testing/pod_request.ts";

const S3 = { bucket: "b", endpoint: "s3.example", key: "in" };
const TEMPLATE: Template = {
  container: { image: "busybox", command: ["sh"] },
  inputs: { artifacts: [{ name: "a", path: "/in/a", s3: S3 }] },
  sidecars: [{ name: "beside", image: "busybox", command: ["sh"], mirrorVolumeMounts: true }],
};
const CACHE = { hostPath: "/var/cache/tiphys", bytes: 1000 };

function cached(changes: Partial<PodRequest> = {}, template = TEMPLATE, config = {}): Pod {
  return podFor(template, { config: { ...CONFIG, artifactCache: CACHE, ...config }, ...changes });
}

const volumeOf = (pod: Pod) => pod.spec.volumes?.find(({ name }) => name === "artifact-cache");

function holders(pod: Pod): string[] {
  return [...pod.spec.initContainers ?? [], ...pod.spec.containers].map(({ name }) => name)
    .filter((name) => mountsOf(pod, name).some((path) => path.includes("artifact-cache")));
}

for (const [layout, loader] of [["initless", "supervisor"], ["legacy", "init"]] as const) {
  Deno.test(`in the ${layout} layout only ${loader} has the cache, a folder of its namespace (AN-10)`, () => {
    const { sidecars: _, ...alone } = TEMPLATE;
    const pod = cached({}, layout === "legacy" ? TEMPLATE : alone, { layout });
    assertEquals(volumeOf(pod), {
      name: "artifact-cache",
      hostPath: { path: "/var/cache/tiphys/ns", type: "DirectoryOrCreate" },
    });
    assertEquals(holders(pod), [loader]);
    assertEquals(envOf(pod, loader, "TIPHYS_ARTIFACT_CACHE_BYTES"), "1000");
    assertEquals(envOf(pod, "main", "TIPHYS_ARTIFACT_CACHE_BYTES"), undefined);
  });
}

Deno.test("artifact cache: may be a claim of the namespace", () => {
  const pod = cached({}, TEMPLATE, { artifactCache: { claimName: "cache", bytes: 1000 } });
  assertEquals(volumeOf(pod), { name: "artifact-cache", persistentVolumeClaim: { claimName: "cache" } });
});

Deno.test("artifact cache: absent without inputs from S3, with a podSpecPatch, or with a volume of that name", () => {
  const raw = { ...TEMPLATE, inputs: { artifacts: [{ name: "a", path: "/in/a", raw: { data: "x" } }] } };
  const podSpecPatch = "terminationGracePeriodSeconds: 5";
  const volumes = [{ name: "artifact-cache", emptyDir: {} }];
  for (
    const pod of [
      podFor(TEMPLATE),
      cached({}, raw),
      cached({ spec: { podSpecPatch } }),
      cached({}, { ...TEMPLATE, podSpecPatch }),
      cached({}, { ...TEMPLATE, volumes }),
      cached({ spec: { volumes } }),
      cached({}, TEMPLATE, { artifactCache: { bytes: 1000 } }),
    ]
  ) {
    assertEquals([volumeOf(pod)?.hostPath, holders(pod)], [undefined, []]);
  }
});
