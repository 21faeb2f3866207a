/** What the containers of a workflow's pods write, line by line. */
import type { Pod, Workflow } from "../lib/api/mod.ts";
import { ANNOTATION, CONTAINER, LABEL } from "../lib/constants.ts";
import { Informer, type KubeClient, type LogOptions, PODS, sortError } from "../lib/kube/mod.ts";

/** Told of each line, and of the pod that wrote it. */
export type LineSink = (pod: Pod, line: string) => void;

/** Which pods, and which lines of theirs. */
export interface PodSelection {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly workflowName: string;
  readonly podName?: string | undefined;
  /** Beside the workflow's own label. */
  readonly labelSelector?: string | undefined;
  readonly options: LogOptions;
}

/** Follows the logs of pods as they start. */
export class LogFollower {
  readonly #selection: PodSelection;
  readonly #sink: LineSink;
  readonly #stop = new AbortController();
  readonly #streams = new Map<string, Promise<void>>();

  constructor(selection: PodSelection, sink: LineSink) {
    this.#selection = selection;
    this.#sink = sink;
  }

  /** Resolves when the pods that are there are followed. */
  async start(): Promise<void> {
    const { client, namespace, podName } = this.#selection;
    const pods = new Informer<Pod>(client, PODS, {
      namespace,
      labelSelector: labelsOf(this.#selection),
      ...(podName ? { fieldSelector: `metadata.name=${podName}` } : {}),
    });
    pods.onChange((_type, pod) => this.#follow(pod));
    await pods.start(this.#stop.signal);
  }

  /** Resolves when every stream has come to its end, which containers that ended make it do. */
  async drained(): Promise<void> {
    await Promise.all(this.#streams.values());
  }

  close(): void {
    this.#stop.abort();
  }

  #follow(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    const { client, namespace, options } = this.#selection;
    if (!hasBegun(pod, options.container) || this.#streams.has(uid)) return;
    const name = pod.metadata.name ?? "";
    const read = async () => {
      for await (const line of logLines(client, namespace, name, { ...options, follow: true }, this.#stop.signal)) {
        this.#sink(pod, line);
      }
    };
    this.#streams.set(uid, read());
  }
}

/** All lines that the pods have written so far, in the order they were written; each begins with its time. */
export async function linesSoFar(selection: PodSelection): Promise<{ pod: Pod; line: string }[]> {
  const { client, namespace, podName, options } = selection;
  const { items } = await client.list<Pod>(PODS, namespace, { labelSelector: labelsOf(selection) });
  const pods = items.filter((pod) => hasStarted(pod) && (!podName || pod.metadata.name === podName));
  const logs = await Promise.all(pods.map(async (pod) => {
    const lines = logLines(client, namespace, pod.metadata.name ?? "", { ...options, timestamps: true });
    return (await Array.fromAsync(lines)).map((line) => ({ pod, line }));
  }));
  const time = ({ line }: { line: string }) => line.slice(0, line.indexOf(" "));
  return logs.flat().sort((a, b) => time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0);
}

/** The lines of one container; none when the pod is gone, or the container has not begun or is not there. */
export async function* logLines(
  client: KubeClient,
  namespace: string,
  pod: string,
  options: LogOptions,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of client.logs(namespace, pod, options, signal)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (!["notFound", "invalid", "transient"].includes(sortError(error)) && !isBadRequest(error)) throw error;
  }
  if (rest !== "") yield rest;
}

/** The container that the person means when none is named. */
export const MAIN: LogOptions = { container: CONTAINER.main };

/** The node of a pod as people know it: its display name, or the pod's name while the status does not have it. */
export function nodeNameOf(pod: Pod, workflow: Workflow | undefined): string {
  const id = pod.metadata.annotations?.[ANNOTATION.nodeId];
  return workflow?.status?.nodes?.[id ?? ""]?.displayName ?? pod.metadata.name ?? "";
}

function labelsOf({ workflowName, labelSelector }: PodSelection): string {
  return [`${LABEL.workflow}=${workflowName}`, labelSelector].filter(Boolean).join(",");
}

function hasStarted({ status }: Pod): boolean {
  return status?.phase !== undefined && status.phase !== "Pending";
}

/** A pod runs as soon as one of its containers does, while the image of another may still be on its way. */
function hasBegun(pod: Pod, container: string | undefined): boolean {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
  return hasStarted(pod) && status?.state?.waiting === undefined;
}

/** How a kubelet says that a container has not begun, or never will. */
function isBadRequest(error: unknown): boolean {
  return (error as { status?: number }).status === 400;
}
