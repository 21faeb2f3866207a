/** Writing events about workflows, few for much that is alike. */
import type { Workflow } from "../../lib/api/mod.ts";
import { EVENTS, type KubeClient, type KubeObject, sortError } from "../../lib/kube/mod.ts";
import type { Action } from "../engine/mod.ts";
import type { Log } from "../log.ts";
import { eventOf, type NewEvent } from "./event.ts";

/** What is told about a workflow. */
export type EventAction = Extract<Action, { kind: "event" }>;

/** What a recorder is made with. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
  /** How long what goes into a combined event is gathered, milliseconds. */
  readonly gatherMillis?: number;
}

/** As many events of a workflow with the same reason are written one by one in ten minutes, as Kubernetes's own recorder does. */
const ONE_BY_ONE = 10;
const WINDOW_MILLIS = 600_000;
const GATHER_MILLIS = 1000;
/** More is not remembered: the oldest is forgotten, and told anew. */
const MOST_REMEMBERED = 4096;

/**
 * Records events in the background. Of many that are alike (the same workflow, type and reason) the first ten are written
 * one by one; then one more, "(combined from similar events): ...", that counts the rest and shows the latest.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #client: KubeClient;
  readonly #series = new Map<string, Series>();
  readonly #underWay = new Set<Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwritten = new Set<Series>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#client = options.client.inBackground();
  }

  /** Records an event; nothing is waited for. */
  record(workflow: Workflow, action: EventAction): void {
    const now = this.#options.now();
    const series = this.#seriesOf(`${workflow.metadata.uid} ${action.type} ${action.reason}`, now.getTime());
    series.seen++;
    if (series.seen <= ONE_BY_ONE) return this.#begin(() => this.#create(eventOf(workflow, action, now)));
    series.latest = { workflow, action, now };
    this.#unwritten.add(series);
    this.#timer ??= setTimeout(() => this.#writeCombined(), this.#options.gatherMillis ?? GATHER_MILLIS);
  }

  /** Writes what was gathered; resolves when everything is written. */
  async flush(): Promise<void> {
    do {
      this.#writeCombined();
      await Promise.all(this.#underWay);
    } while (this.#underWay.size + this.#unwritten.size);
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
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const series of this.#unwritten) {
      this.#begin(() => series.write = series.write.catch(() => {}).then(() => this.#combine(series)));
    }
    this.#unwritten = new Set();
  }

  async #combine(series: Series): Promise<void> {
    const { workflow, action, now } = series.latest!;
    const message = `(combined from similar events): ${action.message}`;
    const event = { ...eventOf(workflow, { ...action, message }, now), count: series.seen - ONE_BY_ONE };
    if (series.combined === undefined) {
      series.combined = (await this.#create(event)).metadata.name;
      return;
    }
    const { count, lastTimestamp, metadata: { namespace } } = event;
    const change = { message: event.message, count, lastTimestamp };
    await this.#client.patch(EVENTS, namespace, series.combined, change, "merge", { answer: "metadata" });
  }

  #create(event: NewEvent): Promise<KubeObject> {
    return this.#client.create(EVENTS, event.metadata.namespace, event, { answer: "metadata" });
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
  /** When there was one last, milliseconds since 1970. */
  last: number;
  latest?: { readonly workflow: Workflow; readonly action: EventAction; readonly now: Date };
  /** The name of the event that stands for all but the first. */
  combined?: string | undefined;
  /** The writing of that event, one after the other. */
  write: Promise<void>;
}
