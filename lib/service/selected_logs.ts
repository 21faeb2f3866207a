/** Reads the logs of pods selected by labels. */
import { type Pod, readPod } from "@tiphys/model/api";
import { type KubeClient, PODS } from "@tiphys/kube";
import type { LogOptions } from "@tiphys/kube/client";
import { Informer } from "@tiphys/kube/informers";
import { LineQueue } from "./line_queue.ts";
import { containerLines, podsOf } from "./logs.ts";

/** A line, and the pod that wrote it. */
export interface PodLine {
  readonly pod: Pod;
  readonly line: string;
}

/** The pods whose logs are read. */
export interface SelectedPods {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly labelSelector: string;
}

/**
 * Yields the lines that the pods have written so far, pod by pod, in batches. With `follow`, also yields new lines,
 * including those of new pods, until the signal is aborted.
 */
export async function* selectedLogs(
  pods: SelectedPods,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly PodLine[]> {
  if (options.follow) return yield* linesAsWritten(pods, options, signal);
  const { client, namespace, labelSelector } = pods;
  for (const pod of await podsOf(client, namespace, labelSelector, signal)) {
    const batches = containerLines(client, namespace, pod.metadata.name ?? "", options, signal);
    for await (const batch of batches) yield batch.map(({ text }) => ({ pod, line: text }));
  }
}

async function* linesAsWritten(
  { client, namespace, labelSelector }: SelectedPods,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly PodLine[]> {
  const queue = new LineQueue<PodLine>();
  const left = new AbortController();
  const all = AbortSignal.any([signal, left.signal]);
  const followed = new Set<string>();
  const follow = async (pod: Pod) => {
    for await (const batch of containerLines(client, namespace, pod.metadata.name ?? "", options, all)) {
      await queue.push(batch.map(({ text }) => ({ pod, line: text })));
    }
  };
  const found = new Informer<Pod>(client, PODS, { namespace, labelSelector, convert: readPod });
  found.onChange((_type, pod) => {
    const { uid = "" } = pod.metadata;
    if (pod.status?.phase === undefined || pod.status.phase === "Pending" || followed.has(uid)) return;
    followed.add(uid);
    follow(pod).catch((error) => queue.end(error));
  });
  const end = () => queue.end();
  all.addEventListener("abort", end, { once: true });
  found.start(all).catch((error) => queue.end(all.aborted ? undefined : error));
  try {
    yield* queue;
  } finally {
    left.abort();
  }
}
