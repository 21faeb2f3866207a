/** Writing events about objects, few for much that is alike. */
import { EVENTS, type KubeClient, type KubeObject, sortError } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "./clock.ts";
import { eventName, eventOf, type EventText, type NewEvent, type Subject } from "./event.ts";

/** The kind of objects that a recorder writes events about, and the means to write them. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly clock: Clock;
  /** The kind of the objects that the events are about. */
  readonly kind: string;
  /** The time in milliseconds for which events are gathered before a combined one is written. */
  readonly gatherMillis?: number;
  /** Whether events with other annotations, such as those of other nodes, are not alike. */
  readonly byAnnotations?: boolean | undefined;
}

/**
 * The number of events of an object with the same reason that are written one by one in ten minutes, as Kubernetes's
 * own recorder does.
 */
const ONE_BY_ONE = 10;
const WINDOW_MILLIS = 600_000;
const GATHER_MILLIS = 1000;
const NANOS_PER_MILLI = 1_000_000n;
/** The most names that are tried for one event. */
const MOST_TRIES = 5;
/** The most series of events that are remembered; the oldest is forgotten, and told anew. */
const MOST_REMEMBERED = 4096;

/**
 * Records events in the background. Of many that are alike (the same object, type and reason) the first ten are written
 * one by one; then one more, "(combined from similar events): ...", that counts the rest and shows the latest.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #client: KubeClient;
  readonly #series = new Map<string, Series>();
  readonly #underWay = new Set<Promise<void>>();
  /** Takes the timer back. */
  #timer: (() => void) | undefined;
  #unwritten = new Set<Series>();
  /** The moment in the name of the last event: each event has a later one. */
  #lastNanos = 0n;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
  }

  /** Records an event; nothing is waited for. */
  record(subject: Subject, event: EventText): void {
    const { kind, clock } = this.#options;
    const now = new Date(clock.now());
    const series = this.#seriesOf(this.#likeness(subject, event), now.getTime());
    series.seen++;
    if (series.seen <= ONE_BY_ONE) {
      const written = eventOf(kind, subject, event, now, this.#nameOf((event.pod ?? subject.metadata).name));
      return this.#begin(() => this.#create(written));
    }
    series.latest = { subject, event, now };
    this.#unwritten.add(series);
    this.#timer ??= clock.after(this.#options.gatherMillis ?? GATHER_MILLIS, () => this.#writeCombined());
  }

  /** Writes what was gathered; resolves when everything is written. */
  async flush(): Promise<void> {
    do {
      this.#writeCombined();
      await Promise.all(this.#underWay);
    } while (this.#underWay.size + this.#unwritten.size);
  }

  /** The same for events that are alike. */
  #likeness({ metadata }: Subject, { type, reason, annotations = {}, pod }: EventText): string {
    const { uid } = pod ?? metadata;
    const told = this.#options.byAnnotations ? JSON.stringify(Object.entries(annotations).toSorted()) : "";
    return `${uid} ${type} ${reason} ${told}`;
  }

  #seriesOf(key: string, now: number): Series {
    let series = this.#series.get(key);
    this.#series.delete(key);
    if (!series || now - series.last > WINDOW_MILLIS) series = { seen: 0, last: now, write: Promise.resolve() };
    series.last = now;
    this.#series.set(key, series);
    if (this.#series.size > MOST_REMEMBERED) this.#series.delete(this.#series.keys().next().value!);
    return series;
  }

  #writeCombined(): void {
    this.#timer?.();
    this.#timer = undefined;
    for (const series of this.#unwritten) {
      this.#begin(() => series.write = series.write.catch(() => {}).then(() => this.#combine(series)));
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
      count: series.seen - ONE_BY_ONE,
    };
    if (series.combined === undefined) {
      series.combined = (await this.#create(event)).metadata.name;
      return;
    }
    const { count, lastTimestamp, metadata: { namespace } } = event;
    const change = { message: event.message, count, lastTimestamp };
    await this.#client.patch(EVENTS, namespace, series.combined, change, "merge", { answer: "metadata" });
  }

  /** Creates an event, under another name if something else writes events of an object of that name. */
  async #create(event: NewEvent): Promise<KubeObject> {
    let { metadata } = event;
    for (let tries = 1;; tries++) {
      try {
        return await this.#client.create(EVENTS, metadata.namespace, { ...event, metadata }, { answer: "metadata" });
      } catch (error) {
        if (sortError(error) !== "alreadyExists" || tries === MOST_TRIES) throw error;
        metadata = { ...metadata, name: this.#nameOf(event.involvedObject.name) };
      }
    }
  }

  #nameOf(object = ""): string {
    const nanos = BigInt(this.#options.clock.now()) * NANOS_PER_MILLI;
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    return eventName(object, this.#lastNanos);
  }

  /** An event is never worth stopping for. */
  #begin(write: () => Promise<unknown>): void {
    const run = write().then(() => {}, (error) => {
      if (sortError(error) !== "notFound") {
        this.#options.log.warn("Could not record an event", { error: String(error) });
      }
    }).finally(() => this.#underWay.delete(run));
    this.#underWay.add(run);
  }
}

/** Events that are alike. */
interface Series {
  seen: number;
  /** The moment of the last one, in milliseconds since 1970. */
  last: number;
  latest?: { readonly subject: Subject; readonly event: EventText; readonly now: Date };
  /** The name of the event that stands for all but the first. */
  combined?: string | undefined;
  /** The writing of that event, one after the other. */
  write: Promise<void>;
}
