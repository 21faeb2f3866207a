/** Definitions of metrics: what each is before it has any value. */

/** `updown` of OpenTelemetry is a gauge where it is served. */
export type MetricType = "counter" | "gauge" | "histogram";

export interface Definition {
  /** Without the prefix that all have. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** The labels that a built-in metric has; a custom one has those of each value. */
  readonly labels?: readonly string[];
  /** The labels that a value may lack. */
  readonly optional?: readonly string[];
  /** The upper bounds of a histogram, rising, without infinity. */
  readonly buckets?: readonly number[];
}

/** The changes of an administrator to a metric (`metricsConfig.modifiers`). */
export interface Modifier {
  readonly disabled?: boolean;
  /** Labels that are left out; the values that only they told apart are one. */
  readonly disabledAttributes?: readonly string[];
  readonly histogramBuckets?: readonly number[];
}

/** The labels of one value. */
export type Labels = Readonly<Record<string, string>>;
