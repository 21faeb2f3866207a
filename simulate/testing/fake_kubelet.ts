/**
 * A kubelet for tests that runs nothing. Every pod is bound and running as soon as it exists, reports as its executor
 * would, and ends as the test defines.
 *
 * Two other fakes exist: that of `tests/bench`, because its writes are measured, and that of `tests/dst`, whose timing
 * and faults come from a seed.
 */
import type { Pod, Template } from "@tiphys/model/api";
import { ANNOTATION, CONTAINER, ENV, LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { timeText } from "@tiphys/model/status";
import { envOf, type PodEnd } from "../pod_end.ts";
import { sealReport } from "./seal_report.ts";
import { reportOf, withEndedStatus, withRunningStatus } from "../pod_status.ts";

/** Options of the fake kubelet. */
export interface FakeKubeletOptions {
  readonly client: KubeClient;
  /** Returns the end of a pod; undefined for one that runs until `end` is called or it is deleted. */
  readonly play: (pod: Pod, template: Template) => PodEnd | undefined;
  /** Changes the status of an ended pod. */
  readonly changeStatus?: (ended: Pod, template: Template) => Pod;
}

/** The fields of a merge patch that remove the outputs of an earlier pod of the node. */
const NO_OUTPUTS = { parameters: null, result: null, exitCode: null, artifacts: null } as const;

interface RunningPod {
  readonly pod: Pod;
  readonly template: Template;
  isOver: boolean;
}

/** A single Kubernetes node that every pod is bound to. */
export class FakeKubelet implements Disposable {
  readonly #options: FakeKubeletOptions;
  readonly #stop = new AbortController();
  /** By pod UID. */
  readonly #running = new Map<string, RunningPod>();
  readonly #pods: Informer<Pod>;

  constructor(options: FakeKubeletOptions) {
    this.#options = options;
    this.#pods = new Informer<Pod>(options.client, PODS);
  }

  /** Starts to watch pods. */
  async start(): Promise<void> {
    this.#pods.onChange((type, pod) => {
      if (type !== "deleted") void this.#settle(this.#admit(pod));
    });
    await this.#pods.start(this.#stop.signal);
  }

  /** Returns the current version of the pod `namespace/name`. */
  pod(key: string): Pod | undefined {
    return this.#pods.get(key);
  }

  /** Ends the running pod `namespace/name`. */
  async end(key: string, end: PodEnd): Promise<void> {
    const taken = this.#running.get(this.#pods.get(key)?.metadata.uid ?? "");
    if (taken) await this.#settle(this.#end(taken, end));
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #admit(pod: Pod): Promise<void> {
    const { client, play } = this.#options;
    const { uid = "", namespace, name = "", deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) return void await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
    if (this.#running.has(uid)) return;
    const template = JSON.parse(envOf(pod, ENV.template) ?? "{}") as Template;
    const taken = { pod: withRunningStatus(pod, timeText(new Date()), "10.0.0.1"), template, isOver: false };
    this.#running.set(uid, taken);
    await client.patch(PODS, namespace, name, { spec: { nodeName: taken.pod.spec.nodeName } });
    await this.#setStatus(taken.pod);
    await this.#report(taken.pod, undefined);
    const end = play(pod, template);
    if (end) await this.#end(taken, end);
  }

  async #end(running: RunningPod, end: PodEnd): Promise<void> {
    if (running.isOver) return;
    running.isOver = true;
    const { pod, template } = running;
    await this.#report(pod, end);
    const ended = withEndedStatus(pod, template, end, timeText(new Date()));
    await this.#setStatus(this.#options.changeStatus?.(ended, template) ?? ended);
  }

  /** Writes the report as its container does: opened when main starts, completed when main has ended. */
  async #report(pod: Pod, end: PodEnd | undefined): Promise<void> {
    if (!pod.spec.containers.some(({ name }) => name === CONTAINER.supervisor || name === CONTAINER.wait)) return;
    const { client } = this.#options;
    const { namespace, annotations } = pod.metadata;
    const name = annotations?.[ANNOTATION.nodeId] ?? "";
    const { phase, outputs, ...whole } = reportOf(pod, name, end ?? { main: { exitCode: 0 } });
    const labels = { ...whole.metadata.labels, [LABEL.reportOutputsCompleted]: String(end !== undefined) };
    const told = end === undefined ? {} : { phase, outputs };
    const report = sealReport(pod, { ...whole, ...told, metadata: { ...whole.metadata, labels } });
    try {
      await client.create(WORKFLOW_TASK_RESULTS, namespace, report);
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
      const metadata = { labels, annotations: report.metadata.annotations };
      const change = end === undefined
        ? { metadata, phase: null }
        : { metadata, phase: phase ?? null, outputs: outputs ? { ...NO_OUTPUTS, ...outputs } : null };
      await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, change);
    }
  }

  async #setStatus({ metadata, status }: Pod): Promise<void> {
    const { client } = this.#options;
    await client.patch(PODS, metadata.namespace, metadata.name!, { status }, "merge", { subresource: "status" });
  }

  /** Awaits `work`. Errors because the object is gone are ignored. */
  async #settle(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.#stop.signal.aborted && !["notFound", "conflict"].includes(classifyError(error))) throw error;
    }
  }
}
