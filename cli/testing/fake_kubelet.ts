/** Pods that start as soon as they are there, and end as a test says. */
import type { Pod, WorkflowTaskResult } from "../../lib/api/mod.ts";
import { ANNOTATION, API_VERSION, CONTAINER, LABEL } from "../../lib/constants.ts";
import { Informer, PODS, sortError, WORKFLOW_TASK_RESULTS } from "../../lib/kube/mod.ts";
import type { ApiServer } from "../../local/api/mod.ts";

/** How a pod ends. */
export interface PodEnd {
  /** The exit code of `main`; the pod goes on until it is deleted when it is undefined. */
  readonly exitCode: number | undefined;
  readonly log?: string;
}

/** Starts it. `close` ends it. */
export async function startFakeKubelet(
  api: ApiServer,
  endOf: (nodeName: string) => PodEnd | undefined,
): Promise<{ close(): void }> {
  const stop = new AbortController();
  const client = api.client();
  const started = new Set<string>();
  const pods = new Informer<Pod>(client, PODS);
  const end = (pod: Pod): PodEnd => endOf(pod.metadata.annotations?.[ANNOTATION.nodeName] ?? "") ?? { exitCode: 0 };
  api.useKubelet({
    logs(namespace, name) {
      const pod = pods.get(`${namespace}/${name}`);
      return ReadableStream.from([new TextEncoder().encode((pod && end(pod).log) ?? "")]);
    },
    exec: (_namespace, name) => Promise.reject(new Error(`nothing can be run in ${name}`)),
  });
  pods.onChange((type, pod) => {
    const { uid = "", namespace = "", name = "", deletionTimestamp } = pod.metadata;
    if (type === "deleted") return;
    if (deletionTimestamp) return void settle(client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 }));
    if (started.has(uid)) return;
    started.add(uid);
    void settle(play(pod, end(pod).exitCode));
  });

  async function play(pod: Pod, exitCode: number | undefined): Promise<void> {
    const { namespace, name = "", annotations } = pod.metadata;
    const at = `${new Date().toISOString().slice(0, 19)}Z`;
    const state = (running: boolean) =>
      running ? { running: { startedAt: at } } : {
        terminated: {
          exitCode: exitCode ?? 0,
          reason: exitCode ? "Error" : "Completed",
          startedAt: at,
          finishedAt: at,
        },
      };
    const status = (phase: string, running: boolean) => ({
      phase,
      startTime: at,
      containerStatuses: pod.spec?.containers.map((container) => ({
        name: container.name,
        ready: running,
        restartCount: 0,
        image: container.image ?? "",
        imageID: "",
        state: container.name === CONTAINER.main ? state(running) : running ? state(true) : done(at),
      })),
    });
    const write = (body: unknown) =>
      client.patch(PODS, namespace, name, { status: body }, "merge", { subresource: "status" });
    await client.patch(PODS, namespace, name, { spec: { nodeName: "fake" } });
    await write(status("Running", true));
    if (exitCode === undefined) return;
    const report: WorkflowTaskResult = {
      apiVersion: API_VERSION,
      kind: "WorkflowTaskResult",
      metadata: {
        name: annotations?.[ANNOTATION.nodeId] ?? name,
        labels: {
          [LABEL.workflow]: pod.metadata.labels?.[LABEL.workflow] ?? "",
          [LABEL.reportOutputsCompleted]: "true",
        },
      },
    };
    await settle(client.create(WORKFLOW_TASK_RESULTS, namespace, report));
    await write(status(exitCode === 0 ? "Succeeded" : "Failed", false));
  }

  /** What is gone, or there already, needs nothing more. */
  async function settle(act: Promise<unknown>): Promise<void> {
    try {
      await act;
    } catch (error) {
      if (!stop.signal.aborted && !["notFound", "alreadyExists", "conflict"].includes(sortError(error))) throw error;
    }
  }

  await pods.start(stop.signal);
  return { close: () => stop.abort() };
}

function done(at: string) {
  return { terminated: { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at } };
}
