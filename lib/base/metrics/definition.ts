/** Definitions of metrics, without values. */

/** The Prometheus type; OpenTelemetry's `updown` counter is a gauge. */
export type MetricType = "counter" | "gauge" | "histogram";

export interface Definition {
  /** The name without the common prefix. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** The labels of a built-in metric; a custom one has the labels of its values. */
  readonly labels?: readonly string[];
  /** Labels that a value may omit. */
  readonly optional?: readonly string[];
  /** The upper bounds of a histogram in ascending order, without infinity. */
  readonly buckets?: readonly number[];
}

/** An administrator's changes to a metric (`metricsConfig.modifiers`). */
export interface Modifier {
  readonly disabled?: boolean;
  /** Labels to remove; values that differ only in these are added up. */
  readonly disabledAttributes?: readonly string[];
  readonly histogramBuckets?: readonly number[];
}

/** The labels of one value. */
export type Labels = Readonly<Record<string, string>>;
