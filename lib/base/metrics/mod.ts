/** The metrics of a program and of its workflows as values. The callers serve and export them. */
export { BUILT_IN_METRICS, type BuiltInName } from "./built_in.ts";
export type { Definition, Labels, MetricType, Modifier } from "./definition.ts";
export { exposition, EXPOSITION_TYPE } from "./exposition.ts";
export { Instrument, MAX_OWN_SERIES, type Sample } from "./instrument.ts";
export { MetricError } from "./metric_budget.ts";
export { attributesOf, type OtlpAttribute, type OtlpInterval, OtlpMetrics } from "./otlp.ts";
export { type CustomValue, MetricRegistry, type RegistryOptions } from "./registry.ts";
export { type ReportWork, withWorkSpan, type WorkName, type WorkSpan } from "./work_span.ts";
