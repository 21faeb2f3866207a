/**
 * Plays the kubelet and the executor for every pod of a namespace: Running at once, after a while the finished report,
 * then Succeeded. A separate process, so that its work is not attributed to a controller. It writes as little as
 * possible, as each write is part of what is measured.
 *
 *     fake_kubelet.ts KUBECONFIG NAMESPACE RUN_MILLIS
 *
 * Prints `ready` when it watches. When its standard input is closed, it prints the times of its pods as JSON and exits.
 */
import type { Pod } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { ANNOTATION, API_VERSION, CONTAINER, LABEL } from "@tiphys/base/constants";
import { classifyError, KubeClient, PODS, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import { connectTransport } from "@tiphys/kube/connections";
import { Informer } from "@tiphys/kube/informers";
import { keyOf, sealReport } from "../../simulate/testing/seal_report.ts";
import { timeText } from "@tiphys/model/status";

/** The times at which a pod was first seen and its end was written, in milliseconds of this process's clock. */
export interface PodTimes {
  readonly name: string;
  readonly seen: number;
  readonly ended: number;
}

/** Simulates the life of one pod. */
export async function simulatePod(client: KubeClient, pod: Pod, runMillis: number): Promise<void> {
  await setStatus(client, pod, "Running");
  await pause(systemClock, runMillis);
  if (hasExecutor(pod)) await report(client, pod);
  await setStatus(client, pod, "Succeeded");
}

/** Writes the status of a pod whose containers are all running, or have all succeeded. */
export async function setStatus(client: KubeClient, pod: Pod, phase: "Running" | "Succeeded"): Promise<void> {
  const time = timeText(new Date());
  const over = { terminated: { exitCode: 0, reason: "Completed", startedAt: time, finishedAt: time } };
  const statusOf = (state: object) => ({ name, image }: { name: string; image?: string }) => ({
    name,
    image: image ?? "",
    imageID: image ?? "",
    containerID: `fake://${name}`,
    ready: phase === "Running",
    restartCount: 0,
    state,
  });
  const { containers, initContainers } = pod.spec;
  const status = {
    phase,
    startTime: time,
    podIP: "10.0.0.1",
    containerStatuses: containers.map(statusOf(phase === "Running" ? { running: { startedAt: time } } : over)),
    ...(initContainers?.length ? { initContainerStatuses: initContainers.map(statusOf(over)) } : {}),
  };
  const { namespace, name } = pod.metadata;
  await client.patch(PODS, namespace, name!, { status }, "merge", { subresource: "status" });
}

function hasExecutor(pod: Pod): boolean {
  return pod.spec.containers.some(({ name }) => name === CONTAINER.supervisor || name === CONTAINER.wait);
}

/**
 * Writes the report of a container without outputs, as the executor would. If the pod has a key, the report states that
 * main succeeded, and is sealed. Argo's pods have no key and leave that to the kubelet.
 */
async function report(client: KubeClient, pod: Pod): Promise<void> {
  const { namespace, annotations, labels } = pod.metadata;
  const metadata = {
    name: annotations?.[ANNOTATION.nodeId],
    labels: { [LABEL.workflow]: labels?.[LABEL.workflow] ?? "", [LABEL.reportOutputsCompleted]: "true" },
  };
  const phase = keyOf(pod) === undefined ? {} : { phase: "Succeeded" as const };
  const report = sealReport(pod, { apiVersion: API_VERSION, kind: "WorkflowTaskResult", metadata, ...phase });
  await client.create(WORKFLOW_TASK_RESULTS, namespace, report);
}

async function main([kubeconfig, namespace, runMillis]: string[]): Promise<void> {
  const client = new KubeClient(await connectTransport({ kubeconfig }));
  const times: PodTimes[] = [];
  const lives = new Set<Promise<void>>();
  const pods = new Informer<Pod>(client, PODS, { namespace, onError: (error) => console.error(String(error)) });
  pods.onChange((type, pod) => {
    if (type !== "added" || (pod.status?.phase ?? "Pending") !== "Pending") return;
    const seen = performance.now();
    const name = pod.metadata.name!;
    const life = simulatePod(client, pod, Number(runMillis)).then(
      () => void times.push({ name, seen, ended: performance.now() }),
      (error) => {
        if (classifyError(error) !== "notFound") console.error(name, String(error));
      },
    ).finally(() => lives.delete(life));
    lives.add(life);
  });
  const stop = new AbortController();
  await pods.start(stop.signal);
  console.log("ready");
  for await (const _ of Deno.stdin.readable);
  await Promise.all(lives);
  console.log(JSON.stringify(times));
  Deno.exit(0);
}

if (import.meta.main) await main(Deno.args);
