/**
 * Detection of the pod layout that an API server supports. A server without image volumes drops them silently, so a dry
 * run is needed.
 */
import { type Pod, readPod } from "@tiphys/model/api";
import { PATH, VOLUME } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";

/** The layout of new pods, and the reason for it for the log. */
export interface LayoutResult {
  readonly layout: "initless" | "legacy";
  readonly reason: string;
}

/** Creates a pod with an image volume as a dry run, and checks whether the volume and its mount are in the response. */
export async function probeLayout(client: KubeClient, namespace: string, image: string): Promise<LayoutResult> {
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "tiphys-image-volume-probe", namespace },
    spec: {
      restartPolicy: "Never",
      containers: [{
        name: "main",
        image,
        volumeMounts: [{ name: VOLUME.argoexecBin, mountPath: PATH.argoBin, readOnly: true }],
      }],
      volumes: [{ name: VOLUME.argoexecBin, image: { reference: image, pullPolicy: "IfNotPresent" } }],
    },
  };
  try {
    const answer = readPod(await client.create(PODS, namespace, pod, { dryRun: true, fieldValidation: "Strict" }));
    const volume = answer.spec.volumes?.find(({ name }) => name === VOLUME.argoexecBin) as
      | { image?: unknown }
      | undefined;
    const mount = answer.spec.containers[0]?.volumeMounts?.some(({ name }) => name === VOLUME.argoexecBin);
    return volume?.image && mount
      ? { layout: "initless", reason: "the API server supports image volumes" }
      : { layout: "legacy", reason: "the API server drops image volumes (feature gate ImageVolume is off)" };
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "invalid") {
      return { layout: "legacy", reason: `the API server does not support image volumes: ${(error as Error).message}` };
    }
    if (sort === "forbidden") {
      return {
        layout: "initless",
        reason: `the probe is forbidden, so image volumes are assumed to work: ${(error as Error).message}`,
      };
    }
    throw error;
  }
}
