/** One metric with its values, one for each set of labels. */
import type { Definition, Labels, Modifier } from "./definition.ts";

/** A value as it is served. */
export interface Sample {
  /** The suffix of the metric's name: a histogram has three kinds of samples. */
  readonly suffix: "" | "_bucket" | "_sum" | "_count";
  readonly labels: Labels;
  readonly value: number;
}

/** The values of one set of labels. */
interface Series {
  readonly labels: Labels;
  value: number;
  /** Of a histogram: how many values lie in each bucket, and beyond the last. */
  readonly counts: number[];
  count: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/** The error of a metric that would get more sets of labels than it may have. */
export class TooManySeriesError extends Error {
  override readonly name = "TooManySeriesError";

  constructor(metric: string) {
    super(`too many series for metric '${metric}'`);
  }
}

export interface InstrumentOptions {
  readonly modifier?: Modifier | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly maxSeries: number;
}

export class Instrument {
  readonly definition: Definition;
  readonly isDisabled: boolean;
  readonly #buckets: readonly number[];
  readonly #hidden: ReadonlySet<string>;
  readonly #options: InstrumentOptions;
  readonly #series = new Map<string, Series>();
  readonly #readers = new Set<() => Iterable<readonly [Labels, number]>>();

  constructor(definition: Definition, options: InstrumentOptions) {
    const { disabled = false, disabledAttributes = [], histogramBuckets } = options.modifier ?? {};
    this.definition = definition;
    this.isDisabled = disabled;
    this.#options = options;
    this.#hidden = new Set(disabledAttributes);
    this.#buckets = definition.type === "histogram"
      ? [...histogramBuckets ?? definition.buckets ?? []].sort((a, b) => a - b)
      : [];
  }

  /** The number of sets of labels that it has. */
  get size(): number {
    return this.#series.size;
  }

  /** Serves these labels from now on, at zero. @throws {TooManySeriesError} */
  declare(labels: Labels): void {
    if (!this.isDisabled) this.#of(labels);
  }

  /** Adds to a counter or gauge. @throws {TooManySeriesError} */
  add(labels: Labels = {}, value = 1): void {
    if (this.isDisabled) return;
    this.#of(labels).value += value;
  }

  /** Sets a gauge. @throws {TooManySeriesError} */
  set(labels: Labels, value: number): void {
    if (this.isDisabled) return;
    this.#of(labels).value = value;
  }

  /** Counts a value in a histogram. @throws {TooManySeriesError} */
  observe(labels: Labels, value: number): void {
    if (this.isDisabled) return;
    const series = this.#of(labels);
    const bucket = this.#buckets.findIndex((bound) => value <= bound);
    const at = bucket < 0 ? this.#buckets.length : bucket;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.value += value;
    series.count++;
  }

  /** Asks for values each time they are served, until the answer is called; values of the same labels are added up. */
  read(reader: () => Iterable<readonly [Labels, number]>): () => void {
    if (this.#readers.size >= this.#options.maxSeries) throw new TooManySeriesError(this.definition.name);
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Forgets the values of labels for which this is so. */
  drop(isOld: (updatedAt: number, labels: Labels) => boolean): void {
    for (const [key, { updatedAt, labels }] of this.#series) if (isOld(updatedAt, labels)) this.#series.delete(key);
  }

  *samples(): Generator<Sample> {
    if (this.isDisabled) return;
    for (const series of this.#series.values()) {
      if (this.definition.type === "histogram") yield* this.#histogram(series);
      else yield { suffix: "", labels: series.labels, value: series.value };
    }
    yield* this.#readNow();
  }

  *#histogram({ labels, counts, value, count }: Series): Generator<Sample> {
    let below = 0;
    for (const [at, bound] of this.#buckets.entries()) {
      below += counts[at] ?? 0;
      yield { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: below };
    }
    yield { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count };
    yield { suffix: "_sum", labels, value };
    yield { suffix: "_count", labels, value: count };
  }

  *#readNow(): Generator<Sample> {
    const sums = new Map<string, { readonly labels: Labels; value: number }>();
    for (const reader of this.#readers) {
      for (const [asked, value] of reader()) {
        const labels = this.#visible(asked);
        const key = keyOf(labels);
        const sum = sums.get(key);
        if (sum) sum.value += value;
        else sums.set(key, { labels, value });
      }
    }
    for (const { labels, value } of sums.values()) yield { suffix: "", labels, value };
  }

  #of(asked: Labels): Series {
    const labels = this.#visible(asked);
    const key = keyOf(labels);
    let series = this.#series.get(key);
    if (!series) {
      if (this.#series.size >= this.#options.maxSeries) throw new TooManySeriesError(this.definition.name);
      series = { labels, value: 0, counts: [], count: 0, updatedAt: 0 };
      this.#series.set(key, series);
    }
    series.updatedAt = this.#options.now();
    return series;
  }

  #visible(labels: Labels): Labels {
    if (this.#hidden.size === 0) return labels;
    return Object.fromEntries(Object.entries(labels).filter(([name]) => !this.#hidden.has(name)));
  }
}

/** The same text for the same labels, whatever their order. */
function keyOf(labels: Labels): string {
  const entries = Object.entries(labels);
  if (entries.length > 1) entries.sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(entries);
}
