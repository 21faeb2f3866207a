/** Reads the logs of a workflow's pods from a cluster, line by line. */
import type { AddressPolicy } from "@tiphys/base/net";
import { type Pod, readPod, type Workflow } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";
import type { LogOptions } from "@tiphys/kube/client";
import { Informer } from "@tiphys/kube/informers";
import { logsOfDeletedPods } from "./archived_logs.ts";
import { firstBytes } from "./first_bytes.ts";
import type { Cluster } from "./change.ts";
import { awaitEnd } from "./follow.ts";
import { linesOfStream, type ReadLine } from "./log_lines.ts";
import { LineQueue } from "./line_queue.ts";
import { mergeLines, timeKey } from "./merge_lines.ts";
import type { LogLine, LogRequest } from "./service.ts";
import { SortedLines, type StreamedLine } from "./sorted_lines.ts";

/** The workflow of a cluster whose pods are read. */
export interface LogTarget extends Cluster {
  readonly namespace: string;
  readonly workflowName: string;
  /** The workflow as it is stored, if already known. */
  readonly workflow?: Workflow | undefined;
  /** The environment of a program with plugins alongside, which may store the logs of deleted pods. */
  readonly beside?: (name: string) => string | undefined;
  /** Decides which addresses of stores may be connected to. By default other machines, except for metadata servers. */
  readonly reach?: AddressPolicy | undefined;
}

/** Yields the lines written so far or, with `follow`, also new lines until the workflow has ended. */
export async function* workflowLogs(
  target: LogTarget,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  for await (const batch of workflowLogBatches(target, request, signal)) yield* batch;
}

/** Yields the same lines in batches, as they are read. */
export async function* workflowLogBatches(
  target: LogTarget,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const batches = request.follow ? linesAsWritten(target, request, signal) : linesSoFar(target, request, signal);
  if (request.grep === undefined) return yield* batches;
  const { filterBatches, lineFilter } = await import("./line_filter.ts");
  const isWanted = lineFilter(request.grep);
  yield* filterBatches(batches, ({ line }) => isWanted(line));
}

/** Yields all lines that the pods have written so far, ordered by time. */
async function* linesSoFar(
  target: LogTarget,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const { client, namespace } = target;
  const labelSelector = labelsOf(target, request);
  const uid = target.workflow?.metadata.uid;
  const items = (await podsOf(client, namespace, labelSelector, signal)).filter((pod) => belongsTo(pod, uid));
  const gone = await logsOfDeletedPods({ ...target, existingPods: namesOf(items) }, request, signal);
  const pods = items.filter(hasPodStarted).filter(({ metadata }) =>
    !request.podName || metadata.name === request.podName
  );
  // Timestamps are needed to order the lines of several pods.
  const options = { ...optionsOf(request), timestamps: true };
  const timeOf = ({ text, isRest }: PodLine) => isRest ? undefined : parseTimestamp(text);
  const ofGone = gone.map(({ podName, from, open }) => ({
    from,
    // Lines without timestamps stay together, at the position of the first one.
    open: async function* () {
      for await (const batch of open()) yield batch.map(({ text }): PodLine => ({ text, isRest: true, podName }));
    },
    timeOf,
  }));
  const logs = pods.map((pod) => {
    const { metadata, status } = pod;
    const podName = metadata.name ?? "";
    const container = containerIn(pod, options.container);
    const open = async function* () {
      const batches = containerLines(client, namespace, podName, { ...options, container }, signal);
      for await (const batch of firstBytes(batches, request.limitBytes, hiddenLengthOf(request))) {
        yield batch.map(({ text, isRest }): PodLine => ({ text, isRest, podName }));
      }
    };
    return { from: status?.startTime ?? "", open, timeOf };
  });
  for await (const batch of mergeLines([...ofGone, ...logs])) {
    yield batch.map(({ podName, text, isRest }) => ({
      podName,
      line: request.timestamps || isRest ? text : removeTimestamp(text),
    }));
  }
}

/** Whether a pod does not belong to another workflow with the same name. */
function belongsTo({ metadata: { ownerReferences = [] } }: Pod, uid: string | undefined): boolean {
  const owner = ownerReferences.find(({ kind }) => kind === "Workflow");
  return uid === undefined || owner === undefined || owner.uid === uid;
}

/** A line, and the pod that wrote it. */
interface PodLine extends ReadLine {
  readonly podName: string;
}

/**
 * Yields lines as they are written, ordered by their timestamps within each second, until the workflow has ended and
 * every stream has ended. Lines of deleted pods come first.
 */
async function* linesAsWritten(
  target: LogTarget,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[]> {
  const items = await podsOf(target.client, target.namespace, labelsOf(target, request), signal);
  for (
    const { podName, open } of await logsOfDeletedPods({ ...target, existingPods: namesOf(items) }, request, signal)
  ) {
    for await (const batch of open()) yield batch.map(({ text }) => ({ podName, line: text }));
  }
  const queue = new LineQueue<LogLine>();
  using sorted = new SortedLines(queue);
  const left = new AbortController();
  const follower = new LogFollower(target, request, AbortSignal.any([signal, left.signal]), queue, sorted);
  const end = async () => {
    await follower.start();
    const { client, namespace, workflowName } = target;
    await awaitEnd(client, namespace, workflowName, follower.signal);
    await follower.whenDrained();
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
  readonly #place: LogTarget;
  readonly #request: LogRequest;
  readonly #lines: LineQueue<LogLine>;
  readonly #sorted: SortedLines<LogLine>;
  readonly #streams = new Map<string, Promise<void>>();

  constructor(
    target: LogTarget,
    request: LogRequest,
    signal: AbortSignal,
    lines: LineQueue<LogLine>,
    sorted: SortedLines<LogLine>,
  ) {
    this.#sorted = sorted;
    this.#place = target;
    this.#request = request;
    this.signal = signal;
    this.#lines = lines;
  }

  /** Resolves when the existing pods are followed. */
  async start(): Promise<void> {
    const { podName } = this.#request;
    const pods = new Informer<Pod>(this.#place.client, PODS, {
      namespace: this.#place.namespace,
      labelSelector: labelsOf(this.#place, this.#request),
      convert: readPod,
      ...(podName ? { fieldSelector: `metadata.name=${podName}` } : {}),
    });
    pods.onChange((_type, pod) => this.#follow(pod));
    await pods.start(this.signal);
  }

  /** Resolves when every stream has ended, which happens when its container ends. */
  async whenDrained(): Promise<void> {
    await Promise.all(this.#streams.values());
  }

  /** Ends all lines with an error, after the lines received so far. */
  fail(error: unknown): void {
    void this.#sorted.flush();
    this.#lines.end(error);
  }

  #follow(pod: Pod): void {
    const { uid = "", name: podName = "" } = pod.metadata;
    const { podName: only, timestamps: areWanted = false } = this.#request;
    // Timestamps are needed to order the lines of several pods.
    const timestamps = only ? areWanted : true;
    const common = optionsOf(this.#request);
    const options = { ...common, container: containerIn(pod, common.container), timestamps, follow: true };
    if (!hasContainerStarted(pod, options.container) || this.#streams.has(uid)) return;
    const { client, namespace } = this.#place;
    const stream = this.#sorted.open();
    const read = async () => {
      try {
        const batches = containerLines(client, namespace, podName, options, this.signal);
        const hidden = timestamps ? hiddenLengthOf(this.#request) : undefined;
        for await (const batch of firstBytes(batches, this.#request.limitBytes, hidden)) {
          await stream.push(batch.map((line) => streamedLine(podName, line, timestamps, areWanted)));
        }
      } finally {
        stream.close();
      }
    };
    // The failure of one stream ends all lines immediately.
    this.#streams.set(uid, read().catch((error) => this.fail(error)));
  }
}

/** Makes a line of the output. Its timestamp determines the order and is shown only if requested. */
function streamedLine(
  podName: string,
  { text, isRest }: ReadLine,
  hasTime: boolean,
  isTimeWanted: boolean,
): StreamedLine<LogLine> {
  const time = hasTime && !isRest ? parseTimestamp(text) : undefined;
  const line = time === undefined || isTimeWanted ? text : removeTimestamp(text);
  return { value: { podName, line }, time: time && timeKey(time), characters: line.length };
}

/**
 * Returns the timestamp at the beginning of a line. Undefined for a line without one, which the kubelet writes in place
 * of a lost log.
 */
function parseTimestamp(text: string): string | undefined {
  const end = text.indexOf(" ");
  return end > 0 && /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, end) : undefined;
}

function removeTimestamp(text: string): string {
  const time = parseTimestamp(text);
  return time === undefined ? text : text.slice(time.length + 1);
}

/** Returns a function for the number of hidden characters of a line: its timestamp, unless requested. */
function hiddenLengthOf({ timestamps }: LogRequest) {
  return ({ text, isRest }: ReadLine) => timestamps || isRest ? 0 : text.length - removeTimestamp(text).length;
}

/** Yields the lines of one container in batches. Empty when the pod or container does not exist, or has not started. */
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
    // A kubelet reports "invalid" if a container has not started or never will.
    if (!["notFound", "invalid", "transient"].includes(classifyError(error))) throw error;
  }
}

/** Returns the pods that labels select. */
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

function optionsOf(request: LogRequest): LogOptions & { readonly container: string } {
  const { container = CONTAINER.main, previous, timestamps, sinceTime, sinceSeconds, tailLines } = request;
  return { container, previous, timestamps, sinceTime, sinceSeconds, tailLines };
}

/** The names of the container that reports, which depends on the layout of its pod. */
const REPORTING: readonly string[] = [CONTAINER.wait, CONTAINER.supervisor];

/** The name of a requested container in a pod: the reporting one may have the name that it has in the other layout. */
function containerIn({ spec }: Pod, requested: string): string {
  const names = spec.containers.map(({ name }) => name);
  if (!REPORTING.includes(requested) || names.includes(requested)) return requested;
  return REPORTING.find((name) => names.includes(name)) ?? requested;
}

function labelsOf({ workflowName }: LogTarget, { labelSelector }: LogRequest): string {
  return [`${LABEL.workflow}=${workflowName}`, labelSelector].filter(Boolean).join(",");
}

function hasPodStarted({ status }: Pod): boolean {
  return status?.phase !== undefined && status.phase !== "Pending";
}

/**
 * Whether a container has started. A pod is running when one of its containers is, while another image may still be
 * pulled.
 */
function hasContainerStarted(pod: Pod, container: string | undefined): boolean {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
  return hasPodStarted(pod) && status?.state?.waiting === undefined;
}
