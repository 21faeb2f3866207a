/** Recording of events about objects. Similar events are aggregated. */
import { classifyError, EVENTS, type KubeClient, type KubeObject } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "./clock.ts";
import { eventName, eventOf, type EventText, type NewEvent, type Subject } from "./event.ts";

/** The kind of objects that a recorder writes events about, and the client to write them with. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly clock: Clock;
  /** The kind of the objects that the events are about. */
  readonly kind: string;
  /** The time for which events are collected before an aggregated one is written, in milliseconds. */
  readonly gatherMillis?: number;
  /**
   * Whether events are similar only if their annotations are equal, so that events of different nodes are not
   * aggregated.
   */
  readonly byAnnotations?: boolean | undefined;
}

/**
 * The number of events of an object with the same reason that are written separately within ten minutes, as in
 * Kubernetes' recorder.
 */
const MAX_SEPARATE_EVENTS = 10;
const WINDOW_MILLIS = 600_000;
const GATHER_MILLIS = 1000;
const NANOS_PER_MILLI = 1_000_000n;
/** The maximum number of names to try for one event. */
const MAX_NAME_TRIES = 5;
/**
 * The maximum number of series of events to remember. The oldest is forgotten, and its events are then written
 * separately again.
 */
const MAX_SERIES = 4096;

/**
 * Records events in the background. Of similar events (the same object, type and reason), the first ten are written
 * separately; then one more, "(combined from similar events): ...", counts the others and contains the latest message.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #client: KubeClient;
  readonly #series = new Map<string, Series>();
  readonly #writesInFlight = new Set<Promise<void>>();
  /** Cancels the timer. */
  #timer: (() => void) | undefined;
  #unwritten = new Set<Series>();
  /** The timestamp in the name of the last event. Each event gets a later one. */
  #lastNanos = 0n;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
  }

  /** Records an event in the background. */
  record(subject: Subject, event: EventText): void {
    const { kind, clock } = this.#options;
    const now = new Date(clock.now());
    const series = this.#seriesOf(this.#similarityKey(subject, event), now.getTime());
    series.seen++;
    if (series.seen <= MAX_SEPARATE_EVENTS) {
      const written = eventOf(kind, subject, event, now, this.#nameOf((event.pod ?? subject.metadata).name));
      return this.#runLogged(() => this.#create(written));
    }
    series.latest = { subject, event, now };
    this.#unwritten.add(series);
    this.#timer ??= clock.after(this.#options.gatherMillis ?? GATHER_MILLIS, () => this.#writeCombined());
  }

  /** Writes the collected events; resolves when everything has been written. */
  async flush(): Promise<void> {
    do {
      this.#writeCombined();
      await Promise.all(this.#writesInFlight);
    } while (this.#writesInFlight.size + this.#unwritten.size);
  }

  /** A key that is equal for similar events. */
  #similarityKey({ metadata }: Subject, { type, reason, annotations = {}, pod }: EventText): string {
    const { uid } = pod ?? metadata;
    const distinction = this.#options.byAnnotations ? JSON.stringify(Object.entries(annotations).toSorted()) : "";
    return `${uid} ${type} ${reason} ${distinction}`;
  }

  #seriesOf(key: string, now: number): Series {
    let series = this.#series.get(key);
    this.#series.delete(key);
    if (!series || now - series.last > WINDOW_MILLIS) series = { seen: 0, last: now, write: Promise.resolve() };
    series.last = now;
    this.#series.set(key, series);
    if (this.#series.size > MAX_SERIES) this.#series.delete(this.#series.keys().next().value!);
    return series;
  }

  #writeCombined(): void {
    this.#timer?.();
    this.#timer = undefined;
    for (const series of this.#unwritten) {
      this.#runLogged(() => series.write = series.write.catch(() => {}).then(() => this.#combine(series)));
    }
    this.#unwritten = new Set();
  }

  async #combine(series: Series): Promise<void> {
    const { subject, event: latest, now } = series.latest!;
    const message = `(combined from similar events): ${latest.message}`;
    const event = {
      ...eventOf(
        this.#options.kind,
        subject,
        { ...latest, message },
        now,
        this.#nameOf((latest.pod ?? subject.metadata).name),
      ),
      count: series.seen - MAX_SEPARATE_EVENTS,
    };
    if (series.combined === undefined) {
      series.combined = (await this.#create(event)).metadata.name;
      return;
    }
    const { count, lastTimestamp, metadata: { namespace } } = event;
    const change = { message: event.message, count, lastTimestamp };
    await this.#client.patch(EVENTS, namespace, series.combined, change, "merge", { answer: "metadata" });
  }

  /**
   * Creates an event. If its name is taken, another client writes events about an object of that name, and another name
   * is tried.
   */
  async #create(event: NewEvent): Promise<KubeObject> {
    let { metadata } = event;
    for (let tries = 1;; tries++) {
      try {
        return await this.#client.create(EVENTS, metadata.namespace, { ...event, metadata }, { answer: "metadata" });
      } catch (error) {
        if (classifyError(error) !== "alreadyExists" || tries === MAX_NAME_TRIES) throw error;
        metadata = { ...metadata, name: this.#nameOf(event.involvedObject.name) };
      }
    }
  }

  #nameOf(object = ""): string {
    const nanos = BigInt(this.#options.clock.now()) * NANOS_PER_MILLI;
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    return eventName(object, this.#lastNanos);
  }

  /** Failing to write an event is only logged. */
  #runLogged(write: () => Promise<unknown>): void {
    const run = write().then(() => {}, (error) => {
      if (classifyError(error) !== "notFound") {
        this.#options.log.warn("Could not record an event", { error: String(error) });
      }
    }).finally(() => this.#writesInFlight.delete(run));
    this.#writesInFlight.add(run);
  }
}

/** A series of similar events. */
interface Series {
  seen: number;
  /** The time of the last one, in milliseconds since 1970. */
  last: number;
  latest?: { readonly subject: Subject; readonly event: EventText; readonly now: Date };
  /** The name of the aggregated event. */
  combined?: string | undefined;
  /** The last write of that event. Writes are sequential. */
  write: Promise<void>;
}
