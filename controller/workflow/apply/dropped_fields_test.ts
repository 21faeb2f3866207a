import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { droppedFields, isImageVolumeUnknown } from "./dropped_fields.ts";

const VOLUME = { name: "argoexec-bin", image: { reference: "argoexec" } };
const MOUNT = { name: "argoexec-bin", mountPath: "/argo-bin" };

function pod(spec: Partial<Pod["spec"]>): Pod {
  return { metadata: { name: "p" }, spec: { containers: [{ name: "main", volumeMounts: [MOUNT] }], ...spec } };
}

const reasons = (asked: Pod, made: Pod) => droppedFields(asked, made).map(({ reason }) => reason);

Deno.test("droppedFields() sees an image volume that is gone, became another kind, or is mounted nowhere", () => {
  const asked = pod({ volumes: [VOLUME] });
  assertEquals(reasons(asked, asked), []);
  assertEquals(reasons(asked, pod({ volumes: [] })), ["ImageVolumeDropped"]);
  assertEquals(reasons(asked, pod({ volumes: [{ name: "argoexec-bin", emptyDir: {} }] })), ["ImageVolumeDropped"]);
  const unmounted = pod({ volumes: [VOLUME], containers: [{ name: "main" }] });
  assertEquals(reasons(asked, unmounted), ["ImageVolumeDropped"]);
});

Deno.test("droppedFields() misses nothing in a pod that asked for no image volume", () => {
  assertEquals(reasons(pod({ volumes: [] }), pod({ volumes: [] })), []);
});

Deno.test("droppedFields() sees resources and claims of the pod that are gone", () => {
  const asked = pod({ resources: { limits: { cpu: "1" } }, resourceClaims: [{ name: "gpu" }] });
  assertEquals(reasons(asked, pod({})), ["PodLevelResourcesDropped", "ResourceClaimsDropped"]);
  assertEquals(reasons(asked, asked), []);
});

Deno.test("isImageVolumeUnknown() knows the refusal of a server from before image volumes", () => {
  const refusal = (field: string) => new Error(`strict decoding error: unknown field "${field}"`);
  assertEquals(isImageVolumeUnknown(refusal("spec.volumes[3].image")), true);
  assertEquals(isImageVolumeUnknown(refusal("spec.volumes[3].imagine")), false);
});
