/** The events of pods, as a kubelet and a scheduler tell them: few, those that are alike in one, and forgotten after an hour. */
import * as z from "zod";
import type { Pod } from "@tiphys/model/api";
import { timeText } from "@tiphys/model/status";
import { EVENTS, type KubeClient, sortError } from "@tiphys/kube";

/** What is told of a pod. */
export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The field that is meant, such as `spec.containers{main}`; the whole pod where it is left out. */
  readonly part?: string;
  /** Who tells it; the kubelet where it is left out. */
  readonly component?: typeof SCHEDULER;
}

/** The name of the scheduler, as Kubernetes has it. */
export const SCHEDULER = "default-scheduler";
const KUBELET = "kubelet";

/** The longest message that the API server takes. */
const MAX_MESSAGE = 1024;
/** The most events that are kept; the oldest goes first, as does one that is an hour old. */
const MOST_KEPT = 10_000;
const KEPT_MILLIS = 3_600_000;
/** The most writes that wait; what comes beyond them is not told. */
const MOST_WAITING = 2_000;
/** The most series that are remembered; what is forgotten is told anew. */
const MOST_SERIES = 2_048;
/** An event that is told again and again is written once in this time. */
const REPEAT_MILLIS = 10_000;

/** An event that a kubelet of this kind wrote. */
const OWN_EVENT = z.object({
  metadata: z.object({ namespace: z.string(), name: z.string(), creationTimestamp: z.string() }),
  source: z.object({ component: z.enum([KUBELET, SCHEDULER]) }),
});

interface Kept {
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
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (what: string, error: unknown) => void;
}

/** Writes events in the background, one after the other. */
export class PodEvents {
  readonly #options: PodEventsOptions;
  readonly #client: KubeClient;
  readonly #kept: Kept[] = [];
  readonly #series = new Map<string, Series>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #writing: Promise<void> | undefined;
  #isTrouble = false;
  #isOver = false;

  constructor(options: PodEventsOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
  }

  /** Takes over the events that an earlier kubelet wrote, so that they are forgotten in their time. */
  async adopt(): Promise<void> {
    const { items } = await this.#client.list<object>(EVENTS, undefined);
    for (const item of items) {
      const { data } = OWN_EVENT.safeParse(item);
      if (!data) continue;
      const { namespace, name, creationTimestamp } = data.metadata;
      this.#kept.push({ namespace, name, at: Date.parse(creationTimestamp) || 0 });
    }
    this.#kept.sort((a, b) => a.at - b.at);
  }

  /** Tells something of a pod; nothing is waited for. */
  tell(pod: Pod, event: PodEvent): void {
    const { now } = this.#options;
    const key = [pod.metadata.uid, event.reason, event.part, event.message].join("\n");
    const series = this.#series.get(key) ?? { count: 0, writtenAt: -Infinity };
    this.#series.delete(key);
    this.#series.set(key, series);
    if (this.#series.size > MOST_SERIES) this.#series.delete(this.#series.keys().next().value!);
    series.count++;
    const at = now();
    if (at - series.writtenAt < REPEAT_MILLIS) return;
    series.writtenAt = at;
    this.#write(() => this.#put(pod, event, series, at));
    const isTooMuch = () => this.#kept.length > MOST_KEPT || this.#kept[0] && at - this.#kept[0].at > KEPT_MILLIS;
    // One that cannot be forgotten now is forgotten later.
    while (isTooMuch() && this.#waiting.length < MOST_WAITING) {
      const { namespace, name } = this.#kept.shift()!;
      this.#write(async () => void await this.#client.delete(EVENTS, namespace, name));
    }
  }

  /** Tells nothing more, and resolves when what is being written is written. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#waiting.length = 0;
    await this.#writing;
  }

  /** Resolves when everything that was told is written. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #put(pod: Pod, event: PodEvent, series: Series, at: number): Promise<void> {
    const { nodeName } = this.#options;
    const { namespace, name = "", uid, resourceVersion } = pod.metadata;
    const { type, reason, part, component = KUBELET } = event;
    const time = timeText(new Date(at));
    if (series.name !== undefined) {
      const change = { count: series.count, lastTimestamp: time };
      try {
        await this.#client.patch(EVENTS, namespace, series.name, change, "merge", { answer: "metadata" });
        return;
      } catch (error) {
        // It was forgotten in its time: what goes on is told in another.
        if (sortError(error) !== "notFound") throw error;
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
    this.#kept.push({ namespace, name: made.metadata.name ?? "", at });
  }

  #write(write: () => Promise<void>): void {
    if (this.#isOver || this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push(write);
    this.#writing ??= this.#writeAll().finally(() => this.#writing = undefined);
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await next();
        this.#isTrouble = false;
      } catch (error) {
        // The event or its namespace is gone: there is nobody to tell.
        if (sortError(error) === "notFound" || this.#isOver) continue;
        if (!this.#isTrouble) this.#options.onError("write events of pods", error);
        this.#isTrouble = true;
      }
    }
  }
}
