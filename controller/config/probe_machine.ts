/** A small pod that detects whether a machine can mount image volumes. */
import { type ContainerStatus, type Pod, readPod } from "@tiphys/model/api";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";
import { throwBug } from "@tiphys/kube/errors";
import { Informer } from "@tiphys/kube/informers";

/** The result of a probe: whether the machine can mount image volumes. */
export type Probe =
  | { readonly kind: "works" }
  | { readonly kind: "fails"; readonly why: string }
  | { readonly kind: "unknown"; readonly why: string };

/** The options of a probe: the image to mount, the namespace of its pod, and the timeout in milliseconds. */
export interface ProbeOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly image: string;
  readonly imagePullPolicy?: string | undefined;
  readonly signal: AbortSignal;
  readonly patienceMillis?: number;
}

const PROBE_TIMEOUT_MILLIS = 120_000;

/** Reasons for waiting that are unrelated to image volumes. */
const UNRELATED_REASONS: ReadonlySet<string> = new Set([
  "ContainerCreating",
  "PodInitializing",
  "ErrImagePull",
  "ImagePullBackOff",
  "ImageInspectError",
  "InvalidImageName",
  "RegistryUnavailable",
]);

/**
 * Runs `argoexec version` from an image volume on a machine, in a hardened pod, and deletes the pod. The result is
 * unknown if the pod cannot be created or does not end in time.
 */
export async function probeMachine(
  options: ProbeOptions,
  machine: { readonly name: string; readonly runtime: string },
): Promise<Probe> {
  const { client, namespace, patienceMillis = PROBE_TIMEOUT_MILLIS } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal, AbortSignal.timeout(patienceMillis)]);
  let name: string | undefined;
  try {
    const made = await client.create(PODS, namespace, probePod(options, machine.name), {
      fieldValidation: "Strict",
    });
    name = made.metadata.name!;
    return await awaitProbe(client, namespace, name, signal);
  } catch (error) {
    throwBug(error);
    return { kind: "unknown", why: (error as Error).message };
  } finally {
    ended.abort();
    if (name) await remove(client, namespace, name);
  }
}

function probePod({ image, imagePullPolicy }: ProbeOptions, machine: string): Pod {
  // Not the path at which other pods mount it, because the executor's image contains that path.
  const mountPath = "/probe";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { generateName: "tiphys-image-volume-probe-", labels: { "app.kubernetes.io/part-of": "tiphys" } },
    spec: {
      nodeName: machine,
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 8737, seccompProfile: { type: "RuntimeDefault" } },
      containers: [{
        name: "main",
        image,
        ...(imagePullPolicy ? { imagePullPolicy } : {}),
        command: [`${mountPath}/bin/argoexec`, "version"],
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        volumeMounts: [{ name: "argoexec-bin", mountPath, readOnly: true }],
      }],
      volumes: [{
        name: "argoexec-bin",
        image: { reference: image, ...(imagePullPolicy ? { pullPolicy: imagePullPolicy } : {}) },
      }],
    },
  };
}

/** Resolves as soon as the pod has succeeded or failed; with "unknown" when the signal is aborted first. */
async function awaitProbe(client: KubeClient, namespace: string, name: string, signal: AbortSignal): Promise<Probe> {
  const pods = new Informer<Pod>(client, PODS, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    convert: readPod,
  });
  let last = "its pod did not start";
  const { promise, resolve } = Promise.withResolvers<Probe>();
  signal.addEventListener("abort", () => resolve({ kind: "unknown", why: last }), { once: true });
  pods.onChange((_type, pod) => {
    const status = pod.status?.containerStatuses?.[0];
    const answer = probeResult(pod, status);
    if (answer) resolve(answer);
    last = status?.state?.waiting?.message ?? status?.state?.waiting?.reason ?? last;
  });
  await pods.start(signal);
  return await promise;
}

function probeResult(pod: Pod, status: ContainerStatus | undefined): Probe | undefined {
  if (pod.status?.phase === "Succeeded") return { kind: "works" };
  const { waiting, terminated } = status?.state ?? {};
  if (pod.status?.phase === "Failed") {
    const why = pod.status.message ?? terminated?.message ?? terminated?.reason ?? "its pod failed";
    return terminated ? { kind: "fails", why } : { kind: "unknown", why };
  }
  const { reason = "", message = reason } = waiting ?? {};
  return waiting && !UNRELATED_REASONS.has(reason) ? { kind: "fails", why: message } : undefined;
}

async function remove(client: KubeClient, namespace: string, name: string): Promise<void> {
  try {
    await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
  }
}
