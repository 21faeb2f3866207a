/**
 * The kubelet of tests over a client: it runs nothing. Every pod is bound and runs as soon as it is there, reports as its
 * executor would, and ends as the test says.
 *
 * Two others stay beside it: that of `tests/bench`, as what a measurement writes is what is measured, and that of
 * `tests/dst`, whose time and mishaps a seed decides.
 */
import type { Pod, Template } from "../../lib/api/mod.ts";
import { ANNOTATION, CONTAINER, ENV, LABEL } from "../../lib/constants.ts";
import { Informer, type KubeClient, PODS, sortError, WORKFLOW_TASK_RESULTS } from "../../lib/kube/mod.ts";
import { timeText } from "../../lib/status/mod.ts";
import { envOf, type PodEnd } from "../pod_end.ts";
import { sealed } from "./seal_report.ts";
import { asEnded, asRunning, reportOf } from "../pod_status.ts";

/** Options of a kubelet: a test's say about its pods. */
export interface FakeKubeletOptions {
  readonly client: KubeClient;
  /** The end of a pod; undefined for one that goes on until `end` is called, or it is deleted. */
  readonly play: (pod: Pod, template: Template) => PodEnd | undefined;
  /** Changes what is seen of a pod that has ended. */
  readonly adorn?: (ended: Pod, template: Template) => Pod;
}

/** In a patch: nothing is left of what an earlier pod of the node told. */
const NOTHING_TOLD = { parameters: null, result: null, exitCode: null, artifacts: null } as const;

interface Taken {
  readonly pod: Pod;
  readonly template: Template;
  isOver: boolean;
}

/** One machine that takes every pod. */
export class FakeKubelet implements Disposable {
  readonly #options: FakeKubeletOptions;
  readonly #stop = new AbortController();
  /** By the pods' UIDs. */
  readonly #taken = new Map<string, Taken>();
  readonly #pods: Informer<Pod>;

  constructor(options: FakeKubeletOptions) {
    this.#options = options;
    this.#pods = new Informer<Pod>(options.client, PODS);
  }

  /** Takes pods from now on. */
  async start(): Promise<void> {
    this.#pods.onChange((type, pod) => {
      if (type !== "deleted") void this.#settle(this.#see(pod));
    });
    await this.#pods.start(this.#stop.signal);
  }

  /** A pod as it is now, `namespace/name`. */
  pod(key: string): Pod | undefined {
    return this.#pods.get(key);
  }

  /** Ends a pod, `namespace/name`, that runs. */
  async end(key: string, how: PodEnd): Promise<void> {
    const taken = this.#taken.get(this.#pods.get(key)?.metadata.uid ?? "");
    if (taken) await this.#settle(this.#end(taken, how));
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #see(pod: Pod): Promise<void> {
    const { client, play } = this.#options;
    const { uid = "", namespace, name = "", deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) return void await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
    if (this.#taken.has(uid)) return;
    const template = JSON.parse(envOf(pod, ENV.template) ?? "{}") as Template;
    const taken = { pod: asRunning(pod, timeText(new Date()), "10.0.0.1"), template, isOver: false };
    this.#taken.set(uid, taken);
    await client.patch(PODS, namespace, name, { spec: { nodeName: taken.pod.spec.nodeName } });
    await this.#setStatus(taken.pod);
    await this.#report(taken.pod, undefined);
    const end = play(pod, template);
    if (end) await this.#end(taken, end);
  }

  async #end(taken: Taken, how: PodEnd): Promise<void> {
    if (taken.isOver) return;
    taken.isOver = true;
    const { pod, template } = taken;
    await this.#report(pod, how);
    const ended = asEnded(pod, template, how, timeText(new Date()));
    await this.#setStatus(this.#options.adorn?.(ended, template) ?? ended);
  }

  /** The report as its container opens it when main is let go, and makes it whole when main has ended. */
  async #report(pod: Pod, how: PodEnd | undefined): Promise<void> {
    if (!pod.spec.containers.some(({ name }) => name === CONTAINER.supervisor || name === CONTAINER.wait)) return;
    const { client } = this.#options;
    const { namespace, annotations } = pod.metadata;
    const name = annotations?.[ANNOTATION.nodeId] ?? "";
    const { phase, outputs, ...whole } = reportOf(pod, name, how ?? { main: { exitCode: 0 } });
    const labels = { ...whole.metadata.labels, [LABEL.reportOutputsCompleted]: String(how !== undefined) };
    const told = how === undefined ? {} : { phase, outputs };
    const report = sealed(pod, { ...whole, ...told, metadata: { ...whole.metadata, labels } });
    try {
      await client.create(WORKFLOW_TASK_RESULTS, namespace, report);
    } catch (error) {
      if (sortError(error) !== "alreadyExists") throw error;
      const metadata = { labels, annotations: report.metadata.annotations };
      const change = how === undefined
        ? { metadata, phase: null }
        : { metadata, phase: phase ?? null, outputs: outputs ? { ...NOTHING_TOLD, ...outputs } : null };
      await client.patch(WORKFLOW_TASK_RESULTS, namespace, name, change);
    }
  }

  async #setStatus({ metadata, status }: Pod): Promise<void> {
    const { client } = this.#options;
    await client.patch(PODS, metadata.namespace, metadata.name!, { status }, "merge", { subresource: "status" });
  }

  /** Awaits work; an object that is gone meanwhile needs nothing more. */
  async #settle(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.#stop.signal.aborted && !["notFound", "conflict"].includes(sortError(error))) throw error;
    }
  }
}
