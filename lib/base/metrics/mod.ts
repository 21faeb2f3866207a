/**
 * Metrics as values: what a program counts, and what its workflows have it count. Nothing here serves or asks; the text
 * that Prometheus reads is made at the edge.
 */
export { BUILT_IN_METRICS, type BuiltInName } from "./built_in.ts";
export type { Definition, Labels, MetricType, Modifier } from "./definition.ts";
export { exposition, EXPOSITION_TYPE } from "./exposition.ts";
export { Instrument, MAX_OWN_SERIES, type Sample } from "./instrument.ts";
export { MetricError } from "./metric_budget.ts";
export { attributesOf, type OtlpAttribute, type OtlpInterval, OtlpMetrics } from "./otlp.ts";
export { type CustomValue, MetricRegistry, type RegistryOptions } from "./registry.ts";
export { type TellWork, toldOf, type WorkDone, type WorkName } from "./work_done.ts";
