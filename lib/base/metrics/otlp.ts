/** Metrics in OTLP JSON, the format of OpenTelemetry collectors. */
import type { Instrument, Sample } from "./instrument.ts";
import type { Labels } from "./definition.ts";

/** An attribute of a data point, a span or a resource. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

/** The interval of the values, in nanoseconds since the epoch, as text. */
export interface OtlpInterval {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

const CUMULATIVE = 2;
const DELTA = 1;

/** Converts metrics for an export. With `Delta` temporality, it remembers the values of the last export. */
export class OtlpMetrics {
  readonly #isDelta: boolean;
  /** The values of the last export, and of the current one: removed series are not remembered. */
  #exported: ReadonlyMap<string, readonly number[]> = new Map();
  #exporting = new Map<string, readonly number[]>();

  constructor({ temporality }: { readonly temporality?: "Cumulative" | "Delta" | undefined } = {}) {
    this.#isDelta = temporality === "Delta";
  }

  /** Returns the metrics that have values. */
  metricsOf(instruments: Iterable<Instrument>, interval: OtlpInterval): object[] {
    const metrics: object[] = [];
    for (const instrument of instruments) {
      const { name, help, type } = instrument.definition;
      const samples = [...instrument.samples()];
      if (samples.length === 0) continue;
      const head = { name, description: help };
      const aggregationTemporality = this.#isDelta ? DELTA : CUMULATIVE;
      if (type === "gauge") {
        metrics.push({
          ...head,
          gauge: { dataPoints: samples.map((sample) => pointOf(sample, interval)) },
        });
      } else if (type === "counter") {
        const dataPoints = samples.map((sample) => pointOf({ ...sample, value: this.#since(name, sample) }, interval));
        metrics.push({ ...head, sum: { dataPoints, aggregationTemporality, isMonotonic: true } });
      } else {
        const dataPoints = this.#histograms(name, samples, interval);
        metrics.push({ ...head, histogram: { dataPoints, aggregationTemporality } });
      }
    }
    this.#exported = this.#exporting;
    this.#exporting = new Map();
    return metrics;
  }

  #since(name: string, { labels, value }: Sample): number {
    return this.#changes(JSON.stringify([name, labels]), [value])[0] ?? 0;
  }

  #changes(key: string, values: readonly number[]): readonly number[] {
    if (!this.#isDelta) return values;
    const before = this.#exported.get(key) ?? [];
    this.#exporting.set(key, values);
    return values.map((value, index) => value - (before[index] ?? 0));
  }

  #histograms(name: string, samples: readonly Sample[], interval: OtlpInterval): object[] {
    const groups = Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others));
    return [...groups].map(([key, group]) => {
      const buckets = group.filter(({ suffix }) => suffix === "_bucket");
      const cumulative = buckets.map(({ value }) => value);
      const inEach = cumulative.map((value, index) => value - (cumulative[index - 1] ?? 0));
      const valueOf = (suffix: Sample["suffix"]) => group.find((sample) => sample.suffix === suffix)?.value ?? 0;
      const [sum = 0, count = 0, ...counts] = this.#changes(`${name} ${key}`, [
        valueOf("_sum"),
        valueOf("_count"),
        ...inEach,
      ]);
      return {
        attributes: attributesOf(JSON.parse(key)),
        ...interval,
        count: String(count),
        sum,
        bucketCounts: counts.map(String),
        explicitBounds: buckets.slice(0, -1).map(({ labels }) => Number(labels.le)),
      };
    });
  }
}

function pointOf({ labels, value }: Sample, interval: OtlpInterval): object {
  return { attributes: attributesOf(labels), ...interval, asDouble: value };
}

/** Returns labels as attributes. */
export function attributesOf(labels: Labels): OtlpAttribute[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }));
}
