/** Metrics that a workflow or template emits. */
import * as z from "zod";
import { FilledText, MetricName } from "./name.ts";
import { limits, object } from "./schema.ts";

/** A label of a metric. */
export const MetricLabel = object({ key: MetricName, value: z.string() });
/** A label of a metric. */
export type MetricLabel = z.infer<typeof MetricLabel>;

/** A value that can go up and down. */
export const Gauge = object({
  value: z.string().register(limits, { minLength: 1, maxLength: 256 }),
  realtime: z.boolean().optional(),
  operation: z.enum(["Set", "Add", "Sub"]).optional(),
}).register(limits, {
  argoRequires: ["realtime"],
  rules: [{
    rule: "!has(self.realtime) || !self.realtime || !self.value.contains('resourcesDuration.')",
    message: "'resourcesDuration.*' metrics cannot be used in real-time gauges",
  }],
});
/** A value that can go up and down. */
export type Gauge = z.infer<typeof Gauge>;

/** A distribution of values; `buckets` are the upper bounds of its ranges. */
export const Histogram = object({ value: FilledText, buckets: z.array(z.number()) });
/** A distribution of values; `buckets` are the upper bounds of its ranges. */
export type Histogram = z.infer<typeof Histogram>;

/** A value that only goes up. */
export const Counter = object({ value: FilledText });
/** A value that only goes up. */
export type Counter = z.infer<typeof Counter>;

/** A metric with exactly one of gauge, histogram, counter. */
export const Prometheus = object({
  name: MetricName,
  labels: z.array(MetricLabel).optional(),
  help: z.string("metric must contain a help string under 'help: ' field").register(limits, { minLength: 1 }),
  when: z.string().optional(),
  gauge: Gauge.optional(),
  histogram: Histogram.optional(),
  counter: Counter.optional(),
});
/** A metric with exactly one of gauge, histogram, counter. */
export type Prometheus = z.infer<typeof Prometheus>;

/** All metrics of a workflow or template. */
export const Metrics = object({ prometheus: z.array(Prometheus).register(limits, { maxItems: 100 }) });
/** All metrics of a workflow or template. */
export type Metrics = z.infer<typeof Metrics>;
