/** Values of metrics as templates spell them, with their tags filled in, or what is wrong with them. */
import type { Prometheus } from "@tiphys/model/api";
import { parseFloat64 } from "@tiphys/base/go/number";
import type { CustomValue, MetricType } from "@tiphys/base/metrics";
import { evaluateWhen, replaceTags, type Scope } from "@tiphys/language/template";
import { messageOf } from "../user_error.ts";

/** A gauge that grows with the clock for as long as its owner runs. */
export interface RealtimeGauge {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly of: "node" | "workflow";
}

/** A gauge that moves with the clock, and from when to when. */
export interface RunningGauge extends RealtimeGauge {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until?: number | undefined;
}

/** The outcome of one metric; none of the three fields is set when its `when` said no. */
export interface MetricOutcome {
  readonly value?: CustomValue;
  readonly realtime?: RealtimeGauge;
  /** The problem in Argo's words, for people. */
  readonly problem?: string;
}

/** Characters of all labels of one value together: each is held and served for long. */
const MAX_LABELS = 4096;

/** The names by which a realtime gauge asks for a time, and whose time it is. */
const REALTIME: Readonly<Record<string, RealtimeGauge["of"]>> = { duration: "node", "workflow.duration": "workflow" };

/** Fills in one metric of a workflow or template over what is known of it. Never throws for what its author wrote. */
export function metricOutcome(metric: Prometheus, scope: Scope, workflowName: string): MetricOutcome {
  const { name: named, help: helped, labels: labelled, when: asked, gauge, histogram } = metric;
  const head = { name: named, help: helped, labels: labelled, when: asked };
  if (!metric.help) return { problem: `metric '${metric.name}' must contain a help string under 'help: ' field` };
  let filled: typeof head;
  try {
    filled = replaceTags(head, scope, { kind: "all" });
  } catch (error) {
    return { problem: `unable to substitute parameters for metric '${metric.name}': ${messageOf(error)}` };
  }
  const { name, help, when = "" } = filled;
  try {
    if (!evaluateWhen(when)) return {};
  } catch (error) {
    return { problem: `unable to compute 'when' clause for metric '${workflowName}': ${messageOf(error)}` };
  }
  const labels = Object.fromEntries((filled.labels ?? []).map(({ key, value }) => [key, value]));
  if (lengthOf(labels) > MAX_LABELS) {
    return { problem: `could not construct metric '${name}': its labels have more than ${MAX_LABELS} characters` };
  }
  if (gauge?.realtime) return realtimeOutcome({ name, help, labels }, gauge.value);
  const [type, written] = valueOf(metric);
  let text: string;
  try {
    text = replaceTags({ value: written }, scope, { kind: "all" }).value;
  } catch (error) {
    return { problem: `unable to substitute parameters for metric '${name}': ${messageOf(error)}` };
  }
  const number = parseFloat64(text);
  if (!number.ok) {
    const fault = number.fault === "range" ? "value out of range" : "invalid syntax";
    return {
      problem: `could not construct metric '${name}': strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${fault}`,
    };
  }
  if (type === "counter" && number.value < 0) {
    return { problem: `could not construct metric '${name}': a counter only grows, and its value is ${text}` };
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

function realtimeOutcome(gauge: Omit<RealtimeGauge, "of">, value: string): MetricOutcome {
  if (!value.startsWith("{{") || !value.endsWith("}}")) {
    return { problem: "real time metrics can only be used with metric variables" };
  }
  const name = value.slice(2, -2).trim();
  const of = Object.hasOwn(REALTIME, name) ? REALTIME[name] : undefined;
  if (!of) return { problem: `'${name}' is not available as a real time metric` };
  return { realtime: { ...gauge, of } };
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
