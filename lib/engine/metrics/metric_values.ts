/** Evaluates metrics of templates: replaces their tags, and reports errors. */
import type { Prometheus } from "@tiphys/model/api";
import { parseFloat64 } from "@tiphys/base/go/number";
import type { CustomValue, MetricType } from "@tiphys/base/metrics";
import { evaluateWhen, replaceTags, type Scope } from "@tiphys/language/template";
import { userErrorMessage } from "../user_error.ts";

/** A gauge that increases with time while its owner is running. */
export interface RealtimeGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: "node" | "workflow";
}

/** A realtime gauge with its start and end. */
export interface RunningGauge extends RealtimeGauge {
  /** In milliseconds since the epoch. */
  readonly since: number;
  readonly until?: number | undefined;
}

/** The result of one metric. All fields are undefined if its `when` is false. */
export interface MetricResult {
  readonly value?: CustomValue;
  readonly realtime?: RealtimeGauge;
  /** The problem, with Argo's message. */
  readonly problem?: string;
}

/** The maximum length of all labels of one value together, since they are stored and served for long. */
const MAX_LABEL_CHARACTERS = 4096;

/** The variables with the running time in realtime gauges, and the owner of that time. */
const REALTIME_OWNERS: Readonly<Record<string, RealtimeGauge["owner"]>> = {
  duration: "node",
  "workflow.duration": "workflow",
};

/** Evaluates one metric of a workflow or template. Never throws for errors in the metric. */
export function evaluateMetric(metric: Prometheus, scope: Scope, workflowName: string): MetricResult {
  const { name: named, help: helped, labels: labelled, when: asked, gauge, histogram } = metric;
  const head = { name: named, help: helped, labels: labelled, when: asked };
  if (!metric.help) return { problem: `metric '${metric.name}' must contain a help string under 'help: ' field` };
  let substituted: typeof head;
  try {
    substituted = replaceTags(head, scope, { kind: "all" });
  } catch (error) {
    return { problem: `unable to substitute parameters for metric '${metric.name}': ${userErrorMessage(error)}` };
  }
  const { name, help, when = "" } = substituted;
  try {
    if (!evaluateWhen(when)) return {};
  } catch (error) {
    return { problem: `unable to compute 'when' clause for metric '${workflowName}': ${userErrorMessage(error)}` };
  }
  const labels = Object.fromEntries((substituted.labels ?? []).map(({ key, value }) => [key, value]));
  if (lengthOf(labels) > MAX_LABEL_CHARACTERS) {
    return {
      problem: `could not construct metric '${name}': its labels have more than ${MAX_LABEL_CHARACTERS} characters`,
    };
  }
  if (gauge?.realtime) return evaluateRealtime({ name, help, labels }, gauge.value);
  const [type, written] = valueOf(metric);
  let text: string;
  try {
    text = replaceTags({ value: written }, scope, { kind: "all" }).value;
  } catch (error) {
    return { problem: `unable to substitute parameters for metric '${name}': ${userErrorMessage(error)}` };
  }
  const number = parseFloat64(text);
  if (!number.ok) {
    const fault = number.fault === "range" ? "value out of range" : "invalid syntax";
    return {
      problem: `could not construct metric '${name}': strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${fault}`,
    };
  }
  if (type === "counter" && number.value < 0) {
    return { problem: `could not construct metric '${name}': a counter can only increase, but its value is ${text}` };
  }
  return {
    value: {
      name,
      help,
      type,
      labels,
      value: number.value,
      operation: gauge?.operation,
      buckets: histogram?.buckets,
    },
  };
}

function evaluateRealtime(gauge: Omit<RealtimeGauge, "owner">, value: string): MetricResult {
  if (!value.startsWith("{{") || !value.endsWith("}}")) {
    return { problem: "real time metrics can only be used with metric variables" };
  }
  const name = value.slice(2, -2).trim();
  const of = Object.hasOwn(REALTIME_OWNERS, name) ? REALTIME_OWNERS[name] : undefined;
  if (!of) return { problem: `'${name}' is not available as a real time metric` };
  return { realtime: { ...gauge, owner: of } };
}

function valueOf({ gauge, counter, histogram }: Prometheus): [MetricType, string] {
  if (gauge) return ["gauge", gauge.value];
  if (histogram) return ["histogram", String(histogram.value)];
  return ["counter", String(counter?.value ?? "")];
}

function lengthOf(labels: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const [name, value] of Object.entries(labels)) length += name.length + value.length;
  return length;
}
