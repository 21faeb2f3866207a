import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { droppedFields, isImageVolumeUnknown } from "./dropped_fields.ts";

const VOLUME = { name: "argoexec-bin", image: { reference: "argoexec" } };
const MOUNT = { name: "argoexec-bin", mountPath: "/argo-bin" };

function pod(spec: Partial<Pod["spec"]>): Pod {
  return { metadata: { name: "p" }, spec: { containers: [{ name: "main", volumeMounts: [MOUNT] }], ...spec } };
}

const reasons = (requested: Pod, created: Pod) => droppedFields(requested, created).map(({ reason }) => reason);

Deno.test("droppedFields(): reports an image volume that is missing, has another kind, or is not mounted", () => {
  const requested = pod({ volumes: [VOLUME] });
  assertEquals(reasons(requested, requested), []);
  assertEquals(reasons(requested, pod({ volumes: [] })), ["ImageVolumeDropped"]);
  assertEquals(reasons(requested, pod({ volumes: [{ name: "argoexec-bin", emptyDir: {} }] })), ["ImageVolumeDropped"]);
  const unmounted = pod({ volumes: [VOLUME], containers: [{ name: "main" }] });
  assertEquals(reasons(requested, unmounted), ["ImageVolumeDropped"]);
});

Deno.test("droppedFields(): reports nothing for a pod without an image volume", () => {
  assertEquals(reasons(pod({ volumes: [] }), pod({ volumes: [] })), []);
});

Deno.test("droppedFields(): reports missing resources and claims of the pod", () => {
  const requested = pod({ resources: { limits: { cpu: "1" } }, resourceClaims: [{ name: "gpu" }] });
  assertEquals(reasons(requested, pod({})), ["PodLevelResourcesDropped", "ResourceClaimsDropped"]);
  assertEquals(reasons(requested, requested), []);
});

Deno.test("isImageVolumeUnknown(): recognizes the error of a server without image volumes", () => {
  const refusal = (field: string) => new Error(`strict decoding error: unknown field "${field}"`);
  assertEquals(isImageVolumeUnknown(refusal("spec.volumes[3].image")), true);
  assertEquals(isImageVolumeUnknown(refusal("spec.volumes[3].imagine")), false);
});
