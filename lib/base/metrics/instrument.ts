/** A metric with its values, one per set of labels. */
import type { Definition, Labels, Modifier } from "./definition.ts";

/** A value in its served form. */
export interface Sample {
  /** The suffix of the metric's name: a histogram has three kinds of samples. */
  readonly suffix: "" | "_bucket" | "_sum" | "_count";
  readonly labels: Labels;
  readonly value: number;
}

/** The values of one set of labels. */
interface Series {
  readonly labels: Labels;
  /** The namespace that first recorded it. */
  readonly owner: string;
  value: number;
  /** For a histogram: the number of values in each bucket, and above the last. */
  readonly counts: number[];
  count: number;
  /** Milliseconds since the epoch. */
  updatedAt: number;
}

/** Accounts for the memory of workflows' series; an owner is a namespace. */
export interface MetricAccount {
  /** @throws {MetricError} when the owner, or all owners together, would exceed their limit. */
  reserve(owner: string, bytes: number): void;
  release(owner: string, bytes: number): void;
}

export interface InstrumentOptions {
  readonly modifier?: Modifier | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * For metrics of workflows. Without an account, the oldest series is dropped when there would be more than 10,000.
   */
  readonly account?: MetricAccount | undefined;
}

/** Maximum number of series of one built-in metric. */
export const MAX_OWN_SERIES = 10_000;

/**
 * Estimated bytes of a series in addition to its labels, of a label character (the labels are stored twice in UTF-16),
 * and of a bucket.
 */
const SERIES_BYTES = 300;
const BYTES_PER_CHARACTER = 4;
const BUCKET_BYTES = 16;

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

  /** The number of sets of labels, including those that are read on each scrape. */
  get size(): number {
    return this.#series.size + this.#readers.size;
  }

  /** Returns the bytes that a value with these labels adds: 0 when its series exists. */
  bytesFor(labels: Labels): number {
    const key = keyOf(this.#visible(labels));
    return this.#series.has(key) ? 0 : this.#bytesOf(key);
  }

  /** Creates the series of these labels with the value zero. */
  declare(labels: Labels): void {
    if (!this.isDisabled) this.#seriesOf(labels);
  }

  /** Adds to a counter or gauge. @throws {MetricError} when a new series would exceed the owner's limit. */
  add(labels: Labels = {}, value = 1, owner = ""): void {
    if (this.isDisabled) return;
    this.#seriesOf(labels, owner).value += value;
  }

  /** Sets a gauge. @throws {MetricError} as {@link add}. */
  set(labels: Labels, value: number, owner = ""): void {
    if (this.isDisabled) return;
    this.#seriesOf(labels, owner).value = value;
  }

  /** Adds a value to a histogram. @throws {MetricError} as {@link add}. */
  observe(labels: Labels, value: number, owner = ""): void {
    if (this.isDisabled) return;
    const series = this.#seriesOf(labels, owner);
    const bucket = this.#buckets.findIndex((bound) => value <= bound);
    const index = bucket < 0 ? this.#buckets.length : bucket;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.value += value;
    series.count++;
  }

  /**
   * Adds a reader that is called on each scrape until the returned function is called; values with equal labels are
   * added up.
   */
  addReader(reader: () => Iterable<readonly [Labels, number]>): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /**
   * Reads the value of some labels on each scrape, as {@link addReader} does, for an owner.
   * @throws {MetricError} as {@link add}.
   */
  follow(labels: Labels, value: () => number, owner: string): () => void {
    const bytes = this.#bytesOf(keyOf(labels));
    this.#options.account?.reserve(owner, bytes);
    const end = this.addReader(() => [[labels, value()]]);
    return () => {
      this.#options.account?.release(owner, bytes);
      end();
    };
  }

  /** Removes the series for which `isOld` returns true. */
  dropSeries(isOld: (updatedAt: number, labels: Labels) => boolean): void {
    for (const [key, { updatedAt, labels }] of this.#series) if (isOld(updatedAt, labels)) this.#delete(key);
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
    for (const [index, bound] of this.#buckets.entries()) {
      below += counts[index] ?? 0;
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

  #seriesOf(requestedLabels: Labels, owner = ""): Series {
    const labels = this.#visible(requestedLabels);
    const key = keyOf(labels);
    let series = this.#series.get(key);
    if (!series) {
      this.#options.account?.reserve(owner, this.#bytesOf(key));
      if (!this.#options.account && this.#series.size >= MAX_OWN_SERIES) {
        this.#delete(this.#series.keys().next().value!);
      }
      series = { labels, owner, value: 0, counts: [], count: 0, updatedAt: 0 };
      this.#series.set(key, series);
    }
    series.updatedAt = this.#options.now();
    return series;
  }

  #delete(key: string): void {
    this.#options.account?.release(this.#series.get(key)!.owner, this.#bytesOf(key));
    this.#series.delete(key);
  }

  #bytesOf(key: string): number {
    return SERIES_BYTES + BYTES_PER_CHARACTER * key.length + BUCKET_BYTES * this.#buckets.length;
  }

  #visible(labels: Labels): Labels {
    if (this.#hidden.size === 0) return labels;
    return Object.fromEntries(Object.entries(labels).filter(([name]) => !this.#hidden.has(name)));
  }
}

/** Returns a text that is equal for equal labels in any order. */
function keyOf(labels: Labels): string {
  const entries = Object.entries(labels);
  if (entries.length > 1) entries.sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(entries);
}
