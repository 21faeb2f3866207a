/** The logs of a workflow's pods, line by line, read from a cluster. */
import type { Reach } from "../net/mod.ts";
import { type Pod, readPod, type Workflow } from "../api/mod.ts";
import { CONTAINER, LABEL } from "../constants.ts";
import { Informer, type KubeClient, type LogOptions, PODS, sortError } from "../kube/mod.ts";
import { goneLogs } from "./archived_logs.ts";
import { firstBytes } from "./first_bytes.ts";
import type { Cluster } from "./change.ts";
import { awaitEnd } from "./follow.ts";
import { linesOfStream, type ReadLine } from "./log_lines.ts";
import { LineQueue } from "./line_queue.ts";
import { mergeLines, timeKey } from "./merge_lines.ts";
import type { LogLine, LogRequest } from "./service.ts";
import { SortedLines, type StreamedLine } from "./sorted_lines.ts";

/** The workflow of a cluster whose pods are read. */
export interface LogPlace extends Cluster {
  readonly namespace: string;
  readonly workflowName: string;
  /** The workflow as it is stored, where it is known already. */
  readonly workflow?: Workflow | undefined;
  /** The environment of a program that has plugins beside it: those may keep the logs of pods that are gone. */
  readonly beside?: (name: string) => string | undefined;
  /** Decides which addresses of stores are connected to; by default those of other machines, and no metadata. */
  readonly reach?: Reach | undefined;
}

/** The lines that were written so far, or, with `follow`, those and all that come until the workflow has ended. */
export async function* workflowLogs(
  place: LogPlace,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  for await (const batch of workflowLogBatches(place, request, signal)) yield* batch;
}

/** The same lines in batches, as they are read. */
export async function* workflowLogBatches(
  place: LogPlace,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const batches = request.follow ? linesAsWritten(place, request, signal) : linesSoFar(place, request, signal);
  if (request.grep === undefined) return yield* batches;
  const isWanted = (await import("./line_filter.ts")).lineFilter(request.grep);
  for await (const batch of batches) {
    const wanted = batch.filter(({ line }) => isWanted(line));
    if (wanted.length > 0) yield wanted;
  }
}

/** All lines that the pods have written so far, in the order they were written. */
async function* linesSoFar(
  place: LogPlace,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const { client, namespace } = place;
  const labelSelector = labelsOf(place, request);
  const uid = place.workflow?.metadata.uid;
  const items = (await podsOf(client, namespace, labelSelector, signal)).filter((pod) => isOf(pod, uid));
  const gone = await goneLogs({ ...place, there: namesOf(items) }, request, signal);
  const pods = items.filter(hasStarted).filter(({ metadata }) => !request.podName || metadata.name === request.podName);
  // Their times bring the lines of several pods into order.
  const options = { ...optionsOf(request), timestamps: true };
  const timeOf = ({ text, isRest }: PodLine) => isRest ? undefined : timeAt(text);
  const ofGone = gone.map(({ podName, from, open }) => ({
    from,
    // Lines without times stay together, where the first of them would stand.
    open: async function* () {
      for await (const batch of open()) yield batch.map(({ text }): PodLine => ({ text, isRest: true, podName }));
    },
    timeOf,
  }));
  const logs = pods.map(({ metadata, status }) => {
    const podName = metadata.name ?? "";
    const open = async function* () {
      const batches = containerLines(client, namespace, podName, options, signal);
      for await (const batch of firstBytes(batches, request.limitBytes, hiddenIn(request))) {
        yield batch.map(({ text, isRest }): PodLine => ({ text, isRest, podName }));
      }
    };
    return { from: status?.startTime ?? "", open, timeOf };
  });
  for await (const batch of mergeLines([...ofGone, ...logs])) {
    yield batch.map(({ podName, text, isRest }) => ({
      podName,
      line: request.timestamps || isRest ? text : withoutTime(text),
    }));
  }
}

/** Whether a pod is no other workflow's, of one that has, or had, the same name. */
function isOf({ metadata: { ownerReferences = [] } }: Pod, uid: string | undefined): boolean {
  const owner = ownerReferences.find(({ kind }) => kind === "Workflow");
  return uid === undefined || owner === undefined || owner.uid === uid;
}

/** A line that was read, and the pod that wrote it. */
interface PodLine extends ReadLine {
  readonly podName: string;
}

/**
 * Lines as they are written, those of one second by their times, until the workflow has ended and every stream has come to its
 * end; those of pods that are gone come first.
 */
async function* linesAsWritten(
  place: LogPlace,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const items = await podsOf(place.client, place.namespace, labelsOf(place, request), signal);
  for (const { podName, open } of await goneLogs({ ...place, there: namesOf(items) }, request, signal)) {
    for await (const batch of open()) yield batch.map(({ text }) => ({ podName, line: text }));
  }
  const queue = new LineQueue<LogLine>();
  using sorted = new SortedLines(queue);
  const left = new AbortController();
  const follower = new LogFollower(place, request, AbortSignal.any([signal, left.signal]), queue, sorted);
  const end = async () => {
    await follower.start();
    const { client, namespace, workflowName } = place;
    await awaitEnd(client, namespace, workflowName, follower.signal);
    await follower.drained();
    await sorted.flush();
  };
  end().then(() => queue.end(), (error) => follower.fail(signal.aborted ? undefined : error));
  try {
    yield* queue;
  } finally {
    left.abort();
  }
}

/** Follows the logs of pods as they start. */
class LogFollower {
  readonly signal: AbortSignal;
  readonly #place: LogPlace;
  readonly #request: LogRequest;
  readonly #lines: LineQueue<LogLine>;
  readonly #sorted: SortedLines<LogLine>;
  readonly #streams = new Map<string, Promise<void>>();

  constructor(
    place: LogPlace,
    request: LogRequest,
    signal: AbortSignal,
    lines: LineQueue<LogLine>,
    sorted: SortedLines<LogLine>,
  ) {
    this.#sorted = sorted;
    this.#place = place;
    this.#request = request;
    this.signal = signal;
    this.#lines = lines;
  }

  /** Resolves when the pods that are there are followed. */
  async start(): Promise<void> {
    const { podName } = this.#request;
    const pods = new Informer<Pod>(this.#place.client, PODS, {
      namespace: this.#place.namespace,
      labelSelector: labelsOf(this.#place, this.#request),
      enter: readPod,
      ...(podName ? { fieldSelector: `metadata.name=${podName}` } : {}),
    });
    pods.onChange((_type, pod) => this.#follow(pod));
    await pods.start(this.signal);
  }

  /** Resolves when every stream has come to its end, which containers that ended make it do. */
  async drained(): Promise<void> {
    await Promise.all(this.#streams.values());
  }

  /** Ends all lines with an error, behind those that came before it. */
  fail(error: unknown): void {
    void this.#sorted.flush();
    this.#lines.end(error);
  }

  #follow(pod: Pod): void {
    const { uid = "", name: podName = "" } = pod.metadata;
    const { podName: only, timestamps: areWanted = false } = this.#request;
    // Their times bring the lines of several pods into order.
    const timestamps = only ? areWanted : true;
    const options = { ...optionsOf(this.#request), timestamps, follow: true };
    if (!hasBegun(pod, options.container) || this.#streams.has(uid)) return;
    const { client, namespace } = this.#place;
    const stream = this.#sorted.open();
    const read = async () => {
      try {
        const batches = containerLines(client, namespace, podName, options, this.signal);
        const hidden = timestamps ? hiddenIn(this.#request) : undefined;
        for await (const batch of firstBytes(batches, this.#request.limitBytes, hidden)) {
          await stream.push(batch.map((line) => streamedLine(podName, line, timestamps, areWanted)));
        }
      } finally {
        stream.close();
      }
    };
    // The failure of one stream ends all lines at once.
    this.#streams.set(uid, read().catch((error) => this.fail(error)));
  }
}

/** A line as it is handed on: its time says when it was written, and is shown only where it is wanted. */
function streamedLine(
  podName: string,
  { text, isRest }: ReadLine,
  hasTime: boolean,
  isTimeWanted: boolean,
): StreamedLine<LogLine> {
  const time = hasTime && !isRest ? timeAt(text) : undefined;
  const line = time === undefined || isTimeWanted ? text : withoutTime(text);
  return { value: { podName, line }, time: time && timeKey(time), characters: line.length };
}

/** The time that a line begins with; undefined for one without, which the kubelet itself puts in the place of a lost log. */
function timeAt(text: string): string | undefined {
  const end = text.indexOf(" ");
  return end > 0 && /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, end) : undefined;
}

function withoutTime(text: string): string {
  const time = timeAt(text);
  return time === undefined ? text : text.slice(time.length + 1);
}

/** The number of characters of a line that are not shown: its time, where that is not wanted. */
function hiddenIn({ timestamps }: LogRequest) {
  return ({ text, isRest }: ReadLine) => timestamps || isRest ? 0 : text.length - withoutTime(text).length;
}

/** The lines of one container, in batches; none when the pod is gone, or the container has not begun or is not there. */
export async function* containerLines(
  client: KubeClient,
  namespace: string,
  pod: string,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly ReadLine[]> {
  try {
    yield* linesOfStream(client.logs(namespace, pod, options, signal));
  } catch (error) {
    if (signal.aborted) return;
    // A kubelet calls it invalid when a container has not begun, or never will.
    if (!["notFound", "invalid", "transient"].includes(sortError(error))) throw error;
  }
}

/** The pods that labels select. */
export async function podsOf(
  client: KubeClient,
  namespace: string,
  labelSelector: string,
  signal?: AbortSignal,
): Promise<Pod[]> {
  const { items } = await client.list<object>(PODS, namespace, { labelSelector }, signal);
  return items.map(readPod);
}

function namesOf(pods: readonly Pod[]): Set<string> {
  return new Set(pods.map(({ metadata }) => metadata.name ?? ""));
}

function optionsOf(request: LogRequest): LogOptions {
  const { container = CONTAINER.main, previous, timestamps, sinceTime, sinceSeconds, tailLines } = request;
  return { container, previous, timestamps, sinceTime, sinceSeconds, tailLines };
}

function labelsOf({ workflowName }: LogPlace, { labelSelector }: LogRequest): string {
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
