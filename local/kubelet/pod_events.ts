/**
 * Events of pods, as from a kubelet and a scheduler. Equal events are combined, their number is limited, and they
 * expire.
 */
import * as z from "zod";
import type { Pod } from "@tiphys/model/api";
import { timeText } from "@tiphys/model/status";
import { classifyError, EVENTS, type KubeClient } from "@tiphys/kube";

/** An event of a pod. */
export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The field of the pod, such as `spec.containers{main}`; the whole pod by default. */
  readonly part?: string;
  /** The source of the event; the kubelet by default. */
  readonly component?: typeof SCHEDULER;
}

/** The name of the scheduler, as in Kubernetes. */
export const SCHEDULER = "default-scheduler";
const KUBELET = "kubelet";

/** The maximum length of a message for the API server. */
const MAX_MESSAGE = 1024;
/** The maximum number of events. The oldest is removed first. Events are also removed after one hour. */
const MAX_EVENTS = 10_000;
const KEPT_MILLIS = 3_600_000;
/** The maximum number of queued writes. Further events are dropped. */
const MAX_WAITING_EVENTS = 2_000;
/** The maximum number of remembered series. A forgotten series starts again. */
const MAX_SERIES = 2_048;
/** The minimum interval between two writes of a repeated event. */
const REPEAT_MILLIS = 10_000;

/** An event written by a kubelet of this kind. */
const OWN_EVENT = z.object({
  metadata: z.object({ namespace: z.string(), name: z.string(), creationTimestamp: z.string() }),
  source: z.object({ component: z.enum([KUBELET, SCHEDULER]) }),
});

interface StoredEvent {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly at: number;
}

interface Series {
  count: number;
  writtenAt: number;
  name?: string | undefined;
}

export interface PodEventsOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  /** The current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: (subject: string, error: unknown) => void;
}

/** Writes events in the background, one at a time. */
export class PodEvents {
  readonly #options: PodEventsOptions;
  readonly #client: KubeClient;
  readonly #stored: StoredEvent[] = [];
  readonly #series = new Map<string, Series>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #writing: Promise<void> | undefined;
  #isTrouble = false;
  #isClosed = false;

  constructor(options: PodEventsOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
  }

  /** Takes over the events of an earlier kubelet, so that they expire. */
  async adoptEvents(): Promise<void> {
    const { items } = await this.#client.list<object>(EVENTS, undefined);
    for (const item of items) {
      const { data } = OWN_EVENT.safeParse(item);
      if (!data) continue;
      const { namespace, name, creationTimestamp } = data.metadata;
      this.#stored.push({ namespace, name, at: Date.parse(creationTimestamp) || 0 });
    }
    this.#stored.sort((a, b) => a.at - b.at);
  }

  /** Records an event. It is written in the background. */
  record(pod: Pod, event: PodEvent): void {
    const { now } = this.#options;
    const key = [pod.metadata.uid, event.reason, event.part, event.message].join("\n");
    const series = this.#series.get(key) ?? { count: 0, writtenAt: -Infinity };
    this.#series.delete(key);
    this.#series.set(key, series);
    if (this.#series.size > MAX_SERIES) this.#series.delete(this.#series.keys().next().value!);
    series.count++;
    const time = now();
    if (time - series.writtenAt < REPEAT_MILLIS) return;
    series.writtenAt = time;
    this.#write(() => this.#putEvent(pod, event, series, time));
    const isTooMuch = () =>
      this.#stored.length > MAX_EVENTS || this.#stored[0] && time - this.#stored[0].at > KEPT_MILLIS;
    // Events that cannot be removed now are removed later.
    while (isTooMuch() && this.#waiting.length < MAX_WAITING_EVENTS) {
      const { namespace, name } = this.#stored.shift()!;
      this.#write(async () => void await this.#client.delete(EVENTS, namespace, name));
    }
  }

  /** Drops queued events, and resolves when the current write has finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    await this.#writing;
  }

  /** Resolves when all recorded events are written. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #putEvent(pod: Pod, event: PodEvent, series: Series, eventTime: number): Promise<void> {
    const { nodeName } = this.#options;
    const { namespace, name = "", uid, resourceVersion } = pod.metadata;
    const { type, reason, part, component = KUBELET } = event;
    const time = timeText(new Date(eventTime));
    if (series.name !== undefined) {
      const change = { count: series.count, lastTimestamp: time };
      try {
        await this.#client.patch(EVENTS, namespace, series.name, change, "merge", { answer: "metadata" });
        return;
      } catch (error) {
        // The event has expired, so the series continues in a new one.
        if (classifyError(error) !== "notFound") throw error;
      }
    }
    const made = await this.#client.create(EVENTS, namespace, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { generateName: `${name}.`, namespace },
      involvedObject: {
        apiVersion: "v1",
        kind: "Pod",
        name,
        namespace,
        uid,
        resourceVersion,
        ...(part === undefined ? {} : { fieldPath: part }),
      },
      reason,
      message: event.message.slice(0, MAX_MESSAGE),
      type,
      source: { component, ...(component === KUBELET ? { host: nodeName } : {}) },
      reportingComponent: component,
      reportingInstance: component === KUBELET ? nodeName : "",
      firstTimestamp: time,
      lastTimestamp: time,
      count: series.count,
    }, { answer: "metadata" });
    series.name = made.metadata.name;
    this.#stored.push({ namespace, name: made.metadata.name ?? "", at: eventTime });
  }

  #write(write: () => Promise<void>): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING_EVENTS) return;
    this.#waiting.push(write);
    this.#writing ??= this.#writeAll().finally(() => this.#writing = undefined);
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await next();
        this.#isTrouble = false;
      } catch (error) {
        // The event or its namespace has been deleted, so the event is dropped.
        if (classifyError(error) === "notFound" || this.#isClosed) continue;
        if (!this.#isTrouble) this.#options.onError("write events of pods", error);
        this.#isTrouble = true;
      }
    }
  }
}
